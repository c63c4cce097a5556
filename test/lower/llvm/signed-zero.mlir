// The larger of two zeros is the positive one, the smaller the negative one, in either order.
// RUN: ad-opt run %s --entry=larger --input=3 | FileCheck %s --check-prefix=LARGER
// RUN: ad-opt run %s --entry=smaller --input=3 | FileCheck %s --check-prefix=SMALLER

// LARGER: {{^}}[0.0, 1.0, 2.0]
func.func @larger(%n: index) -> tensor<?xf64> {
  %zero = arith.constant -0.0 : f64
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i64
    %x = arith.sitofp %k : i64 to f64
    %y = arith.maximumf %zero, %x : f64
    tensor.yield %y : f64
  } : tensor<?xf64>
  return %r : tensor<?xf64>
}

// SMALLER: {{^}}[-0.0, -0.0, -0.0]
func.func @smaller(%n: index) -> tensor<?xf64> {
  %zero = arith.constant -0.0 : f64
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i64
    %x = arith.sitofp %k : i64 to f64
    %y = arith.minimumf %x, %zero : f64
    tensor.yield %y : f64
  } : tensor<?xf64>
  return %r : tensor<?xf64>
}
