// The normal forms cost no more than the program (T25, T27, T34), and reverse derivatives at most four
// times as much as a program with its inputs and results (T42).
// RUN: ad-opt %s --atl-cost --remarks-filter-analyse=atl-cost -o /dev/null 2>&1 \
// RUN:     | FileCheck %s
// RUN: ad-opt %s --atl-to-ssa --atl-cost --remarks-filter-analyse=atl-cost -o /dev/null 2>&1 \
// RUN:     | FileCheck %s
// RUN: ad-opt %s --ad-generate="function=loss mode=vjp name=gradient" --ad-differentiate \
// RUN:     --atl-cost --remarks-filter-analyse=atl-cost -o /dev/null 2>&1 \
// RUN:     | FileCheck %s --check-prefixes=CHECK,REVERSE

// CHECK: func.func | Category:atl-cost | cost="3*n0 - 1", n0=
// REVERSE: func.func | Category:atl-cost | cost="7*n0 - 1", n0=
func.func @loss(%x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %s = atl.sum (%i in %n) -> f64 {
    %e = atl.access %x[%i] : tensor<?xf64>
    %f = math.sin %e : f64
    %p = arith.mulf %f, %f : f64
    atl.yield %p : f64
  }
  return %s : f64
}

// A matrix that is zero but on its diagonal costs as much as its diagonal, also where row and column
// are multiplied and where it has several traces (T01, T02).
// RUN: ad-opt %S/../diag.mlir --ad-differentiate --atl-cost --remarks-filter-analyse=atl-cost \
// RUN:     -o /dev/null 2>&1 | FileCheck %s --check-prefix=DIAG
// DIAG: func.func | Category:atl-cost | cost="3*n0 - 1",
// DIAG: func.func | Category:atl-cost | cost="2*n0 - 1",
// DIAG: func.func | Category:atl-cost | cost="n0 + 6",
// DIAG: func.func | Category:atl-cost | cost="n0 + 1",

// A product with a sparse matrix costs what its tuples are, n0 of them, and its rows, n2 (T45).
// RUN: ad-opt %S/../sparse.mlir --ad-differentiate --atl-cost --remarks-filter-analyse=atl-cost \
// RUN:     -o /dev/null 2>&1 | FileCheck %s --check-prefix=SPARSE
// SPARSE: func.func | Category:atl-cost | cost="at most 2*n0 + 2*n2 - 1",
// SPARSE: func.func | Category:atl-cost | cost="at most 6*n0 + 4*n2 - 1",

// The convolution of 6 with 3 elements has 4 results of 3 products each. Each derivative has as many
// products, added up to 6 elements and to 3: 20 + (12 + 6) + (12 + 9) (T06, T09).
// RUN: ad-opt %S/../convolution.mlir --ad-differentiate --atl-cost=sizes=6,3,4,4 \
// RUN:     --remarks-filter-analyse=atl-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=CONVOLUTION
// CONVOLUTION: func.func | Category:atl-cost | cost=20
// CONVOLUTION: func.func | Category:atl-cost | cost=59
