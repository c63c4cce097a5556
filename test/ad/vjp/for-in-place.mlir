// A loop that only updates an array in place saves what it overwrites, which the way back puts back (F54, F08; the
// mutation is recorded and undone, Z23), and nothing without false dependencies (F50).
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --ad-simplify --canonicalize --cse \
// RUN:   --symbol-dce | FileCheck %s --implicit-check-not='= ad.'

// One element per iteration is saved; the index is computed again. The first element may be the one that is put back.
func.func private @square(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%xs = %x) -> tensor<?xf64> {
    %i = arith.shrsi %k, %c1 : index
    %v = tensor.extract %xs[%i] : tensor<?xf64>
    %first = tensor.extract %xs[%c0] : tensor<?xf64>
    %s = arith.mulf %v, %first : f64
    %ys = tensor.insert %s into %xs[%i] : tensor<?xf64>
    scf.yield %ys : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @square_vjp(
// CHECK: %[[TAPE:.*]] = tensor.empty(%{{.*}}) : tensor<?xf64>
// CHECK: %[[FORWARD:.*]]:2 = scf.for %[[K:.*]] = {{.*}} iter_args(%[[XS:.*]] = %{{.*}}, %[[SAVED:.*]] = %[[TAPE]]) -> (tensor<?xf64>, tensor<?xf64>)
// CHECK: %[[I:.*]] = arith.shrsi %[[K]], %c1
// CHECK: %[[OLD:.*]] = tensor.extract %[[XS]][%[[I]]]
// CHECK: tensor.insert %[[OLD]] into %[[SAVED]][%[[K]]]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[LAST:.*]] = %[[FORWARD]]#0) -> (tensor<?xf64>, tensor<?xf64>)
// CHECK: %[[BACK:.*]] = tensor.extract %[[FORWARD]]#1
// CHECK: %[[BEFORE:.*]] = tensor.insert %[[BACK]] into %[[LAST]]
// CHECK: tensor.extract %[[BEFORE]][%c0]
func.func @square_vjp(%x: tensor<?xf64>, %n: index, %bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @square(%x, %n) seed(%bar) : (tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// Proven to have no false dependencies: the return loop reads the result, no tape.
func.func private @recurrence(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%xs = %x) -> tensor<?xf64> {
    %p = arith.subi %i, %c1 : index
    %v = tensor.extract %xs[%p] : tensor<?xf64>
    %s = math.sin %v : f64
    %ys = tensor.insert %s into %xs[%i] : tensor<?xf64>
    scf.yield %ys : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @recurrence_vjp(
// CHECK-NOT: tensor.empty
// CHECK: %[[RESULT:.*]] = scf.for
// CHECK: scf.for {{.*}} -> (tensor<?xf64>)
// CHECK: tensor.extract %[[RESULT]]
// CHECK-NOT: tensor.empty
// CHECK: return
func.func @recurrence_vjp(%x: tensor<?xf64>, %n: index, %bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @recurrence(%x, %n) seed(%bar) : (tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// Reads what a later iteration overwrites: not proven, and it would be wrong.
func.func private @backwards(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%xs = %x) -> tensor<?xf64> {
    %p = arith.addi %i, %c1 : index
    %v = tensor.extract %xs[%p] : tensor<?xf64>
    %s = math.sin %v : f64
    %ys = tensor.insert %s into %xs[%i] : tensor<?xf64>
    scf.yield %ys : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @backwards_vjp(
// CHECK: tensor.empty
func.func @backwards_vjp(%x: tensor<?xf64>, %n: index, %bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @backwards(%x, %n) seed(%bar) : (tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// Neither promised nor proven, in a nest: the return loop of the inner loop puts the array
// back and hands it to the outer one, so that every version has one reader.
func.func private @sweeps(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?xf64>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%xs = %x) -> tensor<?xf64> {
    %q = scf.for %i = %c1 to %m step %c1 iter_args(%ys = %xs) -> tensor<?xf64> {
      %p = arith.subi %i, %c1 : index
      %a = tensor.extract %ys[%p] : tensor<?xf64>
      %b = tensor.extract %ys[%i] : tensor<?xf64>
      %s = arith.mulf %a, %b : f64
      %zs = tensor.insert %s into %ys[%i] : tensor<?xf64>
      scf.yield %zs : tensor<?xf64>
    }
    scf.yield %q : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @sweeps_vjp(
// CHECK: %[[FORWARD:.*]]:2 = scf.for
// CHECK: scf.for {{.*}} iter_args(%[[BAR:.*]] = %{{.*}}, %[[LAST:.*]] = %[[FORWARD]]#0) -> (tensor<?xf64>, tensor<?xf64>)
// CHECK: %[[ENTRY:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[LAST]]) -> (tensor<?xf64>)
// CHECK: %[[AGAIN:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[ENTRY]], %{{.*}} = %{{.*}}) -> (tensor<?xf64>, tensor<?xf64>)
// CHECK: %[[BACK:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[BAR]], %{{.*}} = %[[AGAIN]]#0) -> (tensor<?xf64>, tensor<?xf64>)
// CHECK-NOT: scf.for
// CHECK: scf.yield %[[BACK]]#0, %[[BACK]]#1
func.func @sweeps_vjp(%x: tensor<?xf64>, %n: index, %bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @sweeps(%x, %n) seed(%bar) : (tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// A scatter saves the elements that it overwrites, of which there are as many as indices.
func.func private @scatters(%x: tensor<?xf64>, %is: tensor<?xindex>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%xs = %x) -> tensor<?xf64> {
    %vs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
      %v = tensor.extract %xs[%i] : tensor<?xf64>
      %s = math.sin %v : f64
      soac.yield %s : f64
    }
    %ys = soac.scatter at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%xs : tensor<?xf64>)
    scf.yield %ys : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @scatters_vjp(
// CHECK-SAME: %{{.*}}: tensor<?xf64>, %[[IS:.*]]: tensor<?xindex>,
// CHECK: %[[M:.*]] = tensor.dim %[[IS]]
// CHECK: %[[TAPE:.*]] = tensor.empty(%{{.*}}, %[[M]]) : tensor<?x?xf64>
// CHECK: scf.for {{.*}} iter_args(%[[XS:.*]] = %{{.*}}, %[[SAVED:.*]] = %[[TAPE]])
// CHECK: soac.map ins(%[[IS]]
// CHECK: %[[OLD:.*]] = soac.map ins(%[[IS]]
// CHECK: tensor.insert_slice %[[OLD]] into %[[SAVED]]
// CHECK: scf.for
// CHECK: %[[OLD:.*]] = tensor.extract_slice
// CHECK: soac.scatter at(%[[IS]] : tensor<?xindex>) ins(%[[OLD]] :
func.func @scatters_vjp(%x: tensor<?xf64>, %is: tensor<?xindex>, %n: index, %bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @scatters(%x, %is, %n) seed(%bar) : (tensor<?xf64>, tensor<?xindex>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
