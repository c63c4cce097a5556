// Nothing comes from what was not chosen, whatever made it: at 0, where derivatives of it are infinite or undefined, x itself is
// chosen, so that the derivative is 1. At 4 it is what finite differences say.
// RUN: ad-opt run %s --entry=map_and_sum_vjp --input=0.0 | FileCheck %s
// RUN: ad-opt check %s --entry=map_and_sum --input=4.0
// RUN: ad-opt run %s --entry=free_vjp --input=0.0 | FileCheck %s
// RUN: ad-opt check %s --entry=free --input=4.0
// RUN: ad-opt run %s --entry=scan_vjp --input=0.0 | FileCheck %s
// RUN: ad-opt check %s --entry=scan --input=4.0
// RUN: ad-opt run %s --entry=loop_vjp --input=0.0 | FileCheck %s
// RUN: ad-opt check %s --entry=loop --input=4.0
// RUN: ad-opt run %s --entry=linalg_vjp --input=0.0 | FileCheck %s
// RUN: ad-opt check %s --entry=linalg --input=4.0
// RUN: ad-opt run %s --entry=vector_vjp --input=0.0 | FileCheck %s
// RUN: ad-opt check %s --entry=vector --input=4.0
// RUN: ad-opt run %s --entry=sincos_vjp --input=0.0 | FileCheck %s
// RUN: ad-opt check %s --entry=sincos --input=4.0
// RUN: ad-opt run %s --entry=complex_vjp --input=0.0 | FileCheck %s
// RUN: ad-opt check %s --entry=complex --input=4.0
// CHECK: {{^}}1.0{{$}}

func.func @map_and_sum(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = tensor.from_elements %x : tensor<1xf64>
  %m = soac.map ins(%t : tensor<1xf64>) (%e: f64) -> tensor<1xf64> {
    %u = math.sqrt %e : f64
    soac.yield %u : f64
  }
  %s = soac.reduce ins(%m : tensor<1xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  %p = arith.cmpf ogt, %x, %zero : f64
  %y = arith.select %p, %s, %x : f64
  return %y : f64
}
func.func @map_and_sum_vjp(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y:2 = ad.vjp @map_and_sum(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y#1 : f64
}

func.func @free(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %xs = tensor.splat %one[%c2] : tensor<?xf64>
  %m = soac.map ins(%xs : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %u = math.sqrt %x : f64
    %v = arith.mulf %u, %e : f64
    soac.yield %v : f64
  }
  %s = tensor.extract %m[%c1] : tensor<?xf64>
  %p = arith.cmpf ogt, %x, %zero : f64
  %y = arith.select %p, %s, %x : f64
  return %y : f64
}
func.func @free_vjp(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y:2 = ad.vjp @free(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y#1 : f64
}

func.func @scan(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = tensor.from_elements %x, %one : tensor<2xf64>
  %m = soac.scan ins(%t : tensor<2xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %q = arith.addf %a, %b : f64
    soac.yield %q : f64
  }
  %r = soac.map ins(%m : tensor<2xf64>) (%e: f64) -> tensor<2xf64> {
    %u = math.sqrt %e : f64
    soac.yield %u : f64
  }
  %s = tensor.extract %r[%c0] : tensor<2xf64>
  %p = arith.cmpf ogt, %x, %zero : f64
  %y = arith.select %p, %s, %x : f64
  return %y : f64
}
func.func @scan_vjp(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y:2 = ad.vjp @scan(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y#1 : f64
}

func.func @loop(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = scf.for %i = %c0 to %c2 step %c1 iter_args(%p0 = %x) -> f64 {
    %t = math.sqrt %p0 : f64
    scf.yield %t : f64
  }
  %p = arith.cmpf ogt, %x, %zero : f64
  %y = arith.select %p, %s, %x : f64
  return %y : f64
}
func.func @loop_vjp(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y:2 = ad.vjp @loop(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y#1 : f64
}

func.func @linalg(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = tensor.splat %x : tensor<3xf64>
  %e = tensor.empty() : tensor<3xf64>
  %l = linalg.sqrt ins(%t : tensor<3xf64>) outs(%e : tensor<3xf64>) -> tensor<3xf64>
  %s = tensor.extract %l[%c0] : tensor<3xf64>
  %p = arith.cmpf ogt, %x, %zero : f64
  %y = arith.select %p, %s, %x : f64
  return %y : f64
}
func.func @linalg_vjp(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y:2 = ad.vjp @linalg(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y#1 : f64
}

func.func @vector(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = vector.broadcast %x : f64 to vector<4xf64>
  %w = math.sqrt %v : vector<4xf64>
  %s = vector.reduction <add>, %w : vector<4xf64> into f64
  %p = arith.cmpf ogt, %x, %zero : f64
  %y = arith.select %p, %s, %x : f64
  return %y : f64
}
func.func @vector_vjp(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y:2 = ad.vjp @vector(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y#1 : f64
}

func.func @sincos(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = math.log %x : f64
  %s, %c = math.sincos %r : f64
  %p = arith.cmpf ogt, %x, %zero : f64
  %y = arith.select %p, %s, %x : f64
  return %y : f64
}
func.func @sincos_vjp(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y:2 = ad.vjp @sincos(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y#1 : f64
}

func.func @complex(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = math.sqrt %x : f64
  %z = complex.create %r, %r : complex<f64>
  %s = complex.abs %z : complex<f64>
  %p = arith.cmpf ogt, %x, %zero : f64
  %y = arith.select %p, %s, %x : f64
  return %y : f64
}
func.func @complex_vjp(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y:2 = ad.vjp @complex(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %y#1 : f64
}
