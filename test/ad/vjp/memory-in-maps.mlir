// The body of a map that makes a buffer is a function, whose derivative each iteration calls [ZYG 3.2] (Z23).
// RUN: ad-opt %s --ad-differentiate --canonicalize --cse | FileCheck %s

func.func private @squares(%xs: tensor<?xf64>, %w: f64) -> tensor<?xf64> {
  %two = arith.constant 2.0 : f64
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %m = memref.alloc() : memref<f64>
    %p = arith.mulf %x, %w : f64
    memref.store %p, %m[] : memref<f64>
    %a = memref.load %m[] : memref<f64>
    %b = arith.mulf %a, %two : f64
    soac.yield %b : f64
  }
  return %ys : tensor<?xf64>
}

// CHECK: func.func private @squares.body(%{{.*}}: f64, %{{.*}}: f64) -> f64
// CHECK: memref.alloc() : memref<f64>
// CHECK-LABEL: func.func private @squares.vjp_0_1(
// CHECK-SAME: %[[XS:arg[0-9]+]]: tensor<?xf64>, %[[W:arg[0-9]+]]: f64, %[[BAR:arg[0-9]+]]: tensor<?xf64>
// CHECK: soac.map ins(%[[XS]] : tensor<?xf64>) (%[[X:arg[0-9]+]]: f64)
// CHECK-NEXT: call @squares.body(%[[X]], %[[W]]) : (f64, f64) -> f64
// CHECK: soac.map ins(%[[XS]], %[[BAR]] : tensor<?xf64>, tensor<?xf64>) (%[[X:arg[0-9]+]]: f64, %[[Y_BAR:arg[0-9]+]]: f64)
// CHECK: call @squares.body.vjp_0_1(%[[X]], %[[W]], %[[Y_BAR]]) : (f64, f64, f64) -> (f64, f64, f64)
// CHECK: func.func private @squares.body.vjp_0_1(
func.func @gradient(%xs: tensor<?xf64>, %w: f64, %bar: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %r:3 = ad.vjp @squares(%xs, %w) seed(%bar) : (tensor<?xf64>, f64), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, f64)
  return %r#1, %r#2 : tensor<?xf64>, f64
}
