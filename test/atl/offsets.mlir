// What is called a size may be negative, such as the distance of a shift: a check that an index is
// not below zero stays.
// RUN: ad-opt %s --atl-simplify | FileCheck %s
// RUN: ad-opt run %s --entry=shifted --input=-1 | FileCheck %s --check-prefix=BACK
// RUN: ad-opt run %s --entry=shifted --input=2 | FileCheck %s --check-prefix=AHEAD

// BACK: [0.0, 1.0, 2.0, 3.0]
// AHEAD: [3.0, 4.0, 0.0, 0.0]
func.func @shifted(%k: index) -> tensor<4xf64> {
  %xs = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %y = call @shift(%xs, %k) : (tensor<4xf64>, index) -> tensor<4xf64>
  return %y : tensor<4xf64>
}

// CHECK-LABEL: func.func private @shift(
// CHECK: atl.compare 0 <= %{{[^ ]*}} + %{{[^ ]*}}{{$}}
// CHECK: atl.access
func.func private @shift(%x: tensor<4xf64>, %k: index) -> tensor<4xf64> {
  %n = arith.constant 4 : index
  %y = atl.gen (%i in %n) -> tensor<4xf64> {
    %p = atl.compare 0 <= %i + %k
    %q = atl.compare %i + %k < 4
    %r = arith.andi %p, %q : i1
    %e = atl.bracket %r -> f64 {
      %t = atl.access %x[%i + %k] : tensor<4xf64>
      atl.yield %t : f64
    }
    atl.yield %e : f64
  }
  return %y : tensor<4xf64>
}
