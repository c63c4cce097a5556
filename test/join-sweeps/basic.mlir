// RUN: ad-opt %s --ad-join-sweeps --ad-canonicalize --cse --split-input-file | FileCheck %s

// A sum, and a map that goes through the same numbers backwards: the exponential is computed once.

// CHECK-LABEL: func @sum_and_map
// CHECK:         %[[BOTH:.*]]:2 = scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[S:.*]] = %{{.*}}, %[[A:.*]] = %{{.*}}) -> (f64, !soac.acc<tensor<?xf64>>)
// CHECK-NEXT:      %[[X:.*]] = tensor.extract %{{.*}}[%[[I]]]
// CHECK-NEXT:      %[[E:.*]] = math.exp %[[X]]
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addf %[[S]], %[[E]]
// CHECK-NEXT:      %[[V:.*]] = arith.mulf %[[E]], %{{.*}}
// CHECK-NEXT:      %[[ADDED:.*]] = soac.update_acc %[[A]][%[[I]]], %[[V]]
// CHECK-NEXT:      scf.yield %[[NEXT]], %[[ADDED]]
// CHECK-NOT:     math.exp
// CHECK:         return
func.func @sum_and_map(%x: tensor<?xf64>, %y: f64, %from: index, %to: index, %zeros: tensor<?xf64>)
    -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %length = arith.subi %to, %from : index
  %n = arith.maxsi %length, %c0 : index
  %last = arith.subi %n, %c1 : index
  %numbers = soac.iota %n : tensor<?xindex>
  %added = soac.with_acc ins(%zeros : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %sum = scf.for %i = %from to %to step %c1 iter_args(%s = %zero) -> (f64) {
      %e = tensor.extract %x[%i] : tensor<?xf64>
      %f = math.exp %e : f64
      %s_1 = arith.addf %s, %f : f64
      scf.yield %s_1 : f64
    }
    %acc_2 = soac.map ins(%numbers : tensor<?xindex>) accs(%acc : !soac.acc<tensor<?xf64>>)
        (%k: index, %a: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
      %back = arith.subi %last, %k : index
      %i = arith.addi %from, %back : index
      %e = tensor.extract %x[%i] : tensor<?xf64>
      %f = math.exp %e : f64
      %v = arith.mulf %f, %y : f64
      %a_1 = soac.update_acc %a[%i], %v : !soac.acc<tensor<?xf64>>, f64
      soac.yield %a_1 : !soac.acc<tensor<?xf64>>
    }
    %acc_3 = soac.update_acc %acc_2[%c0], %sum : !soac.acc<tensor<?xf64>>, f64
    soac.yield %acc_3 : !soac.acc<tensor<?xf64>>
  }
  return %added : tensor<?xf64>
}

// -----

// Sums have no order on the way back, but where arithmetic has to be exactly what it says.

// CHECK-LABEL: func @backwards
// CHECK:         %[[BOTH:.*]]:2 = scf.for
// CHECK:           math.exp
// CHECK-NOT:       math.exp
// CHECK:         return %[[BOTH]]#0, %[[BOTH]]#1
func.func @backwards(%x: tensor<?xf64>, %y: f64, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %a_1 = arith.addf %a, %f : f64
    scf.yield %a_1 : f64
  }
  %m = arith.maxsi %n, %c0 : index
  %last = arith.subi %m, %c1 : index
  %t = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %i = arith.subi %last, %k : index
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %g = arith.mulf %f, %y : f64
    %a_1 = arith.addf %a, %g fastmath<contract> : f64
    scf.yield %a_1 : f64
  }
  return %s, %t : f64, f64
}

// -----

