// Accumulators with index arrays become generalised histograms [F48].
// RUN: ad-opt %s --ad-optimize | FileCheck %s
// RUN: ad-opt %s --ad-bufferize | FileCheck %s --check-prefix=LOOPS
// RUN: ad-opt run %s --entry=values | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt run %s --entry=guarded_values | FileCheck %s --check-prefix=GUARDED

// The adjoint of a gather.
// CHECK-LABEL: func.func @gather_vjp(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>, %[[IS:[a-z0-9]+]]: tensor<?xindex>, %[[BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK-NOT: soac.with_acc
// CHECK: %[[VS:.*]] = soac.map ins(%[[IS]], %[[BAR]]
// CHECK: soac.hist at(%[[IS]] : tensor<?xindex>) ins(%[[VS]] : tensor<?xf64>)
// CHECK: arith.addf
// The values are computed in the loop of the histogram: the only array is the result.
// LOOPS-LABEL: func.func @gather_vjp(
// LOOPS: memref.alloc
// LOOPS-NOT: memref.alloc
// LOOPS: scf.for
// LOOPS-NOT: scf.for
// LOOPS: return
func.func private @gather(%xs: tensor<?xf64>, %is: tensor<?xindex>) -> tensor<?xf64> {
  %ys = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %y = math.exp %x : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
func.func @gather_vjp(%xs: tensor<?xf64>, %is: tensor<?xindex>, %bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @gather(%xs, %is) seed(%bar)
      : (tensor<?xf64>, tensor<?xindex>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// VALUES: [8.0, 0.0, 2.0]
func.func @values() -> tensor<?xf64> {
  %zero = arith.constant dense<0.0> : tensor<3xf64>
  %is = arith.constant dense<[0, 2, 0]> : tensor<3xindex>
  %bar = arith.constant dense<[3.0, 2.0, 5.0]> : tensor<3xf64>
  %x = tensor.cast %zero : tensor<3xf64> to tensor<?xf64>
  %i = tensor.cast %is : tensor<3xindex> to tensor<?xindex>
  %b = tensor.cast %bar : tensor<3xf64> to tensor<?xf64>
  %r = call @gather_vjp(%x, %i, %b) : (tensor<?xf64>, tensor<?xindex>, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// Rows, two indices, and a branch: where it is not taken the first index is -1, and the rows are read where they are.
// CHECK-LABEL: func.func @guarded(
// CHECK-SAME: %[[VS:[a-z0-9]+]]: tensor<4x2xf64>, %[[IS:[a-z0-9]+]]: tensor<4xindex>
// CHECK-NOT: soac.with_acc
// CHECK: arith.select %{{.*}}, %{{.*}}, %c-1
// CHECK-NOT: scf.if
// CHECK: soac.hist at(%{{.*}}, %[[IS]] : tensor<4xindex>, tensor<4xindex>) ins(%[[VS]] : tensor<4x2xf64>)
// GUARDED: {{\[\[\[}}3.0, 6.0],
// GUARDED-NEXT: [1.0, 1.0]],
// GUARDED: {{\[\[}}1.0, 1.0],
// GUARDED-NEXT: [5.0, 9.0]]]
func.func @guarded(%vs: tensor<4x2xf64>, %is: tensor<4xindex>, %t: tensor<2x2x2xf64>) -> tensor<2x2x2xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %r = soac.with_acc ins(%t : tensor<2x2x2xf64>) (%a: !soac.acc<tensor<2x2x2xf64>>) -> tensor<2x2x2xf64> {
    %m = soac.map ins(%is, %vs : tensor<4xindex>, tensor<4x2xf64>) accs(%a : !soac.acc<tensor<2x2x2xf64>>)
        (%i: index, %v: tensor<2xf64>, %b: !soac.acc<tensor<2x2x2xf64>>) -> !soac.acc<tensor<2x2x2xf64>> {
      %x = tensor.extract %v[%c0] : tensor<2xf64>
      %p = arith.cmpf ogt, %x, %zero : f64
      %d = scf.if %p -> !soac.acc<tensor<2x2x2xf64>> {
        %c = soac.update_acc %b[%i, %i], %v : !soac.acc<tensor<2x2x2xf64>>, tensor<2xf64>
        scf.yield %c : !soac.acc<tensor<2x2x2xf64>>
      } else {
        scf.yield %b : !soac.acc<tensor<2x2x2xf64>>
      }
      soac.yield %d : !soac.acc<tensor<2x2x2xf64>>
    }
    soac.yield %m : !soac.acc<tensor<2x2x2xf64>>
  }
  return %r : tensor<2x2x2xf64>
}
func.func @guarded_values() -> tensor<2x2x2xf64> {
  %t = arith.constant dense<1.0> : tensor<2x2x2xf64>
  %is = arith.constant dense<[0, 1, 1, 7]> : tensor<4xindex>
  %vs = arith.constant dense<[[2.0, 5.0], [3.0, 7.0], [1.0, 1.0], [-1.0, 4.0]]> : tensor<4x2xf64>
  %r = call @guarded(%vs, %is, %t) : (tensor<4x2xf64>, tensor<4xindex>, tensor<2x2x2xf64>) -> tensor<2x2x2xf64>
  return %r : tensor<2x2x2xf64>
}

// A branch decides about all of them: where it is not taken there would be arrays of unknown size.
// CHECK-LABEL: func.func @around
// CHECK-NOT: soac.hist
// CHECK: scf.if
// CHECK: soac.update_acc
func.func @around(%xs: tensor<?xf64>, %at: tensor<?xindex>, %t: tensor<?xf64>, %c: i1) -> tensor<?xf64> {
  %r = soac.with_acc ins(%t : tensor<?xf64>) (%a: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %b = scf.if %c -> (!soac.acc<tensor<?xf64>>) {
      %m = soac.map ins(%xs, %at : tensor<?xf64>, tensor<?xindex>) accs(%a : !soac.acc<tensor<?xf64>>)
          (%x: f64, %i: index, %d: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
        %e = soac.update_acc %d[%i], %x : !soac.acc<tensor<?xf64>>, f64
        soac.yield %e : !soac.acc<tensor<?xf64>>
      }
      scf.yield %m : !soac.acc<tensor<?xf64>>
    } else {
      scf.yield %a : !soac.acc<tensor<?xf64>>
    }
    soac.yield %b : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}

// A branch that is not taken makes the index -1 that is read; the other one is the number of the iteration still, which
// says that no two iterations update the same element. What is added comes from outside of the branch.
// CHECK-LABEL: func.func @own_columns
// CHECK-SAME: %[[KS:[a-z0-9]+]]: tensor<6xindex>, %[[PS:[a-z0-9]+]]: tensor<6xi1>, %[[XS:[a-z0-9]+]]: tensor<6xf64>
// CHECK-DAG: %[[IS:.*]] = soac.iota : tensor<6xindex>
// CHECK: %[[CHOSEN:.*]] = soac.map ins(%[[KS]], %[[PS]] : tensor<6xindex>, tensor<6xi1>) (%[[K:[a-z0-9]+]]: index, %[[P:[a-z0-9]+]]: i1)
// CHECK:   %[[AT:.*]] = arith.select %[[P]], %[[K]], %c-1
// CHECK:   soac.yield %[[AT]]
// CHECK: soac.hist at(%[[CHOSEN]], %[[IS]] : tensor<6xindex>, tensor<6xindex>) ins(%[[XS]] : tensor<6xf64>)
func.func @own_columns(%ks: tensor<6xindex>, %ps: tensor<6xi1>, %xs: tensor<6xf64>) -> tensor<4x6xf64> {
  %zero = arith.constant 0.0 : f64
  %is = soac.iota : tensor<6xindex>
  %zeros = tensor.splat %zero : tensor<4x6xf64>
  %r = soac.with_acc ins(%zeros : tensor<4x6xf64>) (%a: !soac.acc<tensor<4x6xf64>>) -> tensor<4x6xf64> {
    %b = soac.map ins(%ks, %ps, %xs, %is : tensor<6xindex>, tensor<6xi1>, tensor<6xf64>, tensor<6xindex>) accs(%a : !soac.acc<tensor<4x6xf64>>) (%k: index, %p: i1, %x: f64, %i: index, %c: !soac.acc<tensor<4x6xf64>>) -> !soac.acc<tensor<4x6xf64>> {
      %d = scf.if %p -> !soac.acc<tensor<4x6xf64>> {
        %f = soac.update_acc %c[%k, %i], %x : !soac.acc<tensor<4x6xf64>>, f64
        scf.yield %f : !soac.acc<tensor<4x6xf64>>
      } else {
        scf.yield %c : !soac.acc<tensor<4x6xf64>>
      }
      soac.yield %d : !soac.acc<tensor<4x6xf64>>
    }
    soac.yield %b : !soac.acc<tensor<4x6xf64>>
  }
  return %r : tensor<4x6xf64>
}
