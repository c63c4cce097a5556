// Gradients of C and Fortran, whose loops count with variables on the stack, are on an emulated GPU what they are on the CPU
// [Z18] (F57).
// RUN: cat %S/Inputs/heat.c.mlir %S/Inputs/heat.f90.mlir %S/Inputs/buffers.mlir %S/heat.mlir %s > %t.mlir
// DEFINE: %{random} = %python %root/test/bench/Inputs/random_npy.py
// RUN: %{random} %t.u.npy '<f8' '(700,)' 0.1 0.5 1 && %{random} %t.v.npy '<f8' '(700,)' 0.1 0.5 2
// DEFINE: %{entry} = c_gradient
// DEFINE: %{run} = ad-opt run %t.mlir --entry=%{entry} --input=%t.u.npy --input=%t.v.npy --input=700 --input=3 --input=0.2
// DEFINE: %{both} = %{run} > %t.cpu && %{run} --target=gpu-emulate > %t.gpu && \
// DEFINE:           %python %root/test/bench/Inputs/compare.py %t.cpu %t.gpu 1e-13
// RUN: %{both}
// REDEFINE: %{entry} = fortran_gradient
// RUN: %{both}

func.func @c_gradient(%u: tensor<?xf64>, %v: tensor<?xf64>, %n: i32, %steps: i32, %k: f64) -> tensor<?xf64> {
  %r:2 = ad.vjp @c(%u, %v, %n, %steps, %k) seed(%v) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<?xf64>, i32, i32, f64), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func @fortran_gradient(%u: tensor<?xf64>, %v: tensor<?xf64>, %n: i32, %steps: i32, %k: f64) -> tensor<?xf64> {
  %r:2 = ad.vjp @fortran(%u, %v, %n, %steps, %k) seed(%v) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<?xf64>, i32, i32, f64), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
