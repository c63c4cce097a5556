// Exponentials by arithmetic, where there are many of them.
// RUN: ad-opt %s --lower-math-to-polynomials | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(13,)' 0 1 -1 0.5 1e-300 700 -700 709.7 710 -740 -746 inf -inf
// RUN: ad-opt run %s --entry=exponentials --input=%t.x.npy --fast-math=contract,reductions | FileCheck %s --check-prefix=EXP
// RUN: %python %S/../driver/Inputs/npy.py %t.y.npy '<f8' '(11,)' 0 -0.0 1e-300 1e-9 0.5 -0.5 -1.25 19 -25 inf -inf
// RUN: ad-opt run %s --entry=tangents --input=%t.y.npy | FileCheck %s --check-prefix=TANH
// RUN: %python %S/../driver/Inputs/npy.py %t.nan.npy '<f8' '(5,)' nan 1 nan nan nan
// RUN: ad-opt run %s --entry=tangents --input=%t.nan.npy | FileCheck %s --check-prefix=NAN
// RUN: ad-opt run %s --entry=exponentials --input=%t.nan.npy | FileCheck %s --check-prefix=NAN
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: ad-opt run %s --entry=tangents --input=%t.none.npy | FileCheck %s --check-prefix=NONE
// RUN: %python %S/../driver/Inputs/npy.py %t.f.npy '<f4' '(9,)' 0 1 -1 0.5 88 89 -103 -104 inf
// RUN: ad-opt run %s --entry=singles --input=%t.f.npy --fast-math=contract,reductions | FileCheck %s --check-prefix=SINGLE
// RUN: %python %S/../driver/Inputs/npy.py %t.many.npy '<f8' '(1000,)' --vary=1
// RUN: ad-opt run %s --entry=worst --input=%t.many.npy | FileCheck %s --check-prefix=WORST
// RUN: ad-opt run %s --entry=exponentials --input=%t.many.npy | %python %S/Inputs/ulps.py %t.many.npy f64 exp 1.1 | FileCheck %s --check-prefix=CLOSE
// RUN: ad-opt run %s --entry=tangents --input=%t.many.npy | %python %S/Inputs/ulps.py %t.many.npy f64 tanh 3 | FileCheck %s --check-prefix=CLOSE
// RUN: %python %S/../driver/Inputs/npy.py %t.wide.npy '<f8' '(21,)' -744.4 -720.25 -708.5 -700.1 -350.3 -121.7 -20.9 -3.7 -1.04 -0.347 -0.346 0.346 0.347 1.04 3.7 20.9 121.7 350.3 700.1 709.5 709.78
// RUN: ad-opt run %s --entry=exponentials --input=%t.wide.npy --fast-math=contract,reductions | %python %S/Inputs/ulps.py %t.wide.npy f64 exp 1.1 | FileCheck %s --check-prefix=CLOSE
// RUN: %python %S/../driver/Inputs/npy.py %t.singles.npy '<f4' '(1000,)' --vary=1
// RUN: ad-opt run %s --entry=single_exponentials --input=%t.singles.npy | %python %S/Inputs/ulps.py %t.singles.npy f32 exp 1.1 | FileCheck %s --check-prefix=CLOSE
// RUN: %python %S/../driver/Inputs/npy.py %t.wide_f.npy '<f4' '(14,)' -103.2 -99.5 -87.7 -50.1 -20.9 -3.7 -0.347 0.346 1.04 3.7 20.9 50.1 88.1 88.72
// RUN: ad-opt run %s --entry=single_exponentials --input=%t.wide_f.npy --fast-math=contract,reductions | %python %S/Inputs/ulps.py %t.wide_f.npy f32 exp 1.1 | FileCheck %s --check-prefix=CLOSE

