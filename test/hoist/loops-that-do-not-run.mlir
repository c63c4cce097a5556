// What a loop does with arrays may be impossible where the loop does not run: sizes that differ, places out of range, reshapes that do not fit.
// RUN: ad-opt %s --ad-hoist | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.three.npy '<f8' '(3,)' 1 2 4
// DEFINE: %{call} =
// DEFINE: %{all} = ad-opt run %s %{call} | FileCheck %s --check-prefix=VALUE && \
// DEFINE:          ad-opt run %s %{call} --target=gpu-emulate | FileCheck %s --check-prefix=VALUE && \
// DEFINE:          ad-opt check %s %{call}
// REDEFINE: %{call} = --entry=placed --input=%t.none.npy --input=10000000000000 --input=0
// RUN: %{all}
// REDEFINE: %{call} = --entry=differing --input=%t.three.npy --input=%t.none.npy --input=0
// RUN: %{all}
// REDEFINE: %{call} = --entry=reshaped --input=%t.none.npy --input=3000 --input=0
// RUN: %{all}
// REDEFINE: %{call} = --entry=shorter --input=%t.none.npy --input=0
// RUN: %{all}
// VALUE: {{^}}0.0{{$}}

// CHECK-LABEL: func.func @placed(
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %c0, %{{.*}}
// CHECK: scf.if %[[RUNS]]
// CHECK:   tensor.insert
// CHECK:   soac.reduce
// CHECK: scf.for
// CHECK-NOT: soac.reduce
// CHECK: return
func.func @placed(%xs: tensor<?xf64>, %i: index, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %ys = tensor.insert %zero into %xs[%i] : tensor<?xf64>
    %r = soac.reduce ins(%ys : tensor<?xf64>) neutral(%zero : f64) (%x: f64, %y: f64) {
      %0 = arith.addf %x, %y : f64
      soac.yield %0 : f64
    }
    %next = arith.addf %s, %r : f64
    scf.yield %next : f64
  }
  return %sum : f64
}

// The map over two arrays stays behind the condition, that over one does not.
// CHECK-LABEL: func.func @differing(
// CHECK-SAME: %[[XS:.*]]: tensor<?xf64>, %[[YS:.*]]: tensor<?xf64>
// CHECK: soac.map ins(%[[XS]], %[[XS]] :
// CHECK: arith.cmpi slt
// CHECK: scf.if
// CHECK:   soac.map ins(%{{.*}}, %[[YS]] :
// CHECK:   arith.addf %{{.*}} : tensor<?xf64>
// CHECK:   soac.reduce
// CHECK: scf.for
// CHECK-NOT: soac
// CHECK: return
func.func @differing(%xs: tensor<?xf64>, %ys: tensor<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %squares = soac.map ins(%xs, %xs : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
      %0 = arith.mulf %x, %y : f64
      soac.yield %0 : f64
    }
    %products = soac.map ins(%squares, %ys : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
      %0 = arith.mulf %x, %y : f64
      soac.yield %0 : f64
    }
    %both = arith.addf %products, %ys : tensor<?xf64>
    %r = soac.reduce ins(%both : tensor<?xf64>) neutral(%zero : f64) (%x: f64, %y: f64) {
      %0 = arith.addf %x, %y : f64
      soac.yield %0 : f64
    }
    %next = arith.addf %s, %r : f64
    scf.yield %next : f64
  }
  return %sum : f64
}

// CHECK-LABEL: func.func @reshaped(
// CHECK: scf.if
// CHECK:   tensor.expand_shape
// CHECK:   tensor.cast
// CHECK:   soac.reduce
// CHECK: } else {
// CHECK: scf.for
// CHECK-NOT: soac
// CHECK: return
func.func @reshaped(%xs: tensor<?xf64>, %m: index, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %square = tensor.expand_shape %xs [[0, 1]] output_shape [%m, %m] : tensor<?xf64> into tensor<?x?xf64>
    %few = tensor.cast %square : tensor<?x?xf64> to tensor<3000x?xf64>
    %r = soac.reduce ins(%few : tensor<3000x?xf64>) neutral(%xs : tensor<?xf64>) (%x: tensor<?xf64>, %y: tensor<?xf64>) {
      soac.yield %y : tensor<?xf64>
    }
    %first = tensor.extract %r[%k] : tensor<?xf64>
    %next = arith.addf %s, %first : f64
    scf.yield %next : f64
  }
  return %sum : f64
}

