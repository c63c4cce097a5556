// futhark#1604, #2228: two adjoints were one array, and an update of the first changed the second.
// An array is returned twice, carried twice by a loop that writes to both, and yielded by both branches.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(3,)' 1 2 3
// RUN: %python %S/../driver/Inputs/npy.py %t.u.npy '<f8' '(3,)' 10 20 30
// RUN: ad-opt run %s --entry=returned_twice --input=%t.npy --input=%t.u.npy | FileCheck %s --check-prefix=TWICE
// RUN: ad-opt run %s --entry=carried_twice --input=%t.npy | FileCheck %s --check-prefix=CARRIED
// RUN: ad-opt check %s --entry=same --input=%t.npy
// RUN: ad-opt check %s --entry=loop --input=%t.npy
// RUN: ad-opt check %s --entry=branches --input=%t.npy --input=true
// RUN: ad-opt check %s --entry=branches --input=%t.npy --input=false

func.func @same(%xs: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.mulf %x, %x : f64
    soac.yield %y : f64
  }
  return %ys, %ys : tensor<?xf64>, tensor<?xf64>
}
// 2 x (u + x), and the seeds themselves are as they were.
// TWICE: [22.0, 88.0, 198.0]
// TWICE-NEXT: [10.0, 20.0, 30.0]
func.func @returned_twice(%xs: tensor<?xf64>, %u: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @same(%xs) seed(%u, %xs) : (tensor<?xf64>), (tensor<?xf64>, tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#2, %u : tensor<?xf64>, tensor<?xf64>
}

// a[0] = a[0] b[1] and b[1] = a[0] + b[1], both from the same array, twice.
func.func @loop(%xs: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %as, %bs = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %xs, %b = %xs)
      -> (tensor<?xf64>, tensor<?xf64>) {
    %a0 = tensor.extract %a[%c0] : tensor<?xf64>
    %b1 = tensor.extract %b[%c1] : tensor<?xf64>
    %product = arith.mulf %a0, %b1 : f64
    %sum = arith.addf %a0, %b1 : f64
    %new_a = tensor.insert %product into %a[%c0] : tensor<?xf64>
    %new_b = tensor.insert %sum into %b[%c1] : tensor<?xf64>
    scf.yield %new_a, %new_b : tensor<?xf64>, tensor<?xf64>
  }
  return %as, %bs : tensor<?xf64>, tensor<?xf64>
}
// After one step (p, q) = (x0 x1, x0 + x1), after two (p q, p + q). With seeds one everywhere, at
// (1, 2, 3): d/dx0 = (p q + p + q)' = 2 x0 x1 + x1^2 + x1 + 1 = 11, d/dx1 = x0^2 + 2 x0 x1 + x0 + 1 = 7;
// element 0 of b and element 1 of a are untouched, which adds one to each; element 2 of both gives 2.
// CARRIED: [12.0, 8.0, 2.0]
func.func @carried_twice(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %ones = tensor.splat %one[%n] : tensor<?xf64>
  %r:3 = ad.vjp @loop(%xs) seed(%ones, %ones) : (tensor<?xf64>), (tensor<?xf64>, tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#2 : tensor<?xf64>
}

func.func @branches(%xs: tensor<?xf64>, %which: i1) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %x0 = tensor.extract %xs[%c0] : tensor<?xf64>
  %a, %b = scf.if %which -> (tensor<?xf64>, tensor<?xf64>) {
    scf.yield %xs, %xs : tensor<?xf64>, tensor<?xf64>
  } else {
    %square = arith.mulf %x0, %x0 : f64
    %new = tensor.insert %square into %xs[%c0] : tensor<?xf64>
    scf.yield %new, %xs : tensor<?xf64>, tensor<?xf64>
  }
  return %a, %b : tensor<?xf64>, tensor<?xf64>
}
