// Rows and sums of any length, as vectors and the part of one that is left, are what the interpreter makes of them.
// RUN: %python %S/../driver/Inputs/npy.py %t.0.npy '<f8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.1.npy '<f8' '(1,)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.14.npy '<f8' '(14,)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.16.npy '<f8' '(16,)' --vary=3
// RUN: %python %S/../driver/Inputs/npy.py %t.f.npy '<f4' '(13,)' --vary=4
// RUN: ad-opt check %s --entry=objective --input=%t.0.npy
// RUN: ad-opt check %s --entry=objective --input=%t.1.npy
// RUN: ad-opt check %s --entry=objective --input=%t.14.npy
// RUN: ad-opt run %s --entry=parts --input=%t.0.npy | FileCheck %s
// RUN: ad-opt run %s --entry=parts --input=%t.1.npy | FileCheck %s
// RUN: ad-opt run %s --entry=parts --input=%t.14.npy | FileCheck %s
// RUN: ad-opt run %s --entry=parts --input=%t.16.npy | FileCheck %s
// RUN: ad-opt run %s --entry=wide_parts --input=%t.1.npy | FileCheck %s
// RUN: ad-opt run %s --entry=wide_parts --input=%t.14.npy | FileCheck %s
// RUN: ad-opt run %s --entry=wide_parts --input=%t.16.npy | FileCheck %s
// RUN: ad-opt run %s --entry=singles --input=%t.f.npy | FileCheck %s
// CHECK: true

// sum(exp(tanh(...tanh(x)))), and the rows on the way
func.func @objective(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %row = scf.for %t = %c0 to %c3 step %c1 iter_args(%y = %x) -> tensor<?xf64> {
    %next = soac.map ins(%y, %x : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
      %c = arith.mulf %a, %b : f64
      %d = math.tanh %c : f64
      soac.yield %d : f64
    }
    scf.yield %next : tensor<?xf64>
  }
  %exps = soac.map ins(%row : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %e = math.exp %a : f64
    soac.yield %e : f64
  }
  %sum = soac.reduce ins(%exps : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  return %sum : f64
}

// The sum over all elements is that over the first ones, one by one, within rounding.
func.func @parts(%x: tensor<?xf64>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %small = arith.constant 1.0e-13 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %all = func.call @objective(%x) : (tensor<?xf64>) -> f64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %one = tensor.extract_slice %x[%i] [1] [1] : tensor<?xf64> to tensor<1xf64>
    %any = tensor.cast %one : tensor<1xf64> to tensor<?xf64>
    %term = func.call @objective(%any) : (tensor<?xf64>) -> f64
    %next = arith.addf %s, %term : f64
    scf.yield %next : f64
  }
  %difference = arith.subf %all, %sum : f64
  %size = math.absf %difference : f64
  %same = arith.cmpf olt, %size, %small : f64
  return %same : i1
}

func.func @singles(%x: tensor<?xf32>) -> i1 {
  %zero = arith.constant 0.0 : f32
  %small = arith.constant 1.0e-5 : f32
  %errors = soac.map ins(%x : tensor<?xf32>) (%a: f32) -> tensor<?xf32> {
    %t = math.tanh %a : f32
    %back = math.atanh %t : f32
    %d = arith.subf %back, %a : f32
    %size = math.absf %d : f32
    soac.yield %size : f32
  }
  %sum = soac.reduce ins(%errors : tensor<?xf32>) neutral(%zero : f32) (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  %same = arith.cmpf olt, %sum, %small : f32
  return %same : i1
}

// Four rows that each other one is made of, and the sum of all their elements
func.func @wide(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %rows:4 = scf.for %t = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %x, %c = %x, %d = %x)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
    %next:4 = soac.map ins(%a, %b, %c, %d, %x : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
        (%p: f64, %q: f64, %r: f64, %s: f64, %v: f64)
        -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
      %pq = arith.mulf %q, %v : f64
      %p1 = arith.addf %p, %pq : f64
      %qr = arith.mulf %r, %v : f64
      %q1 = arith.subf %q, %qr : f64
      %rs = arith.mulf %s, %v : f64
      %r1 = arith.addf %r, %rs : f64
      %sp = arith.mulf %p, %v : f64
      %s1 = arith.subf %s, %sp : f64
      soac.yield %p1, %q1, %r1, %s1 : f64, f64, f64, f64
    }
    scf.yield %next#0, %next#1, %next#2, %next#3 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
  }
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %a = tensor.extract %rows#0[%i] : tensor<?xf64>
    %b = tensor.extract %rows#1[%i] : tensor<?xf64>
    %c = tensor.extract %rows#2[%i] : tensor<?xf64>
    %d = tensor.extract %rows#3[%i] : tensor<?xf64>
    %ab = arith.mulf %a, %b : f64
    %cd = arith.divf %c, %d : f64
    %both = arith.addf %ab, %cd : f64
    %next = arith.addf %s, %both : f64
    scf.yield %next : f64
  }
  return %sum : f64
}

// Again the sum over all elements is that over the first ones, one by one.
func.func @wide_parts(%x: tensor<?xf64>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %small = arith.constant 1.0e-12 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %all = func.call @wide(%x) : (tensor<?xf64>) -> f64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %one = tensor.extract_slice %x[%i] [1] [1] : tensor<?xf64> to tensor<1xf64>
    %any = tensor.cast %one : tensor<1xf64> to tensor<?xf64>
    %term = func.call @wide(%any) : (tensor<?xf64>) -> f64
    %next = arith.addf %s, %term : f64
    scf.yield %next : f64
  }
  %difference = arith.subf %all, %sum : f64
  %relative = arith.divf %difference, %sum : f64
  %size = math.absf %relative : f64
  %same = arith.cmpf olt, %size, %small : f64
  return %same : i1
}
