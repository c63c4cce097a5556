// Derivatives of derivatives of functions that write to memory: shadows are buffers like any other, and have shadows
// [Z21, Z24].
// RUN: ad-opt check %s --entry=gradient --input=0.7 --input=3
// RUN: ad-opt check %s --entry=gradient --input=0.7 --input=3 --engine=interpreter
// RUN: ad-opt check %s --entry=tangent --input=0.7 --input=3
// RUN: ad-opt check %s --entry=straight --input=0.7 --engine=interpreter
// RUN: ad-opt check %s --entry=straight --input=0.7

func.func @recurrence(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xf64>
  linalg.fill ins(%x : f64) outs(%m : memref<2xf64>)
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %m[%c0] : memref<2xf64>
    %b = memref.load %m[%c1] : memref<2xf64>
    %ab = arith.mulf %a, %b : f64
    %s = math.sin %ab : f64
    memref.store %s, %m[%c0] : memref<2xf64>
    %t = arith.addf %a, %b : f64
    memref.store %t, %m[%c1] : memref<2xf64>
  }
  %y = memref.load %m[%c0] : memref<2xf64>
  memref.dealloc %m : memref<2xf64>
  return %y : f64
}

func.func @gradient(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @recurrence(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %x_bar : f64
}

func.func @tangent(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %y_dot = ad.jvp @recurrence(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %y_dot : f64
}

func.func @cube(%x: f64) -> f64 {
  %m = memref.alloca() : memref<f64>
  memref.store %x, %m[] : memref<f64>
  %a = memref.load %m[] : memref<f64>
  %aa = arith.mulf %a, %a : f64
  memref.store %aa, %m[] : memref<f64>
  %b = memref.load %m[] : memref<f64>
  %c = arith.mulf %b, %a : f64
  return %c : f64
}

func.func @straight(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @cube(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
