// A list of tuples whose arrays have different sizes is an error when it runs, in derivatives, too (C2 of atl.member, T17).
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/../driver/Inputs/npy.py %t/three.npy '<i8' '(3,)' 0 1 1
// RUN: %python %S/../driver/Inputs/npy.py %t/two.npy '<i8' '(2,)' 1 0
// RUN: %python %S/../driver/Inputs/npy.py %t/x.npy '<f8' '(2,)' 3 5
// RUN: ad-opt run %s --entry=total --input=%t/three.npy --input=%t/three.npy --input=%t/x.npy | FileCheck %s
// RUN: ad-opt run %s --entry=gradient --input=%t/three.npy --input=%t/three.npy --input=%t/x.npy | FileCheck %s --check-prefix=GRADIENT
// RUN: not ad-opt run %s --entry=total --input=%t/three.npy --input=%t/two.npy --input=%t/x.npy 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not ad-opt run %s --entry=gradient --input=%t/three.npy --input=%t/two.npy --input=%t/x.npy 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not ad-opt run %s --entry=total --input=%t/two.npy --input=%t/three.npy --input=%t/x.npy --target=gpu-emulate 2>&1 | FileCheck %s --check-prefix=SIZES

// x_0 x_0 + 2 x_1 x_1: tuples of a list with numbers count as often as they are there.
// CHECK: {{^}}59.0{{$}}
// GRADIENT: {{^}}[6.0, 20.0]{{$}}
// SIZES: sizes do not match: dimension 0 of argument 0 and dimension 0 of argument 1 have to be equal
func.func @total(%rows: tensor<?xi64>, %columns: tensor<?xi64>, %x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %tuples = tensor.dim %rows, %c0 : tensor<?xi64>
  %s = atl.sum (%i in %n, %j in %n, %k in %tuples) -> f64 {
    %p = atl.member (%rows, %columns)[%i, %j] at %k : tensor<?xi64>, tensor<?xi64>
    %e = atl.bracket %p -> f64 {
      %a = atl.access %x[%i] : tensor<?xf64>
      %b = atl.access %x[%j] : tensor<?xf64>
      %product = arith.mulf %a, %b : f64
      atl.yield %product : f64
    }
    atl.yield %e : f64
  }
  return %s : f64
}

func.func @gradient(%rows: tensor<?xi64>, %columns: tensor<?xi64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @total(%rows, %columns, %x) seed(%one)
      : (tensor<?xi64>, tensor<?xi64>, tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}
