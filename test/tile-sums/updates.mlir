// What updates of accumulators add up becomes operations that are made in tiles, which need no atomic updates (F45, F49).
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-tile-sums,ad-canonicalize,cse)' -split-input-file | FileCheck %s

// The weighted covariances of rows, lower triangles only, under a condition that is known in front: where it does not
// hold, nothing is computed.
// CHECK-LABEL: func.func @covariances(
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<?x?xf64>, %[[X:[a-z0-9]+]]: tensor<?x?xf64>, %[[MANY:[a-z0-9]+]]: i1
// CHECK: %[[SUMS:.*]] = scf.if %[[MANY]] -> (tensor<?x?x?xf64>)
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction", "parallel", "parallel"]
// CHECK: arith.mulf
// CHECK: arith.mulf
// CHECK: arith.cmpi ule
// CHECK: scf.yield
// CHECK: } else {
// CHECK-NOT: linalg.generic
// CHECK-NOT: soac.update_acc
// CHECK: return %[[SUMS]]
func.func @covariances(%W: tensor<?x?xf64>, %X: tensor<?x?xf64>, %many: i1) -> tensor<?x?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  %d = tensor.dim %X, %c1 : tensor<?x?xf64>
  %rs = soac.iota %d : tensor<?xindex>
  %empty = tensor.empty(%d, %d) : tensor<?x?xf64>
  %none = linalg.fill ins(%zero : f64) outs(%empty : tensor<?x?xf64>) -> tensor<?x?xf64>
  %ss = soac.map ins(%W : tensor<?x?xf64>) (%w: tensor<?xf64>) -> tensor<?x?x?xf64> {
    %s = soac.with_acc ins(%none : tensor<?x?xf64>) (%acc: !soac.acc<tensor<?x?xf64>>) -> tensor<?x?xf64> {
      %end = scf.if %many -> (!soac.acc<tensor<?x?xf64>>) {
        %sum = soac.map ins(%X, %w : tensor<?x?xf64>, tensor<?xf64>) accs(%acc : !soac.acc<tensor<?x?xf64>>) (%x: tensor<?xf64>, %w_i: f64, %acc_i: !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>> {
          %rows = soac.map ins(%rs, %x : tensor<?xindex>, tensor<?xf64>) accs(%acc_i : !soac.acc<tensor<?x?xf64>>) (%r: index, %x_r: f64, %acc_r: !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>> {
            %n = arith.addi %r, %c1 : index
            %cs = soac.iota %n : tensor<?xindex>
            %wx = arith.mulf %w_i, %x_r : f64
            %columns = soac.map ins(%cs : tensor<?xindex>) accs(%acc_r : !soac.acc<tensor<?x?xf64>>) (%c: index, %acc_c: !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>> {
              %x_c = tensor.extract %x[%c] : tensor<?xf64>
              %p = arith.mulf %wx, %x_c : f64
              %new = soac.update_acc %acc_c[%r, %c], %p : !soac.acc<tensor<?x?xf64>>, f64
              soac.yield %new : !soac.acc<tensor<?x?xf64>>
            }
            soac.yield %columns : !soac.acc<tensor<?x?xf64>>
          }
          soac.yield %rows : !soac.acc<tensor<?x?xf64>>
        }
        scf.yield %sum : !soac.acc<tensor<?x?xf64>>
      } else {
        scf.yield %acc : !soac.acc<tensor<?x?xf64>>
      }
      soac.yield %end : !soac.acc<tensor<?x?xf64>>
    }
    soac.yield %s : tensor<?x?xf64>
  }
  return %ss : tensor<?x?x?xf64>
}

// -----

// An array that is not zero before, and another update of it, which stays: the sums are added to what is accumulated.
// CHECK-LABEL: func.func @added(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x?xf64>, %[[B:[a-z0-9]+]]: tensor<?x?xf64>, %[[START:[a-z0-9]+]]: tensor<?x?xf64>
// CHECK: %[[SUMS:.*]] = linalg.generic
// CHECK: %[[REST:.*]] = soac.with_acc ins(%[[START]]
// CHECK: soac.update_acc
// CHECK-NOT: soac.update_acc
// CHECK: %[[ALL:.*]] = soac.map ins(%[[REST]], %[[SUMS]]
// CHECK: arith.addf
// CHECK: return %[[ALL]]
func.func @added(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %start: tensor<?x?xf64>, %at: index) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %start, %c0 : tensor<?x?xf64>
  %m = tensor.dim %start, %c1 : tensor<?x?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %js = soac.iota %m : tensor<?xindex>
  %y = soac.with_acc ins(%start : tensor<?x?xf64>) (%acc: !soac.acc<tensor<?x?xf64>>) -> tensor<?x?xf64> {
    %sum = soac.map ins(%A, %B : tensor<?x?xf64>, tensor<?x?xf64>) accs(%acc : !soac.acc<tensor<?x?xf64>>) (%a: tensor<?xf64>, %b: tensor<?xf64>, %acc_k: !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>> {
      %rows = soac.map ins(%is : tensor<?xindex>) accs(%acc_k : !soac.acc<tensor<?x?xf64>>) (%i: index, %acc_i: !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>> {
        %columns = soac.map ins(%js : tensor<?xindex>) accs(%acc_i : !soac.acc<tensor<?x?xf64>>) (%j: index, %acc_j: !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>> {
          %x = tensor.extract %a[%i] : tensor<?xf64>
          %z = tensor.extract %b[%j] : tensor<?xf64>
          %p = arith.mulf %x, %z : f64
          %new = soac.update_acc %acc_j[%i, %j], %p : !soac.acc<tensor<?x?xf64>>, f64
          soac.yield %new : !soac.acc<tensor<?x?xf64>>
        }
        soac.yield %columns : !soac.acc<tensor<?x?xf64>>
      }
      soac.yield %rows : !soac.acc<tensor<?x?xf64>>
    }
    %more = soac.update_acc %sum[%at, %at], %one : !soac.acc<tensor<?x?xf64>>, f64
    soac.yield %more : !soac.acc<tensor<?x?xf64>>
  }
  return %y : tensor<?x?xf64>
}

// -----

// Left as it is: an index that is read.
// CHECK-LABEL: func.func @scattered(
// CHECK-NOT: linalg.generic
// CHECK: soac.update_acc
// CHECK: return
func.func @scattered(%A: tensor<?x?xf64>, %at: tensor<?xindex>, %start: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %y = soac.with_acc ins(%start : tensor<?x?xf64>) (%acc: !soac.acc<tensor<?x?xf64>>) -> tensor<?x?xf64> {
    %sum = soac.map ins(%A : tensor<?x?xf64>) accs(%acc : !soac.acc<tensor<?x?xf64>>) (%a: tensor<?xf64>, %acc_k: !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>> {
      %rows = soac.map ins(%at, %a : tensor<?xindex>, tensor<?xf64>) accs(%acc_k : !soac.acc<tensor<?x?xf64>>) (%i: index, %x: f64, %acc_i: !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>> {
        %new = soac.update_acc %acc_i[%i, %i], %x : !soac.acc<tensor<?x?xf64>>, f64
        soac.yield %new : !soac.acc<tensor<?x?xf64>>
      }
      soac.yield %rows : !soac.acc<tensor<?x?xf64>>
    }
    soac.yield %sum : !soac.acc<tensor<?x?xf64>>
  }
  return %y : tensor<?x?xf64>
}
