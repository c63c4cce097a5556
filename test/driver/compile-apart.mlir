// Arrays that an entry takes, allocates and returns are known to be apart: a loop that reads from one of them at places
// that it looks up, so that there are no ends to be compared, runs on vectors. Two arguments may be the same array.
// RUN: ad-opt compile %s --cpu=x86-64-v4 -o %t.o
// RUN: llvm-objdump -d %t.o | FileCheck %s
// RUN: %python %S/Inputs/npy.py %t.at.npy '<i8' '(4,)' 2 0 2 -1
// RUN: %python %S/Inputs/npy.py %t.v.npy '<f8' '(4,)' 2 4 8 16
// RUN: ad-opt run %s --entry=shares --input=%t.at.npy --input=%t.v.npy --input=%t.v.npy --input=3 | FileCheck %s --check-prefix=VALUES

// CHECK: vgatherqpd
// CHECK: vdivpd
// VALUES: [8.0, 1.0, 2.0, 0.0]
func.func @shares(%at: tensor<?xi64>, %v: tensor<?xf64>, %w: tensor<?xf64>, %m: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %ones = tensor.splat %one[%m] : tensor<?xf64>
  %products = soac.hist at(%at : tensor<?xi64>) ins(%v : tensor<?xf64>) into(%ones : tensor<?xf64>)
      neutral(%one : f64) (%l: f64, %r: f64) {
    %p = arith.mulf %l, %r : f64
    soac.yield %p : f64
  }
  %shares = soac.map ins(%at, %w : tensor<?xi64>, tensor<?xf64>) (%b: i64, %x: f64) -> tensor<?xf64> {
    %i = arith.index_cast %b : i64 to index
    %inside = arith.cmpi ult, %i, %m : index
    %share = scf.if %inside -> f64 {
      %p = tensor.extract %products[%i] : tensor<?xf64>
      %q = arith.divf %p, %x : f64
      scf.yield %q : f64
    } else {
      scf.yield %zero : f64
    }
    soac.yield %share : f64
  }
  return %shares : tensor<?xf64>
}
