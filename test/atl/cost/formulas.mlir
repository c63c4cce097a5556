// What functions cost as formulas in their sizes, and what their operations cost with all that is in
// them (T21).
// RUN: ad-opt %s --atl-cost --remarks-filter-analyse=atl-cost -o /dev/null 2>&1 | FileCheck %s
// RUN: ad-opt %s --atl-cost=sizes=4,8 --remarks-filter-analyse=atl-cost -o /dev/null 2>&1 \
// RUN:     | FileCheck %s --check-prefix=SIZES

// A sum of n1 products takes n1 multiplications and n1 - 1 additions, n0 times [ATL 4.25, 4.29, 4.30].
// CHECK: [[# @LINE + 10]]:1: remark: [Analysis] func.func | Category:atl-cost | cost="2*n0*n1 - n0", n0="dimension 0 of argument 0", n1="dimension 1 of argument 0", n2="dimension 0 of argument 1"
// CHECK: remark: [Analysis] atl.gen | Category:atl-cost | cost="2*n0*n1 - n0"
// CHECK: remark: [Analysis] atl.sum | Category:atl-cost | cost="2*n0*n1 - n0"
// CHECK: remark: [Analysis] arith.mulf | Category:atl-cost | cost=n0*n1
// CHECK-NOT: atl.access
// SIZES: remark: [Analysis] func.func | Category:atl-cost | cost=60, n2=
// SIZES: remark: [Analysis] atl.gen | Category:atl-cost | cost=60
// SIZES: remark: [Analysis] atl.sum | Category:atl-cost | cost=60
// SIZES: remark: [Analysis] arith.mulf | Category:atl-cost | cost=32

func.func @matvec(%a: tensor<?x?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf64>
  %m = tensor.dim %a, %c1 : tensor<?x?xf64>
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    %s = atl.sum (%j in %m) -> f64 {
      %aij = atl.access %a[%i, %j] : tensor<?x?xf64>
      %xj = atl.access %x[%j] : tensor<?xf64>
      %p = arith.mulf %aij, %xj : f64
      atl.yield %p : f64
    }
    atl.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// Static sizes, a difference, which is an addition of a product, and what is computed once although it
// is used twice [ATL 4.24, 4.26, 4.32].
// CHECK: func.func | Category:atl-cost | cost=12{{$}}
// CHECK: atl.gen | Category:atl-cost | cost=12
// CHECK: math.exp | Category:atl-cost | cost=3
// CHECK: arith.mulf | Category:atl-cost | cost=3
// CHECK: arith.subf | Category:atl-cost | cost=6
func.func @static(%x: tensor<3xf64>) -> tensor<3xf64> {
  %n = arith.constant 3 : index
  %y = atl.gen (%i in %n) -> tensor<3xf64> {
    %e = atl.access %x[%i] : tensor<3xf64>
    %f = math.exp %e : f64
    %q = arith.mulf %f, %f : f64
    %d = arith.subf %q, %e : f64
    atl.yield %d : f64
  }
  return %y : tensor<3xf64>
}

// Pairs cost what is in them, and a call of a function one [ATL 4.26, 4.27, 4.28].
// CHECK: func.func | Category:atl-cost | cost=2*n0, n0="argument 1"
// CHECK: atl.gen | Category:atl-cost | cost=2*n0
// CHECK: func.call | Category:atl-cost | cost=n0
// CHECK: arith.mulf | Category:atl-cost | cost=n0
func.func private @black_box(f64, f64) -> f64
func.func @pairs(%a: f64, %n: index) -> tensor<?x!atl.pair<f64, f64>> {
  %y = atl.gen (%i in %n) -> tensor<?x!atl.pair<f64, f64>> {
    %f = func.call @black_box(%a, %a) : (f64, f64) -> f64
    %q = arith.mulf %a, %a : f64
    %p = atl.pair %f, %q : f64, f64
    atl.yield %p : !atl.pair<f64, f64>
  }
  return %y : tensor<?x!atl.pair<f64, f64>>
}
