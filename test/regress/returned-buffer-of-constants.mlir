// Forward mode took the tangent of a buffer that a callee returns for a scalar zero if nothing was written to the buffer in
// the callee that varies; now the buffer has tangents, because the caller may write to it, by any of its names.
// RUN: ad-opt check %s --entry=constants --input=0.7
// RUN: ad-opt check %s --entry=both_names --input=0.7
// RUN: ad-opt check %s --entry=both_names --input=0.7 --engine=interpreter

func.func private @number(%x: f64) -> memref<f64> {
  %m = memref.alloc() : memref<f64>
  memref.store %x, %m[] : memref<f64>
  return %m : memref<f64>
}

func.func private @product(%a: memref<f64>, %b: memref<f64>) -> f64 {
  %x = memref.load %a[] : memref<f64>
  %y = memref.load %b[] : memref<f64>
  %z = arith.mulf %x, %y : f64
  memref.store %z, %b[] : memref<f64>
  return %z : f64
}

func.func @constants(%x: f64) -> f64 {
  %two = arith.constant 2.0 : f64
  %a = call @number(%x) : (f64) -> memref<f64>
  %b = call @number(%two) : (f64) -> memref<f64>
  %y = call @product(%a, %b) : (memref<f64>, memref<f64>) -> f64
  %z = call @product(%a, %b) : (memref<f64>, memref<f64>) -> f64
  memref.dealloc %a : memref<f64>
  memref.dealloc %b : memref<f64>
  %s = arith.addf %y, %z : f64
  return %s : f64
}

func.func private @twice() -> (memref<f64>, memref<f64>) {
  %zero = arith.constant 0.0 : f64
  %m = memref.alloc() : memref<f64>
  memref.store %zero, %m[] : memref<f64>
  return %m, %m : memref<f64>, memref<f64>
}

func.func @both_names(%x: f64) -> f64 {
  %a, %b = call @twice() : () -> (memref<f64>, memref<f64>)
  memref.store %x, %a[] : memref<f64>
  %y = memref.load %b[] : memref<f64>
  %z = arith.mulf %y, %y : f64
  memref.dealloc %a : memref<f64>
  return %z : f64
}
