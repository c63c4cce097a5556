// The reference interpreter runs the tensor language as it is written, and derivatives in it before
// they are lowered [ATL Figures 4 and 5]; what has no value is said where it is (T16, T17).
// RUN: ad-opt check %s --entry=f --input=0.5 --input=-1.25 --input=2 --engine=interpreter | FileCheck %s
// RUN: ad-opt check %s --entry=f --input=0.5 --input=-1.25 --input=2 | FileCheck %s
// RUN: not ad-opt check %s --entry=f --input=0.5 --input=-1.25 --input=3 --engine=interpreter 2>&1 | FileCheck %s --check-prefix=FAULT

// CHECK:      0 f64 {{.*}} ok
// CHECK-NEXT: 1 f64 {{.*}} ok
// CHECK-NEXT: results unchanged {{.*}} ok
func.func @f(%a: f64, %b: f64, %n: index) -> (f64, tensor<?xf64>) {
  %x = tensor.from_elements %a, %b : tensor<2xf64>
  %y, %z = call @products(%x, %n) : (tensor<2xf64>, index) -> (f64, tensor<?xf64>)
  return %y, %z : f64, tensor<?xf64>
}

// Points (x, x sin x), of which one after the other, zero after the last, is multiplied.
!point = !atl.pair<f64, f64>
func.func private @products(%x: tensor<2xf64>, %n: index) -> (f64, tensor<?xf64>) {
  %points = atl.gen (%i in %n) -> tensor<?x!point> {
    // FAULT: interpreted.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'atl.access' op index 2 is out of bounds for dimension 0 of size 2
    %a = atl.access %x[%i] : tensor<2xf64>
    %s = math.sin %a : f64
    %b = arith.mulf %a, %s : f64
    %point = atl.pair %a, %b : f64, f64
    atl.yield %point : !point
  }
  %z = atl.gen (%i in %n) -> tensor<?xf64> {
    %p = atl.compare %i + 1 < %n
    %next = atl.bracket %p -> !point {
      %point = atl.access %points[%i + 1] : tensor<?x!point>
      atl.yield %point : !point
    }
    %own = atl.access %points[%i] : tensor<?x!point>
    %c = atl.project %next[0] : !point
    %d = atl.project %own[1] : !point
    %e = arith.mulf %c, %d : f64
    atl.yield %e : f64
  }
  %y = atl.sum (%i in %n) -> f64 {
    %point = atl.access %points[%i] : tensor<?x!point>
    %b = atl.project %point[1] : !point
    atl.yield %b : f64
  }
  return %y, %z : f64, tensor<?xf64>
}