// EXP: [1.0, 2.71828182845904{{[0-9]*}}, 0.36787944117144{{[0-9]*}}, 1.64872127070012{{[0-9]*}}, 1.0, 1.01423205473500{{[0-9]*}}e304, 9.859676543759{{[0-9]*}}e-305, 1.6549840276802{{[0-9]*}}e308, inf, 4.2{{[0-9]*}}e-322, 0.0, inf, 0.0]
// TANH: [0.0, -0.0, 1e-300, {{1e-9|9.99999999999999[0-9]*e-10}}, 0.46211715726000{{[0-9]*}}, -0.46211715726000{{[0-9]*}}, -0.84828363995751{{[0-9]*}}, {{1.0|0.99999999999999[0-9]*}}, -1.0, 1.0, -1.0]
// NAN: [nan, {{[0-9.]*}}, nan, nan, nan]
// NONE: []
// SINGLE: [1.0, 2.71828{{[0-9]*}}, 0.367879{{[0-9]*}}, 1.64872{{[0-9]*}}, 1.65163{{[0-9]*}}e38, inf, 1e-45, 0.0, inf]
// SINGLE: [0.0, 0.761594{{[0-9]*}}, -0.761594{{[0-9]*}}, 0.462117{{[0-9]*}}, 1.0, 1.0, -1.0, -1.0, 1.0]
// WORST: true
// CLOSE: {{^}}close

// CHECK-LABEL: func.func @vectors
// CHECK-NOT: math.exp
// CHECK: arith.bitcast %{{.*}} : vector<4xf64> to vector<4xi64>
// CHECK: arith.shli
// CHECK: arith.bitcast %{{.*}} : vector<8xf32> to vector<8xi32>
// CHECK: math.copysign
// CHECK-NOT: math.tanh
// CHECK: return
func.func @vectors(%x: vector<4xf64>, %y: vector<8xf32>) -> (vector<4xf64>, vector<8xf32>) {
  %a = math.exp %x : vector<4xf64>
  %b = math.tanh %y : vector<8xf32>
  return %a, %b : vector<4xf64>, vector<8xf32>
}

// One is not many; nor is one per iteration that the next one waits for.
// CHECK-LABEL: func.func @calls
// CHECK: math.exp
// CHECK: scf.for
// CHECK: math.tanh
// CHECK: scf.for
// CHECK: math.exp
// CHECK: scf.for
func.func @calls(%x: f64, %n: index) -> (f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = math.exp %x : f64
  %b = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> f64 {
    %z = arith.addf %y, %x : f64
    %next = math.tanh %z : f64
    scf.yield %next : f64
  }
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> f64 {
    %e = math.exp %x : f64
    %d = scf.for %j = %c0 to %n step %c1 iter_args(%z = %e) -> f64 {
      %next = arith.addf %z, %x : f64
      scf.yield %next : f64
    }
    scf.yield %d : f64
  }
  return %a, %b, %c : f64, f64, f64
}

// Other types of floats have no arithmetic of their own.
// CHECK-LABEL: func.func @half
// CHECK: math.exp %{{.*}} : vector<4xf16>
func.func @half(%x: vector<4xf16>) -> vector<4xf16> {
  %y = math.exp %x : vector<4xf16>
  return %y : vector<4xf16>
}

func.func @exponentials(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %b = math.exp %a : f64
    soac.yield %b : f64
  }
  return %y : tensor<?xf64>
}

func.func @tangents(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %b = math.tanh %a : f64
    soac.yield %b : f64
  }
  return %y : tensor<?xf64>
}

func.func @single_exponentials(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y, %z = func.call @singles(%x) : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  return %y : tensor<?xf32>
}

func.func @singles(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %y, %z = soac.map ins(%x : tensor<?xf32>) (%a: f32) -> (tensor<?xf32>, tensor<?xf32>) {
    %b = math.exp %a : f32
    %c = math.tanh %a : f32
    soac.yield %b, %c : f32, f32
  }
  return %y, %z : tensor<?xf32>, tensor<?xf32>
}

// The inverse functions lead back to where x was, between -1.2 and 1.2.
func.func @worst(%x: tensor<?xf64>) -> i1 {
  %zero = arith.constant 0.0 : f64
  %small = arith.constant 2.0e-15 : f64
  %errors = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %exp = math.exp %a : f64
    %log = math.log %exp : f64
    %e = arith.subf %log, %a : f64
    %tanh = math.tanh %a : f64
    %atanh = math.atanh %tanh : f64
    %t = arith.subf %atanh, %a : f64
    %e1 = math.absf %e : f64
    %t1 = math.absf %t : f64
    %larger = arith.maximumf %e1, %t1 : f64
    soac.yield %larger : f64
  }
  %worst = soac.reduce ins(%errors : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %m = arith.maximumf %a, %b : f64
    soac.yield %m : f64
  }
  %fine = arith.cmpf olt, %worst, %small : f64
  return %fine : i1
}
