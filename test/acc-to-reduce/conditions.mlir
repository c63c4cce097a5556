// When an update becomes a sum [F47]: some map around it changes no index, and a nest of
// its own repeats fewer than two accesses to arrays. Otherwise a remark says why not.
// RUN: ad-opt %s --ad-acc-to-reduce --canonicalize --cse --ad-simplify --canonicalize | FileCheck %s
// RUN: ad-opt %s --ad-acc-to-reduce --remarks-filter-missed=ad-acc-to-reduce -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

!vec = tensor<8xf64>
!mat = tensor<9x8xf64>
!acc = !soac.acc<tensor<8xf64>>

// Index j, nest (i, j): i moves innermost, and its sum is handed to the map over j. The
// array is known to be zero, so that nothing is added to it.
// CHECK-LABEL: func.func @column_sums
// CHECK-SAME: (%[[XSS:[a-z0-9]+]]: tensor<9x8xf64>)
// CHECK-NOT: linalg.fill
// CHECK: soac.map ins(%{{.*}} : tensor<8xindex>) (%[[J:[a-z0-9]+]]: index) -> tensor<8xf64>
// CHECK: soac.map ins(%[[XSS]] : tensor<9x8xf64>) (%[[XS:[a-z0-9]+]]: tensor<8xf64>) -> tensor<9xf64>
// CHECK: tensor.extract %[[XS]][%[[J]]]
// CHECK: soac.reduce
// CHECK-NOT: soac.with_acc
func.func @column_sums(%xss: !mat) -> !vec {
  %zero = arith.constant 0.0 : f64
  %is = soac.iota : tensor<8xindex>
  %zeros = tensor.splat %zero : !vec
  %r = soac.with_acc ins(%zeros : !vec) (%a: !acc) -> !vec {
    %b = soac.map ins(%xss : !mat) accs(%a : !acc) (%xs: !vec, %c: !acc) -> !acc {
      %d = soac.map ins(%is, %xs : tensor<8xindex>, !vec) accs(%c : !acc) (%j: index, %x: f64, %e: !acc) -> !acc {
        %y = arith.mulf %x, %x : f64
        %f = soac.update_acc %e[%j], %y : !acc, f64
        soac.yield %f : !acc
      }
      soac.yield %d : !acc
    }
    soac.yield %b : !acc
  }
  return %r : !vec
}

// No map is summed over: the values are the result of the map.
// CHECK-LABEL: func.func @every_index
// CHECK: %[[YS:.*]] = soac.map
// CHECK-NOT: soac.
// CHECK: soac.yield
// CHECK: return %[[YS]]
func.func @every_index(%xs: !vec) -> !vec {
  %zero = arith.constant 0.0 : f64
  %is = soac.iota : tensor<8xindex>
  %zeros = tensor.splat %zero : !vec
  %r = soac.with_acc ins(%zeros : !vec) (%a: !acc) -> !vec {
    %b = soac.map ins(%is, %xs : tensor<8xindex>, !vec) accs(%a : !acc) (%i: index, %x: f64, %c: !acc) -> !acc {
      %y = math.exp %x : f64
      %f = soac.update_acc %c[%i], %y : !acc, f64
      soac.yield %f : !acc
    }
    soac.yield %b : !acc
  }
  return %r : !vec
}

// One access is shared with what stays: repeating it is worth it.
// CHECK-LABEL: func.func @one_shared_access
// CHECK-COUNT-2: soac.reduce
// CHECK-NOT: soac.with_acc
// CHECK: return
func.func @one_shared_access(%xss: !mat, %us: !vec, %t: !vec) -> (!vec, tensor<9xf64>) {
  %is = soac.iota : tensor<8xindex>
  %zero = arith.constant 0.0 : f64
  %r:2 = soac.with_acc ins(%t : !vec) (%a: !acc) -> (!vec, tensor<9xf64>) {
    %b:2 = soac.map ins(%xss : !mat) accs(%a : !acc) (%xs: !vec, %c: !acc) -> (tensor<9xf64>, !acc) {
      %d:2 = soac.map ins(%is, %xs : tensor<8xindex>, !vec) accs(%c : !acc) (%j: index, %x: f64, %e: !acc) -> (!vec, !acc) {
        %u = tensor.extract %us[%j] : !vec
        %v = arith.mulf %x, %u : f64
        %f = soac.update_acc %e[%j], %x : !acc, f64
        soac.yield %v, %f : f64, !acc
      }
      %s = soac.reduce ins(%d#0 : !vec) neutral(%zero : f64) (%l: f64, %r: f64) {
        %t2 = arith.addf %l, %r : f64
        soac.yield %t2 : f64
      }
      soac.yield %s, %d#1 : f64, !acc
    }
    soac.yield %b#1, %b#0 : !acc, tensor<9xf64>
  }
  return %r#0, %r#1 : !vec, tensor<9xf64>
}

