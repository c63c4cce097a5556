// A branch on the number of the iteration becomes the bounds of loops.
// RUN: ad-opt %s --ad-split-loops --canonicalize --cse | FileCheck %s

// Below the diagonal, on it, and above it: no bound has to be compared, because i runs as far.
// CHECK-LABEL: func.func @triangle(
// CHECK-SAME: %[[N:.*]]: index, %[[X:.*]]: memref<?xf64>, %[[Y:.*]]: memref<?x?xf64>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]]
// CHECK-NEXT: scf.for %[[J:.*]] = %{{.*}} to %[[I]]
// CHECK-NEXT: %[[BELOW:.*]] = memref.load %[[X]][%[[J]]]
// CHECK-NEXT: memref.store %[[BELOW]], %[[Y]][%[[I]], %[[J]]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[I]]
// CHECK-NEXT: scf.for %[[D:.*]] = %[[I]] to %[[NEXT]]
// CHECK-NEXT: %[[HERE:.*]] = memref.load %[[X]][%[[D]]]
// CHECK-NEXT: %[[EXP:.*]] = math.exp %[[HERE]]
// CHECK-NEXT: memref.store %[[EXP]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.for %[[K:.*]] = %[[NEXT]] to %[[N]]
// CHECK-NEXT: memref.store %{{.*}}, %[[Y]][%[[I]], %[[K]]]
// CHECK-NOT: scf.if
// CHECK: return
func.func @triangle(%n: index, %x: memref<?xf64>, %y: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %is_below = arith.cmpi ult, %j, %i : index
      %v = scf.if %is_below -> f64 {
        %w = memref.load %x[%j] : memref<?xf64>
        scf.yield %w : f64
      } else {
        %is_on = arith.cmpi eq, %i, %j : index
        %u = scf.if %is_on -> f64 {
          %w = memref.load %x[%j] : memref<?xf64>
          %e = math.exp %w : f64
          scf.yield %e : f64
        } else {
          scf.yield %zero : f64
        }
        scf.yield %u : f64
      }
      memref.store %v, %y[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// A value from anywhere is brought between the bounds; what is carried goes through both loops.
// CHECK-LABEL: func.func @carried(
// CHECK-SAME: %[[LOW:.*]]: index, %[[HIGH:.*]]: index, %[[K:.*]]: index
// CHECK: %[[LEAST:.*]] = arith.minsi %[[K]], %[[HIGH]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[LEAST]]
// CHECK: %[[BELOW:.*]] = arith.minsi %[[NEXT]], %[[HIGH]]
// CHECK: %[[CUT:.*]] = arith.maxsi %[[BELOW]], %[[LOW]]
// CHECK: %[[FIRST:.*]] = scf.for %{{.*}} = %[[LOW]] to %[[CUT]]
// CHECK: arith.addf
// CHECK: %[[SECOND:.*]] = scf.for %{{.*}} = %[[CUT]] to %[[HIGH]] {{.*}} iter_args(%{{.*}} = %[[FIRST]])
// CHECK: arith.mulf
// CHECK: return %[[SECOND]]
func.func @carried(%low: index, %high: index, %k: index, %x: memref<?xf64>) -> f64 {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %y = scf.for %j = %low to %high step %c1 iter_args(%a = %one) -> f64 {
    %is_early = arith.cmpi sge, %k, %j : index
    %b = scf.if %is_early -> f64 {
      %v = memref.load %x[%j] : memref<?xf64>
      %c = arith.addf %a, %v : f64
      scf.yield %c : f64
    } else {
      %v = memref.load %x[%j] : memref<?xf64>
      %c = arith.mulf %a, %v : f64
      scf.yield %c : f64
    }
    scf.yield %b : f64
  }
  return %y : f64
}

// What only computes numbers is no reason, nor is a comparison with a value of the iteration.
// CHECK-LABEL: func.func @stays(
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @stays(%n: index, %k: index, %is: memref<?xindex>, %x: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  scf.for %j = %c0 to %n step %c1 {
    %is_below = arith.cmpi slt, %j, %k : index
    %v = memref.load %x[%j] : memref<?xf64>
    %w = scf.if %is_below -> f64 {
      %u = arith.mulf %v, %v : f64
      scf.yield %u : f64
    } else {
      scf.yield %zero : f64
    }
    memref.store %w, %x[%j] : memref<?xf64>
  }
  scf.for %j = %c0 to %n step %c1 {
    %i = memref.load %is[%j] : memref<?xindex>
    %is_it = arith.cmpi eq, %i, %j : index
    scf.if %is_it {
      memref.store %zero, %x[%j] : memref<?xf64>
    }
  }
  return
}

// In a chunk the number has an offset, and may be equal to a value where the number itself is to the difference.
// CHECK-LABEL: func.func @offset(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[OFFSET:[a-z0-9]+]]: index, %[[K:[a-z0-9]+]]: index
// CHECK: %[[AT:.*]] = arith.subi %[[K]], %[[OFFSET]]
// CHECK: arith.minsi %[[AT]], %[[N]]
// CHECK-COUNT-3: scf.for
// CHECK-NOT: scf.if
// CHECK: return
func.func @offset(%n: index, %offset: index, %k: index, %x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %number = arith.addi %i, %offset : index
    %is_it = arith.cmpi eq, %number, %k : index
    %v = scf.if %is_it -> f64 {
      %w = memref.load %x[%number] : memref<?xf64>
      scf.yield %w : f64
    } else {
      scf.yield %zero : f64
    }
    memref.store %v, %y[%i] : memref<?xf64>
  }
  return
}

// A sum that wraps around is in no order.
// CHECK-LABEL: func.func @wraps(
// CHECK: scf.if
// CHECK: return
func.func @wraps(%n: index, %offset: index, %k: index, %x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %number = arith.addi %i, %offset : index
    %is_less = arith.cmpi slt, %number, %k : index
    %v = scf.if %is_less -> f64 {
      %w = memref.load %x[%number] : memref<?xf64>
      scf.yield %w : f64
    } else {
      scf.yield %zero : f64
    }
    memref.store %v, %y[%i] : memref<?xf64>
  }
  return
}