// A size below zero makes no array: the buffer in front of the loop is empty.
// CHECK-LABEL: func.func @shorter(
// CHECK: return
func.func @shorter(%xs: tensor<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %before = arith.subi %n, %c1 : index
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %es = tensor.generate %before {
    ^bb0(%i: index):
      %x = tensor.extract %xs[%i] : tensor<?xf64>
      %e = math.exp %x : f64
      tensor.yield %e : f64
    } : tensor<?xf64>
    %sums = soac.scan ins(%es : tensor<?xf64>) neutral(%zero : f64) (%x: f64, %y: f64) {
      %0 = arith.addf %x, %y : f64
      soac.yield %0 : f64
    }
    %there = arith.subi %k, %c1 : index
    %some = arith.cmpi sgt, %k, %c0 : index
    %last = scf.if %some -> f64 {
      %l = tensor.extract %sums[%there] : tensor<?xf64>
      scf.yield %l : f64
    } else {
      scf.yield %zero : f64
    }
    %next = arith.addf %s, %last : f64
    scf.yield %next : f64
  }
  return %sum : f64
}

// What is not made has the size that it would have, as far as that is known: something may have been made of its size.
// CHECK-LABEL: func.func @sizes(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?xf64>, %[[B:[a-z0-9]+]]: tensor<?xf64>, %[[N:[a-z0-9]+]]: index
// CHECK: scf.if
// CHECK:   arith.addf %[[A]], %[[B]]
// CHECK: } else {
// CHECK:   %[[SIZE:.*]] = tensor.dim %[[B]], %c0
// CHECK:   %[[UNREAD:.*]] = tensor.empty(%[[SIZE]])
// CHECK:   scf.yield %[[UNREAD]]
func.func @sizes(%a: tensor<?xf64>, %b: tensor<?xf64>, %n: index) -> tensor<?x?xf64> {
  %numbers = soac.iota %n : tensor<?xindex>
  %rows = soac.map ins(%numbers : tensor<?xindex>) (%i: index) -> tensor<?x?xf64> {
    %sum = arith.addf %a, %b : tensor<?xf64>
    soac.yield %sum : tensor<?xf64>
  }
  return %rows : tensor<?x?xf64>
}

// Each array that a scan gives is as large as the one that it goes through.
// CHECK-LABEL: func.func @scanned(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x?xf64>, %[[B:[a-z0-9]+]]: tensor<?xf64>, %{{.*}}: tensor<?xf64>, %[[N:[a-z0-9]+]]: index
// CHECK: scf.if
// CHECK:   soac.scan
// CHECK: } else {
// CHECK:   %[[ROWS:.*]] = tensor.dim %[[A]], %c0
// CHECK:   %[[COLUMNS:.*]] = tensor.dim %[[A]], %c1
// CHECK:   tensor.empty(%[[ROWS]], %[[COLUMNS]])
func.func @scanned(%a: tensor<?x?xf64>, %b: tensor<?xf64>, %row: tensor<?xf64>, %n: index) -> tensor<?x?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %numbers = soac.iota %n : tensor<?xindex>
  %all = soac.map ins(%numbers : tensor<?xindex>) (%i: index) -> tensor<?x?x?xf64> {
    %sums, %rows = soac.scan ins(%b, %a : tensor<?xf64>, tensor<?x?xf64>) neutral(%zero, %row : f64, tensor<?xf64>)
        (%x: f64, %v: tensor<?xf64>, %y: f64, %w: tensor<?xf64>) {
      %sum = arith.addf %x, %y : f64
      %both = soac.map ins(%v, %w : tensor<?xf64>, tensor<?xf64>) (%p: f64, %q: f64) -> tensor<?xf64> {
        %pq = arith.addf %p, %q : f64
        soac.yield %pq : f64
      }
      soac.yield %sum, %both : f64, tensor<?xf64>
    }
    soac.yield %rows : tensor<?x?xf64>
  }
  return %all : tensor<?x?x?xf64>
}

// So is what accumulators add to.
// CHECK-LABEL: func.func @accumulated(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?xf64>, %[[I:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index
// CHECK: scf.if
// CHECK:   soac.with_acc
// CHECK: } else {
// CHECK:   %[[SIZE:.*]] = tensor.dim %[[A]], %c0
// CHECK:   tensor.empty(%[[SIZE]])
func.func @accumulated(%a: tensor<?xf64>, %i: index, %n: index) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %numbers = soac.iota %n : tensor<?xindex>
  %all = soac.map ins(%numbers : tensor<?xindex>) (%k: index) -> tensor<?x?xf64> {
    %sum = soac.with_acc ins(%a : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %new = scf.for %j = %c0 to %i step %c1 iter_args(%old = %acc) -> (!soac.acc<tensor<?xf64>>) {
        %at = arith.remui %j, %n : index
        %next = soac.update_acc %old[%at], %one : !soac.acc<tensor<?xf64>>, f64
        scf.yield %next : !soac.acc<tensor<?xf64>>
      }
      soac.yield %new : !soac.acc<tensor<?xf64>>
    }
    soac.yield %sum : tensor<?xf64>
  }
  return %all : tensor<?x?xf64>
}
