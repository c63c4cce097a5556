// The sizes of rows are computed before the loop, without running an empty loop's body.
// RUN: ad-opt %s --lower-soac-to-loops --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @shrink
// CHECK: %[[M:[a-zA-Z0-9_]+]] = tensor.dim %{{.*}}, %c1
// CHECK: %[[K:[a-zA-Z0-9_]+]] = arith.subi %[[M]], %c1
// CHECK: tensor.empty(%{{.*}}, %[[K]])
// CHECK: scf.for
func.func @shrink(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c1 = arith.constant 1 : index
  %r = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %row, %c0 : tensor<?xf64>
    %m = arith.subi %n, %c1 : index
    %s = tensor.extract_slice %row[1] [%m] [1] : tensor<?xf64> to tensor<?xf64>
    soac.yield %s : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @branch
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1, %[[N:[a-z0-9]+]]: index
// CHECK: %[[M:[a-zA-Z0-9_]+]] = arith.select %[[C]], %{{.*}}, %[[N]]
// CHECK: tensor.empty(%{{.*}}, %[[M]])
func.func @branch(%x: tensor<?x?xf64>, %c: i1, %k: index) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %r = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    %y = scf.if %c -> tensor<?xf64> {
      scf.yield %row : tensor<?xf64>
    } else {
      %f = tensor.splat %zero[%k] : tensor<?xf64>
      scf.yield %f : tensor<?xf64>
    }
    soac.yield %y : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}

// What must not run for an empty loop is guarded.
// CHECK-LABEL: func.func @guarded
// CHECK: %[[SOME:[a-zA-Z0-9_]+]] = arith.cmpi sgt, %{{.*}}, %c0
// CHECK: scf.if %[[SOME]] -> (index)
// CHECK-NEXT: tensor.extract
// CHECK: scf.if %[[SOME]] -> (index)
// CHECK-NEXT: arith.divui
// CHECK: scf.for
func.func @guarded(%x: tensor<?xf64>, %sizes: tensor<?xindex>, %d: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %r = soac.map ins(%x : tensor<?xf64>) (%v: f64) -> tensor<?x?xf64> {
    %s = tensor.extract %sizes[%c0] : tensor<?xindex>
    %n = arith.divui %s, %d : index
    %f = soac.replicate %v, %n : f64 -> tensor<?xf64>
    soac.yield %f : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}

// A loop that keeps the size of what it carries.
// CHECK-LABEL: func.func @loop
// CHECK: tensor.empty(%{{.*}}, %{{.*}}) : tensor<?x?xf64>
// CHECK-NOT: tensor.empty
// CHECK: return
func.func @loop(%x: tensor<?x?xf64>, %t: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    %y = scf.for %i = %c0 to %t step %c1 iter_args(%z = %row) -> tensor<?xf64> {
      %w = soac.map ins(%z : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
        %b = arith.addf %a, %a : f64
        soac.yield %b : f64
      }
      scf.yield %w : tensor<?xf64>
    }
    soac.yield %y : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}

// The same of a while loop, where a reduction gives back the size of its neutral element.
// CHECK-LABEL: func.func @while
// CHECK-SAME: %[[N:[a-zA-Z0-9_]+]]: index
// CHECK: tensor.empty(%{{.*}}, %[[N]]) : tensor<?x?xf64>
// CHECK: return
func.func @while(%x: tensor<?xf64>, %n: index) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %nine = arith.constant 9.0 : f64
  %c3 = arith.constant 3 : index
  %zeros = tensor.splat %zero[%n] : tensor<?xf64>
  %r = soac.map ins(%x : tensor<?xf64>) (%v: f64) -> tensor<?x?xf64> {
    %start = soac.replicate %v, %n : f64 -> tensor<?xf64>
    %y:2 = scf.while (%a = %v, %row = %start) : (f64, tensor<?xf64>) -> (f64, tensor<?xf64>) {
      %more = arith.cmpf olt, %a, %nine : f64
      scf.condition(%more) %a, %row : f64, tensor<?xf64>
    } do {
    ^bb0(%a: f64, %row: tensor<?xf64>):
      %rows = soac.replicate %row, %c3 : tensor<?xf64> -> tensor<?x?xf64>
      %sums = soac.reduce ins(%rows : tensor<?x?xf64>) neutral(%zeros : tensor<?xf64>) (%p: tensor<?xf64>, %q: tensor<?xf64>) {
        %t = soac.map ins(%p, %q : tensor<?xf64>, tensor<?xf64>) (%c: f64, %d: f64) -> tensor<?xf64> {
          %e = arith.addf %c, %d : f64
          soac.yield %e : f64
        }
        soac.yield %t : tensor<?xf64>
      }
      %b = arith.addf %a, %nine : f64
      scf.yield %b, %sums : f64, tensor<?xf64>
    }
    soac.yield %y#1 : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}

// The cases of a switch yield rows of one size.
// CHECK-LABEL: func.func @switch
// CHECK-SAME: %[[N:[a-zA-Z0-9_]+]]: index
// CHECK: tensor.empty(%{{.*}}, %[[N]]) : tensor<?x?xf64>
// CHECK: return
func.func @switch(%x: tensor<?xindex>, %n: index, %v: f64, %w: f64) -> tensor<?x?xf64> {
  %r = soac.map ins(%x : tensor<?xindex>) (%i: index) -> tensor<?x?xf64> {
    %row = scf.index_switch %i -> tensor<?xf64>
    case 0 {
      %y = soac.replicate %v, %n : f64 -> tensor<?xf64>
      scf.yield %y : tensor<?xf64>
    }
    default {
      %y = soac.replicate %w, %n : f64 -> tensor<?xf64>
      scf.yield %y : tensor<?xf64>
    }
    soac.yield %row : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}

// A loop whose rows are of one size if two arguments are, which is checked in front of the map.
// CHECK-LABEL: func.func @assumed
// CHECK: %[[SAME:[a-zA-Z0-9_]+]] = arith.cmpi eq
// CHECK: %[[FINE:[a-zA-Z0-9_]+]] = arith.ori %{{.*}}, %[[SAME]]
// CHECK: cf.assert %[[FINE]], "the rows of a soac.map have different sizes; give all rows one size"
// CHECK: scf.for
// CHECK: return
func.func @assumed(%x: tensor<?x?xf64>, %y: tensor<?xf64>, %t: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    %z = scf.for %i = %c0 to %t step %c1 iter_args(%a = %row) -> tensor<?xf64> {
      %b = soac.map ins(%y : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
        %w = tensor.extract %a[%c0] : tensor<?xf64>
        %u = arith.mulf %v, %w : f64
        soac.yield %u : f64
      }
      scf.yield %b : tensor<?xf64>
    }
    soac.yield %z : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}

// The outputs of a parallel loop, and a reshaped array.
// CHECK-LABEL: func.func @forall
// CHECK-SAME: %[[N:[a-zA-Z0-9_]+]]: index
// CHECK: %[[EMPTY:[a-zA-Z0-9_]+]] = tensor.empty(%{{.*}}, %[[N]]) : tensor<?x?xf64>
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %[[EMPTY]], %{{.*}} = %[[EMPTY]])
// CHECK: return
func.func @forall(%x: tensor<?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %r:2 = soac.map ins(%x : tensor<?xf64>) (%v: f64) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
    %out = tensor.empty(%n) : tensor<?xf64>
    %row = scf.forall (%i) in (%n) shared_outs(%o = %out) -> (tensor<?xf64>) {
      %e = tensor.from_elements %v : tensor<1xf64>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf64> into tensor<?xf64>
      }
    }
    %shape = tensor.from_elements %n : tensor<1xindex>
    %again = tensor.reshape %row(%shape) : (tensor<?xf64>, tensor<1xindex>) -> tensor<?xf64>
    soac.yield %row, %again : tensor<?xf64>, tensor<?xf64>
  }
  return %r#0, %r#1 : tensor<?x?xf64>, tensor<?x?xf64>
}