// CHECK-LABEL: func @exactly_backwards
// CHECK:         %[[FIRST:.*]] = scf.for
// CHECK:         %[[SECOND:.*]] = scf.for
// CHECK:         return %[[FIRST]], %[[SECOND]]
func.func @exactly_backwards(%x: tensor<?xf64>, %y: f64, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %a_1 = arith.addf %a, %f : f64
    scf.yield %a_1 : f64
  }
  %m = arith.maxsi %n, %c0 : index
  %last = arith.subi %m, %c1 : index
  %t = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %i = arith.subi %last, %k : index
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %g = arith.mulf %f, %y : f64
    %a_1 = arith.addf %a, %g : f64
    scf.yield %a_1 : f64
  }
  return %s, %t : f64, f64
}

// -----

// In the same direction, what is carried may be anything.

// CHECK-LABEL: func @both_forwards
// CHECK:         %[[BOTH:.*]]:2 = scf.for
// CHECK:           math.exp
// CHECK-NOT:       math.exp
// CHECK:         return %[[BOTH]]#0, %[[BOTH]]#1
func.func @both_forwards(%x: tensor<?xf64>, %y: f64, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %a_1 = arith.addf %a, %f : f64
    scf.yield %a_1 : f64
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %g = arith.mulf %a, %f : f64
    %a_1 = arith.addf %g, %y : f64
    scf.yield %a_1 : f64
  }
  return %s, %t : f64, f64
}

// -----

// What both carry is carried once.

// CHECK-LABEL: func @same_sum
// CHECK:         %[[ONE:.*]] = scf.for {{.*}} -> (f64) {
// CHECK:         return %[[ONE]], %[[ONE]]
func.func @same_sum(%x: tensor<?xf64>, %y: f64, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %a_1 = arith.addf %a, %f : f64
    scf.yield %a_1 : f64
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %a_1 = arith.addf %a, %f : f64
    scf.yield %a_1 : f64
  }
  return %s, %t : f64, f64
}

// -----

// A loop that goes backwards and is no sum keeps its order.

// CHECK-LABEL: func @in_order
// CHECK:         %[[FIRST:.*]] = scf.for
// CHECK:         %[[SECOND:.*]] = scf.for
// CHECK:         return %[[FIRST]], %[[SECOND]]
func.func @in_order(%x: tensor<?xf64>, %y: f64, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %a_1 = arith.addf %a, %f : f64
    scf.yield %a_1 : f64
  }
  %m = arith.maxsi %n, %c0 : index
  %last = arith.subi %m, %c1 : index
  %t = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %i = arith.subi %last, %k : index
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %g = arith.mulf %a, %f : f64
    %a_1 = arith.addf %g, %y : f64
    scf.yield %a_1 : f64
  }
  return %s, %t : f64, f64
}

// -----

// It needs the sum of the first.

// CHECK-LABEL: func @dependent
// CHECK:         %[[FIRST:.*]] = scf.for
// CHECK:         %[[SECOND:.*]] = scf.for
// CHECK:         return %[[FIRST]], %[[SECOND]]
func.func @dependent(%x: tensor<?xf64>, %y: f64, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %a_1 = arith.addf %a, %f : f64
    scf.yield %a_1 : f64
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %g = arith.mulf %f, %y : f64
    %a_1 = arith.addf %a, %g : f64
    scf.yield %a_1 : f64
  }
  return %s, %t : f64, f64
}

// -----

// It has another number of iterations.

// CHECK-LABEL: func @longer
// CHECK:         %[[FIRST:.*]] = scf.for
// CHECK:         %[[SECOND:.*]] = scf.for
// CHECK:         return %[[FIRST]], %[[SECOND]]
func.func @longer(%x: tensor<?xf64>, %y: f64, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %a_1 = arith.addf %a, %f : f64
    scf.yield %a_1 : f64
  }
  %n_1 = arith.addi %n, %c1 : index
  %t = scf.for %i = %c0 to %n_1 step %c1 iter_args(%a = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %g = arith.mulf %f, %y : f64
    %a_1 = arith.addf %a, %g : f64
    scf.yield %a_1 : f64
  }
  return %s, %t : f64, f64
}

// -----

// What counts both ways goes on doing so.

