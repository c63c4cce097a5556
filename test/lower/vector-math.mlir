// Functions with variants for vectors, which LLVM calls in loops that it vectorises.
// RUN: ad-opt %s --lower-math-to-vector-calls | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-math-to-vector-calls{instruction-set=sse4})' | FileCheck %s --check-prefix=SSE4
// RUN: not ad-opt %s --pass-pipeline='builtin.module(lower-math-to-vector-calls{instruction-set=mmx})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(9,)' 0 1 -1 0.5 2 700 -700 710 -746
// RUN: ad-opt run %s --entry=exponentials --input=%t.npy | FileCheck %s --check-prefix=VALUES

// UNKNOWN: no instruction set 'mmx'; there are sse4, avx2, avx512

// VALUES: [1.0, 2.71828182845904{{[0-9]*}}, 0.36787944117144{{[0-9]*}}, 1.64872127070012{{[0-9]*}}, 7.3890560989306{{[0-9]*}}, 1.01423205473500{{[0-9]*}}e304, 9.859676543759{{[0-9]*}}e-305, inf, 0.0]

// CHECK-LABEL: func.func @exponentials
// CHECK: func.call @exp(%{{.*}}) : (f64) -> f64
func.func @exponentials(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %b = math.exp %a : f64
    soac.yield %b : f64
  }
  return %y : tensor<?xf64>
}

// CHECK-LABEL: func.func @power
// CHECK: call @powf(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
func.func @power(%x: f32, %y: f32) -> f32 {
  %z = math.powf %x, %y : f32
  return %z : f32
}

// There are no functions on half floats, and none for absolute values.
// CHECK-LABEL: func.func @others
// CHECK: math.exp
// CHECK: math.absf
func.func @others(%x: f16, %y: f64) -> (f16, f64) {
  %a = math.exp %x : f16
  %b = math.absf %y : f64
  return %a, %b : f16, f64
}

// A function of the program with the name of one of the C library is another.
// CHECK-LABEL: func.func private @sin
// CHECK: math.sin
func.func private @sin(%x: f64) -> f64 {
  %y = math.sin %x : f64
  return %y : f64
}

// CHECK: func.func private @exp(f64) -> f64 attributes {llvm.readnone, passthrough = ["nounwind", "willreturn", ["vector-function-abi-variant", "_ZGVbN2v_exp,_ZGVdN4v_exp"]]}
// CHECK: func.func private @powf(f32, f32) -> f32 attributes {{.*}}"_ZGVbN4vv_powf,_ZGVdN8vv_powf"
// CHECK: llvm.func @_ZGVbN2v_exp(vector<2xf64>) -> vector<2xf64>
// CHECK: llvm.func @_ZGVbN4vv_powf(vector<4xf32>, vector<4xf32>) -> vector<4xf32>
// CHECK: llvm.func @_ZGVdN4v_exp(vector<4xf64>) -> vector<4xf64>
// CHECK: llvm.func @_ZGVdN8vv_powf(vector<8xf32>, vector<8xf32>) -> vector<8xf32>
// CHECK: llvm.mlir.global appending @llvm.compiler.used()
// SSE4-NOT: _ZGVd
// SSE4: _ZGVbN2v_exp
// SSE4-NOT: _ZGVd