// An element of a shape that is there before the loop.
// CHECK-LABEL: func.func @given_shape
// CHECK-SAME: %[[SHAPE:[a-z0-9]+]]: tensor<2xi64>
// CHECK: %[[SIZE:[a-zA-Z0-9_]+]] = tensor.extract %[[SHAPE]][%c0]
// CHECK: %[[INDEX:[a-zA-Z0-9_]+]] = arith.index_cast %[[SIZE]] : i64 to index
// CHECK: tensor.empty(%{{.*}}, %[[INDEX]]) : tensor<?x?x3xf64>
func.func @given_shape(%x: tensor<?xf64>, %shape: tensor<2xi64>) -> tensor<?x?x3xf64> {
  %r = soac.map ins(%x : tensor<?xf64>) (%v: f64) -> tensor<?x?x3xf64> {
    %six = tensor.splat %v : tensor<6xf64>
    %row = tensor.reshape %six(%shape) : (tensor<6xf64>, tensor<2xi64>) -> tensor<?x3xf64>
    soac.yield %row : tensor<?x3xf64>
  }
  return %r : tensor<?x?x3xf64>
}

// Whether a branch is reached is known in the iteration only, and there its size is required.
// CHECK-LABEL: func.func @required
// CHECK: scf.for
// CHECK: scf.if
// CHECK: scf.if
// CHECK: } else {
// CHECK: %[[SAME:[a-zA-Z0-9_]+]] = arith.cmpi eq
// CHECK: cf.assert %[[SAME]], "the rows of a soac.map have different sizes
// CHECK: scf.yield
func.func @required(%x: tensor<?x?xf64>, %y: tensor<?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %r = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    %first = tensor.extract %row[%c0] : tensor<?xf64>
    %positive = arith.cmpf ogt, %first, %zero : f64
    %z = scf.if %positive -> tensor<?xf64> {
      %large = arith.cmpf ogt, %first, %one : f64
      %w = scf.if %large -> tensor<?xf64> {
        scf.yield %row : tensor<?xf64>
      } else {
        scf.yield %y : tensor<?xf64>
      }
      scf.yield %w : tensor<?xf64>
    } else {
      scf.yield %row : tensor<?xf64>
    }
    soac.yield %z : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}

// The operands of an elementwise operation are equally large, so that any may match.
// CHECK-LABEL: func.func @elementwise
// CHECK-NOT: cf.assert
// CHECK: return
func.func @elementwise(%x: tensor<?x?xf64>, %n: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %r = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    %first = tensor.extract %row[%c0] : tensor<?xf64>
    %positive = arith.cmpf ogt, %first, %zero : f64
    %z = scf.if %positive -> tensor<?xf64> {
      %more = soac.replicate %first, %n : f64 -> tensor<?xf64>
      %sum = arith.addf %row, %more : tensor<?xf64>
      scf.yield %sum : tensor<?xf64>
    } else {
      scf.yield %row : tensor<?xf64>
    }
    soac.yield %z : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}