// CHECK-LABEL: func @both_ways
// CHECK:         %[[BOTH:.*]]:2 = scf.for %[[I:[a-z0-9]+]] =
// CHECK:           tensor.extract %{{.*}}[%[[I]]]
// CHECK:           math.exp
// CHECK:           %[[BACK:.*]] = arith.subi %{{.*}}, %[[I]]
// CHECK:           tensor.extract %{{.*}}[%[[BACK]]]
// CHECK-NOT:       math.exp
// CHECK:         return %[[BOTH]]#0, %[[BOTH]]#1
func.func @both_ways(%x: tensor<?xf64>, %y: f64, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %a_1 = arith.addf %a, %f : f64
    scf.yield %a_1 : f64
  }
  %m = arith.maxsi %n, %c0 : index
  %last = arith.subi %m, %c1 : index
  %t = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %i = arith.subi %last, %k : index
    %e = tensor.extract %x[%k] : tensor<?xf64>
    %f = math.exp %e : f64
    %h = tensor.extract %x[%i] : tensor<?xf64>
    %g = arith.mulf %f, %h : f64
    %a_1 = arith.addf %a, %g : f64
    scf.yield %a_1 : f64
  }
  return %s, %t : f64, f64
}

// -----

// The return loop of a loop that goes backwards counts from its end twice, so that it goes forwards: what it carries is
// no sum, and the values of the first come in another order.

// CHECK-LABEL: func @there_and_back
// CHECK:         %[[FIRST:.*]] = scf.for
// CHECK:         %[[SECOND:.*]] = scf.for
// CHECK:         return %[[FIRST]], %[[SECOND]]
func.func @there_and_back(%x: tensor<?xf64>, %y: f64, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = arith.maxsi %n, %c0 : index
  %last = arith.subi %m, %c1 : index
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %i = arith.subi %last, %k : index
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %g = arith.mulf %a, %f : f64
    %a_1 = arith.addf %g, %y : f64
    scf.yield %a_1 : f64
  }
  %t = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %j = arith.subi %last, %k : index
    %i = arith.subi %last, %j : index
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %g = arith.mulf %a, %f : f64
    %a_1 = arith.addf %g, %y : f64
    scf.yield %a_1 : f64
  }
  return %s, %t : f64, f64
}

// -----

// Nothing that they share costs much.

// CHECK-LABEL: func @cheap
// CHECK:         %[[FIRST:.*]] = scf.for
// CHECK:         %[[SECOND:.*]] = scf.for
// CHECK:         return %[[FIRST]], %[[SECOND]]
func.func @cheap(%x: tensor<?xf64>, %y: f64, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.absf %e : f64
    %a_1 = arith.addf %a, %f : f64
    scf.yield %a_1 : f64
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.absf %e : f64
    %g = arith.mulf %f, %y : f64
    %a_1 = arith.addf %a, %g : f64
    scf.yield %a_1 : f64
  }
  return %s, %t : f64, f64
}

// -----

// Branches on one condition meet, and a second run joins the loops in them.

// RUN: ad-opt %s --split-input-file --pass-pipeline='builtin.module(ad-join-sweeps,ad-canonicalize,cse,ad-join-sweeps,ad-canonicalize,cse)' \
// RUN:   | FileCheck %s --check-prefix=TWICE

