// A loop whose number of iterations depends on what it computes [Z18].
// RUN: cat %S/Inputs/newton.c.mlir %S/Inputs/newton.f90.mlir %S/Inputs/buffers.mlir %s > %t.mlir
// RUN: ad-opt check %t.mlir --entry=c --input=2.2
// RUN: ad-opt check %t.mlir --entry=fortran --input=2.2
// RUN: ad-opt check %t.mlir --entry=c --input=2.2 --engine=interpreter
// RUN: ad-opt check %t.mlir --entry=fortran --input=2.2 --engine=interpreter

func.func @c(%a: f64) -> f64 {
  %tolerance = arith.constant 1.0e-12 : f64
  %f = call @newton(%a, %tolerance) : (f64, f64) -> f64
  return %f : f64
}

func.func @fortran(%a: f64) -> f64 {
  %tolerance = arith.constant 1.0e-12 : f64
  %a_m = call @number(%a) : (f64) -> memref<f64>
  %tolerance_m = call @number(%tolerance) : (f64) -> memref<f64>
  %f = call @_QPnewton(%a_m, %tolerance_m) : (memref<f64>, memref<f64>) -> f64
  memref.dealloc %a_m : memref<f64>
  memref.dealloc %tolerance_m : memref<f64>
  return %f : f64
}