// Two accesses would be repeated, because the other result needs both, too.
// CHECK-LABEL: func.func @two_shared_accesses
// CHECK: soac.with_acc
// REMARK: conditions.mlir:[[# @LINE + 10]]:14: remark: [Missed] accumulator | Category:ad-acc-to-reduce | Reason="the accumulator stays: a nest of its own would repeat two or more accesses to arrays"
func.func @two_shared_accesses(%xss: !mat, %us: !vec, %t: !vec) -> (!vec, tensor<9xf64>) {
  %is = soac.iota : tensor<8xindex>
  %zero = arith.constant 0.0 : f64
  %r:2 = soac.with_acc ins(%t : !vec) (%a: !acc) -> (!vec, tensor<9xf64>) {
    %b:2 = soac.map ins(%xss : !mat) accs(%a : !acc) (%xs: !vec, %c: !acc) -> (tensor<9xf64>, !acc) {
      %d:2 = soac.map ins(%is, %xs : tensor<8xindex>, !vec) accs(%c : !acc) (%j: index, %x: f64, %e: !acc) -> (!vec, !acc) {
        %u = tensor.extract %us[%j] : !vec
        %v = arith.mulf %x, %u : f64
        %w = arith.addf %v, %v : f64
        %f = soac.update_acc %e[%j], %v : !acc, f64
        soac.yield %w, %f : f64, !acc
      }
      %s = soac.reduce ins(%d#0 : !vec) neutral(%zero : f64) (%l: f64, %r: f64) {
        %t2 = arith.addf %l, %r : f64
        soac.yield %t2 : f64
      }
      soac.yield %s, %d#1 : f64, !acc
    }
    soac.yield %b#1, %b#0 : !acc, tensor<9xf64>
  }
  return %r#0, %r#1 : !vec, tensor<9xf64>
}

// What the update adds depends on an expensive value that only the outer map changes;
// with that map innermost it would be computed in every iteration.
// CHECK-LABEL: func.func @expensive
// CHECK: soac.with_acc
// REMARK: conditions.mlir:[[# @LINE + 8]]:14: remark: {{.*}}the accumulator stays: a nest of its own would repeat an expensive operation
func.func @expensive(%xss: !mat, %us: tensor<9xf64>, %t: !vec) -> !vec {
  %is = soac.iota : tensor<8xindex>
  %r = soac.with_acc ins(%t : !vec) (%a: !acc) -> !vec {
    %b = soac.map ins(%us : tensor<9xf64>) accs(%a : !acc) (%u: f64, %c: !acc) -> !acc {
      %v = math.exp %u : f64
      %d = soac.map ins(%is, %t : tensor<8xindex>, !vec) accs(%c : !acc) (%j: index, %tj: f64, %e: !acc) -> !acc {
        %w = arith.maximumf %v, %tj : f64
        %f = soac.update_acc %e[%j], %w : !acc, f64
        soac.yield %f : !acc
      }
      soac.yield %d : !acc
    }
    soac.yield %b : !acc
  }
  return %r : !vec
}

// The other way round no map has to move, and the expensive value stays where it is.
// CHECK-LABEL: func.func @expensive_outside
// CHECK: soac.map
// CHECK: math.exp
// CHECK: soac.map
// CHECK-NOT: math.exp
// CHECK: soac.reduce
// CHECK-NOT: soac.with_acc
// CHECK: return
func.func @expensive_outside(%us: !vec, %ws: tensor<9xf64>, %t: !vec) -> !vec {
  %is = soac.iota : tensor<8xindex>
  %r = soac.with_acc ins(%t : !vec) (%a: !acc) -> !vec {
    %b = soac.map ins(%is, %us : tensor<8xindex>, !vec) accs(%a : !acc) (%i: index, %u: f64, %c: !acc) -> !acc {
      %v = math.exp %u : f64
      %d = soac.map ins(%ws : tensor<9xf64>) accs(%c : !acc) (%w: f64, %e: !acc) -> !acc {
        %x = arith.mulf %v, %w : f64
        %f = soac.update_acc %e[%i], %x : !acc, f64
        soac.yield %f : !acc
      }
      soac.yield %d : !acc
    }
    soac.yield %b : !acc
  }
  return %r : !vec
}

// The inner map is longer in every iteration: it cannot become the outer one.
// CHECK-LABEL: func.func @triangle
// CHECK: soac.with_acc
// REMARK: conditions.mlir:[[# @LINE + 9]]:14: remark: {{.*}}the accumulator stays: the width of a map changes from iteration to iteration
func.func @triangle(%xs: !vec, %t: !vec) -> !vec {
  %c1 = arith.constant 1 : index
  %is = soac.iota : tensor<8xindex>
  %r = soac.with_acc ins(%t : !vec) (%a: !acc) -> !vec {
    %b = soac.map ins(%is, %xs : tensor<8xindex>, !vec) accs(%a : !acc) (%i: index, %x: f64, %c: !acc) -> !acc {
      %n = arith.addi %i, %c1 : index
      %js = soac.iota %n : tensor<?xindex>
      %d = soac.map ins(%js : tensor<?xindex>) accs(%c : !acc) (%j: index, %e: !acc) -> !acc {
        %f = soac.update_acc %e[%j], %x : !acc, f64
        soac.yield %f : !acc
      }
      soac.yield %d : !acc
    }
    soac.yield %b : !acc
  }
  return %r : !vec
}
