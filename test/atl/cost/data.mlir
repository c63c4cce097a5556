// Where data decide, a cost is counted from above: once for each tuple that has a number (T21, T45).
// RUN: ad-opt %s --atl-cost --remarks-filter-analyse=atl-cost -o /dev/null 2>&1 | FileCheck %s
// RUN: ad-opt %s --atl-cost=sizes=5,3 --remarks-filter-analyse=atl-cost -o /dev/null 2>&1 \
// RUN:     | FileCheck %s --check-prefix=SIZES

// CHECK: func.func | Category:atl-cost | cost="at most 2*n0", n0="dimension 0 of argument 2"
// CHECK: atl.sum | Category:atl-cost | cost="at most 2*n0"
// CHECK: arith.mulf | Category:atl-cost | cost="at most n0"
// SIZES: func.func | Category:atl-cost | cost="at most 10"
func.func @sparse(%rows: tensor<?xindex>, %columns: tensor<?xindex>, %values: tensor<?xf64>, %x: tensor<?xf64>, %m: index) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %count = tensor.dim %values, %zero : tensor<?xf64>
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %y = atl.gen (%i in %m) -> tensor<?xf64> {
    %s = atl.sum (%j in %n, %k in %count) -> f64 {
      %q = atl.member (%rows, %columns)[%i, %j] at %k : tensor<?xindex>, tensor<?xindex>
      %t = atl.bracket %q -> f64 {
        %v = atl.access %values[%k] : tensor<?xf64>
        %e = atl.access %x[%j] : tensor<?xf64>
        %p = arith.mulf %v, %e : f64
        atl.yield %p : f64
      }
      atl.yield %t : f64
    }
    atl.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// A mask may be true everywhere.
// CHECK: func.func | Category:atl-cost | cost="at most 2*n0 - 1"
// SIZES: func.func | Category:atl-cost | cost="at most 9"
func.func @masked(%mask: tensor<?xi1>, %x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %s = atl.sum (%i in %n) -> f64 {
    %q = atl.member %mask[%i] : tensor<?xi1>
    %t = atl.bracket %q -> f64 {
      %e = atl.access %x[%i] : tensor<?xf64>
      %f = math.exp %e : f64
      atl.yield %f : f64
    }
    atl.yield %t : f64
  }
  return %s : f64
}

// A function with other operations, too, is passed over (T47).
// RUN: ad-opt %s --atl-cost --remarks-filter-missed=atl-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: Category:atl-cost | Reason="'arith.cmpf' is no operation of the tensor language
func.func @mixed(%x: tensor<?xf64>, %n: index) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = atl.sum (%i in %n) -> f64 {
    %e = atl.access %x[%i] : tensor<?xf64>
    atl.yield %e : f64
  }
  %is_positive = arith.cmpf ogt, %s, %zero : f64
  %y = arith.select %is_positive, %s, %zero : f64
  return %y : f64
}
