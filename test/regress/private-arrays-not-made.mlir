// The size of an array of each thread is computed in front of the kernel, where nobody may ask for it: it was divided by zero.
// RUN: %python %S/../driver/Inputs/npy.py %t.three.npy '<f8' '(3,)' 1 2 3
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// DEFINE: %{guarded} = ad-opt run %s --entry=guarded --input=%t.three.npy
// RUN: %{guarded} --input=12 --input=0 | FileCheck %s --check-prefix=ZEROS
// RUN: %{guarded} --input=12 --input=0 --target=gpu-emulate | FileCheck %s --check-prefix=ZEROS
// RUN: %{guarded} --input=12 --input=3 | FileCheck %s --check-prefix=FOURS
// RUN: %{guarded} --input=12 --input=3 --target=gpu-emulate | FileCheck %s --check-prefix=FOURS
// RUN: ad-opt run %s --entry=parts --input=%t.none.npy --input=12 --target=gpu-emulate | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=parts --input=%t.three.npy --input=12 --target=gpu-emulate | FileCheck %s --check-prefix=FOURS
// RUN: ad-opt run %s --entry=copies --input=%t.three.npy --input=%t.three.npy --input=3 --target=gpu-emulate | FileCheck %s --check-prefix=COPIES
// ZEROS: [0.0, 0.0, 0.0]
// FOURS: [4.0, 8.0, 12.0]
// COPIES: [3.0, 5.0, 7.0]
// NONE: {{^\[\] *$}}

// n / m times each element.
func.func @guarded(%x: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %is_some = arith.cmpi ne, %m, %c0 : index
  %y = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %is_positive = arith.cmpf ogt, %a, %zero : f64
    %c = arith.andi %is_positive, %is_some : i1
    %o = scf.if %c -> f64 {
      %k = arith.divui %n, %m : index
      %s = func.call @times(%a, %k) : (f64, index) -> f64
      scf.yield %s : f64
    } else {
      scf.yield %zero : f64
    }
    soac.yield %o : f64
  }
  return %y : tensor<?xf64>
}
func.func @parts(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %y = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %k = arith.divui %n, %size : index
    %s = func.call @times(%a, %k) : (f64, index) -> f64
    soac.yield %s : f64
  }
  return %y : tensor<?xf64>
}
func.func private @times(%a: f64, %k: index) -> f64 {
  %c1 = arith.constant 1 : index
  %t = tensor.splat %a[%k] : tensor<?xf64>
  %r = scf.for %j = %c1 to %k step %c1 iter_args(%w = %t) -> tensor<?xf64> {
    %i = arith.subi %j, %c1 : index
    %e = tensor.extract %w[%i] : tensor<?xf64>
    %d = arith.addf %e, %a : f64
    %v = tensor.insert %d into %w[%j] : tensor<?xf64>
    scf.yield %v : tensor<?xf64>
  }
  %l = arith.subi %k, %c1 : index
  %s = tensor.extract %r[%l] : tensor<?xf64>
  return %s : f64
}
// The size is that of another array, which is asked for in the kernel.
func.func @copies(%x: tensor<?xf64>, %b: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %y = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %r = scf.for %j = %c1 to %n step %c1 iter_args(%w = %b) -> tensor<?xf64> {
      %i = arith.subi %j, %c1 : index
      %e = tensor.extract %w[%i] : tensor<?xf64>
      %d = arith.addf %e, %a : f64
      %v = tensor.insert %d into %w[%j] : tensor<?xf64>
      scf.yield %v : tensor<?xf64>
    }
    %l = arith.subi %n, %c1 : index
    %s = tensor.extract %r[%l] : tensor<?xf64>
    soac.yield %s : f64
  }
  return %y : tensor<?xf64>
}