// TWICE-LABEL: func @branches
// TWICE:         scf.for
// TWICE:           scf.if
// TWICE:             scf.for {{.*}} -> (f64, f64)
// TWICE:               math.exp
// TWICE-NOT:         scf.for
// TWICE-NOT:       scf.if
// TWICE:         return
func.func @branches(%x: tensor<?xf64>, %y: f64, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0.0 : f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %d = math.sqrt %e : f64
    %is_small = arith.cmpf olt, %d, %y : f64
    %v = scf.if %is_small -> f64 {
      %sum = scf.for %k = %c0 to %c10 step %c1 iter_args(%b = %zero) -> (f64) {
        %p = tensor.extract %x[%k] : tensor<?xf64>
        %q = arith.mulf %p, %d : f64
        %r = math.exp %q : f64
        %b_1 = arith.addf %b, %r : f64
        scf.yield %b_1 : f64
      }
      scf.yield %sum : f64
    } else {
      scf.yield %d : f64
    }
    %a_1 = arith.addf %a, %v : f64
    scf.yield %a_1 : f64
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %d = math.sqrt %e : f64
    %is_small = arith.cmpf olt, %d, %y : f64
    %w = arith.mulf %d, %y : f64
    %v = scf.if %is_small -> f64 {
      %sum = scf.for %k = %c0 to %c10 step %c1 iter_args(%b = %zero) -> (f64) {
        %p = tensor.extract %x[%k] : tensor<?xf64>
        %q = arith.mulf %p, %d : f64
        %r = math.exp %q : f64
        %u = arith.mulf %r, %w : f64
        %b_1 = arith.addf %b, %u : f64
        scf.yield %b_1 : f64
      }
      scf.yield %sum : f64
    } else {
      scf.yield %w : f64
    }
    %a_1 = arith.addf %a, %v : f64
    scf.yield %a_1 : f64
  }
  return %s, %t : f64, f64
}

// -----

// In kernels, another thread may read what is added to; nothing of the loop does.

// RUN: ad-opt %s --split-input-file --ad-join-sweeps='in-kernels=1' --ad-canonicalize --cse \
// RUN:   | FileCheck %s --check-prefix=KERNEL

// KERNEL-LABEL: func @backwards
// KERNEL-COUNT-2: scf.for
// KERNEL-LABEL: func @in_kernel
// KERNEL:         scf.forall
// KERNEL:           scf.for
// KERNEL:             math.exp
// KERNEL:             memref.atomic_rmw addf
// KERNEL-NOT:     soac.map
// KERNEL:         return
func.func @in_kernel(%x: tensor<?xf64>, %bar: memref<?xf64>, %out: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %numbers = soac.iota %n : tensor<?xindex>
  scf.forall (%t) in (%n) {
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
      %e = tensor.extract %x[%i] : tensor<?xf64>
      %f = math.exp %e : f64
      %a_1 = arith.addf %a, %f : f64
      scf.yield %a_1 : f64
    }
    soac.map ins(%numbers : tensor<?xindex>) (%i: index) -> () {
      %e = tensor.extract %x[%i] : tensor<?xf64>
      %f = math.exp %e : f64
      %old = memref.atomic_rmw addf %f, %bar[%i] : (f64, memref<?xf64>) -> f64
      soac.yield
    }
    memref.store %s, %out[%t] : memref<?xf64>
  }
  return
}

// -----

// What it adds to is read in between.

// KERNEL-LABEL: func @read_between
// KERNEL:         scf.for
// KERNEL:         memref.load
// KERNEL:         soac.map
func.func @read_between(%x: tensor<?xf64>, %bar: memref<?xf64>, %out: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %numbers = soac.iota %n : tensor<?xindex>
  scf.forall (%t) in (%n) {
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
      %e = tensor.extract %x[%i] : tensor<?xf64>
      %f = math.exp %e : f64
      %a_1 = arith.addf %a, %f : f64
      scf.yield %a_1 : f64
    }
    %before = memref.load %bar[%t] : memref<?xf64>
    soac.map ins(%numbers : tensor<?xindex>) (%i: index) -> () {
      %e = tensor.extract %x[%i] : tensor<?xf64>
      %f = math.exp %e : f64
      %old = memref.atomic_rmw addf %f, %bar[%i] : (f64, memref<?xf64>) -> f64
      soac.yield
    }
    %r = arith.addf %s, %before : f64
    memref.store %r, %out[%t] : memref<?xf64>
  }
  return
}

// -----

// What is read from memory, or called, may be something else the next time.

