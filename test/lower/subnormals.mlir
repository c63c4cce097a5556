// Results that are too small for a normal number are zero while a function that C calls runs, unless users say otherwise.
// RUN: ad-opt %s --pass-pipeline='builtin.module(symbol-dce,ad-optimize,ad-lower-to-buffers,ad-lower-buffers-to-llvm,lower-subnormals)' | FileCheck %s
// RUN: ad-opt run %s --entry=product --input=1e-300 --input=1e-10 | FileCheck %s --check-prefix=ZERO
// RUN: ad-opt run %s --entry=product --input=-1e-300 --input=1e-10 | FileCheck %s --check-prefix=NEGATIVE
// RUN: ad-opt run %s --entry=product --input=1e-300 --input=1e-10 --fast-math=contract,reductions | FileCheck %s --check-prefix=SUBNORMAL
// RUN: ad-opt run %s --entry=product --input=1e-300 --input=1e-10 --fast-math=none | FileCheck %s --check-prefix=SUBNORMAL
// RUN: ad-opt run %s --entry=product --input=1e-300 --input=1e-10 --fast-math=fast | FileCheck %s --check-prefix=ZERO
// RUN: ad-opt run %s --entry=product --input=1e-300 --input=1e-10 --target=gpu-emulate | FileCheck %s --check-prefix=SUBNORMAL
// RUN: ad-opt run %s --entry=narrow --input=1e-30 --input=1e-10 | FileCheck %s --check-prefix=ZERO
// What is given is not changed: 2^-1060 is a number whose square root, 2^-530, is a normal one.
// RUN: ad-opt run %s --entry=root --input=8.095e-320 | FileCheck %s --check-prefix=ROOT
// All threads do so: of x / (i + 1), all but the first are too small.
// RUN: ad-opt run %s --entry=count --input=2.3e-308 --input=1000000 | FileCheck %s --check-prefix=ONE
// RUN: ad-opt run %s --entry=count --input=2.3e-308 --input=1000000 --threads=3 | FileCheck %s --check-prefix=ONE
// RUN: ad-opt run %s --entry=count --input=2.3e-308 --input=1000000 --threads=3 --fast-math=reductions | FileCheck %s --check-prefix=ALL
// C has its own way of rounding again after a call, and sees which exceptions there were.
// RUN: rm -rf %t && mkdir %t
// RUN: ad-opt compile %s -o %t/subnormals.so
// RUN: cc -I%t %S/Inputs/subnormals.c %t/subnormals.so -lm -Wl,-rpath,%t -o %t/program
// RUN: %t/program | FileCheck %s --check-prefix=C
// RUN: FileCheck %s --check-prefix=SAID --input-file=%t/subnormals.h
// RUN: ad-opt compile %s --fast-math=contract -o %t/kept.so
// RUN: FileCheck %s --check-prefix=PLAIN --input-file=%t/kept.h

// SAID: is that of --fast-math=contract,reductions,flush-subnormals: results too small
// PLAIN: is that of --fast-math=contract. */

// CHECK-LABEL: llvm.func @product(
// CHECK-NOT:     call
// CHECK:         llvm.return
// CHECK-LABEL: llvm.func @_mlir_ciface_product(
// CHECK:         %[[FLUSH:.+]] = llvm.mlir.constant(32768 : i32) : i32
// CHECK-NEXT:    %[[OLD:.+]] = llvm.call @subnormals.set(%[[FLUSH]]) : (i32) -> i32
// CHECK:         llvm.call @product({{.*}}) {no_inline}
// CHECK:         llvm.call @subnormals.set(%[[OLD]]) : (i32) -> i32
// CHECK-NEXT:    llvm.return
// CHECK-LABEL: llvm.func internal @subnormals.set(
// CHECK-SAME:    %[[NEW:.+]]: i32)
// CHECK:         llvm.call_intrinsic "llvm.x86.sse.stmxcsr"(%[[PLACE:.+]]) :
// CHECK-NEXT:    %[[REGISTER:.+]] = llvm.load %[[PLACE]]
// CHECK-NEXT:    %[[WAS:.+]] = llvm.and %[[REGISTER]], %
// CHECK-NEXT:    %[[KEPT:.+]] = llvm.and %[[REGISTER]], %
// CHECK-NEXT:    %[[OR:.+]] = llvm.or %[[KEPT]], %[[NEW]] : i32
// CHECK-NEXT:    llvm.store %[[OR]], %[[PLACE]] : i32
// CHECK-NEXT:    llvm.call_intrinsic "llvm.x86.sse.ldmxcsr"(%[[PLACE]])
// CHECK-NEXT:    llvm.return %[[WAS]]

// ZERO: {{^}}0.0{{$}}
// NEGATIVE: {{^}}-0.0{{$}}
// SUBNORMAL: {{^}}1e-310{{$}}
// ROOT: {{^}}2.8451311993408992e-160{{$}}
// ONE: {{^}}1{{$}}
// ALL: {{^}}1000000{{$}}

// C: in the function 0, after it 1e-310
// C: with zeros set before: in the function 0, after it 0
// C: division by zero was noted
func.func @product(%x: f64, %y: f64) -> f64 attributes {llvm.emit_c_interface} {
  %z = arith.mulf %x, %y : f64
  return %z : f64
}

func.func @quotient(%x: f64, %y: f64) -> f64 attributes {llvm.emit_c_interface} {
  %z = arith.divf %x, %y : f64
  return %z : f64
}

func.func @narrow(%x: f32, %y: f32) -> f32 attributes {llvm.emit_c_interface} {
  %z = arith.mulf %x, %y : f32
  return %z : f32
}

func.func @root(%x: f64) -> f64 attributes {llvm.emit_c_interface} {
  %y = math.sqrt %x : f64
  return %y : f64
}

func.func @count(%x: f64, %n: index) -> i64 attributes {llvm.emit_c_interface} {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant 0 : i64
  %one = arith.constant 1.0 : f64
  %numbers = soac.iota %n : tensor<?xindex>
  %some = soac.map ins(%numbers : tensor<?xindex>) (%i: index) -> tensor<?xi64> {
    %integer = arith.index_cast %i : index to i64
    %float = arith.sitofp %integer : i64 to f64
    %divisor = arith.addf %float, %one : f64
    %quotient = arith.divf %x, %divisor : f64
    %is_some = arith.cmpf une, %quotient, %zero : f64
    %y = arith.extui %is_some : i1 to i64
    soac.yield %y : i64
  }
  %count = soac.reduce ins(%some : tensor<?xi64>) neutral(%none : i64) (%a: i64, %b: i64) {
    %c = arith.addi %a, %b : i64
    soac.yield %c : i64
  }
  return %count : i64
}