// CHECK-LABEL: func @memory
// CHECK:         scf.for
// CHECK:         math.exp
// CHECK:         scf.for
// CHECK:         math.exp
func.func @memory(%m: memref<?xf64>, %at: index, %q: f64, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %x = memref.load %m[%at] : memref<?xf64>
  memref.store %q, %m[%c1] : memref<?xf64>
  %y = memref.load %m[%at] : memref<?xf64>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %g = arith.mulf %f, %x : f64
    %h = math.exp %g : f64
    %a_1 = arith.addf %a, %h : f64
    scf.yield %a_1 : f64
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %g = arith.mulf %f, %y : f64
    %h = math.exp %g : f64
    %a_1 = arith.addf %a, %h : f64
    scf.yield %a_1 : f64
  }
  return %s, %t : f64, f64
}

// -----

// Loops that count with numbers of another type stay; so do those that an assertion is between; and what carries another
// result of the same operation is not the same.

// CHECK-LABEL: func @other_types
// CHECK:         scf.for {{.*}} : i32
// CHECK:         scf.for {{.*}} : i64
func.func @other_types() -> (f64, f64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %d0 = arith.constant 0 : i64
  %d1 = arith.constant 1 : i64
  %d8 = arith.constant 8 : i64
  %zero = arith.constant 0.0 : f64
  %s = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %zero) -> (f64) : i32 {
    %f = arith.sitofp %i : i32 to f64
    %g = math.exp %f : f64
    %a_1 = arith.addf %a, %g : f64
    scf.yield %a_1 : f64
  }
  %t = scf.for %i = %d0 to %d8 step %d1 iter_args(%a = %zero) -> (f64) : i64 {
    %k = arith.trunci %i : i64 to i32
    %f = arith.sitofp %i : i64 to f64
    %g = math.exp %f : f64
    %a_1 = arith.addf %a, %g : f64
    scf.yield %a_1 : f64
  }
  return %s, %t : f64, f64
}

// CHECK-LABEL: func @asserted
// CHECK:         scf.for
// CHECK:         cf.assert
// CHECK:         scf.for
func.func @asserted(%x: tensor<?xf64>, %o: index, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %a_1 = arith.addf %a, %f : f64
    scf.yield %a_1 : f64
  }
  %is_fine = arith.cmpi ne, %o, %c0 : index
  cf.assert %is_fine, "o is zero"
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %k = arith.remsi %i, %o : index
    %l = arith.index_cast %k : index to i64
    %m = arith.sitofp %l : i64 to f64
    %g = arith.mulf %f, %m : f64
    %a_1 = arith.addf %a, %g : f64
    scf.yield %a_1 : f64
  }
  return %s, %t : f64, f64
}

// CHECK-LABEL: func @halves
// CHECK:         %[[BOTH:.*]]:3 = scf.for
// CHECK:           %[[LOW:[a-z0-9_]+]] = arith.muli
// CHECK:           %{{.*}}, %[[HIGH:[a-z0-9_]+]] = arith.mulsi_extended
// CHECK:           scf.yield %{{.*}}, %[[LOW]], %[[HIGH]]
// CHECK:         return %[[BOTH]]#0, %[[BOTH]]#1, %[[BOTH]]#2
func.func @halves(%x: tensor<8xf64>, %d: i64) -> (f64, i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f64
  %s:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%b = %zero, %a = %one) -> (f64, i64) {
    %e = tensor.extract %x[%i] : tensor<8xf64>
    %f = math.exp %e : f64
    %b_1 = arith.addf %b, %f : f64
    %lo, %hi = arith.mulsi_extended %a, %d : i64
    scf.yield %b_1, %lo : f64, i64
  }
  %t:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%b = %zero, %a = %one) -> (f64, i64) {
    %e = tensor.extract %x[%i] : tensor<8xf64>
    %f = math.exp %e : f64
    %b_1 = arith.addf %b, %f : f64
    %lo, %hi = arith.mulsi_extended %a, %d : i64
    scf.yield %b_1, %hi : f64, i64
  }
  return %s#0, %s#1, %t#1 : f64, i64, i64
}
