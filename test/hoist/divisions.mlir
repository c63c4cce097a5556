// A remainder or a rounded quotient stays behind a loop that may not run, unless its divisor is known not to fail: upstream takes them as harmless.
// RUN: ad-opt %s --ad-hoist | FileCheck %s

// CHECK-LABEL: func.func @remainders(
// CHECK-DAG: arith.remsi %{{.*}}, %c5
// CHECK-DAG: arith.remui %{{.*}}, %c5
// CHECK-DAG: arith.floordivsi %{{.*}}, %c5
// CHECK: scf.for
// CHECK:   arith.remsi %arg1, %arg0
// CHECK:   arith.remui %arg1, %arg0
// CHECK:   arith.floordivsi %arg1, %arg0
// CHECK:   arith.remsi %arg1, %c-1
func.func @remainders(%n: index, %k: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %minus = arith.constant -1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (index) {
    %a = arith.remsi %k, %c5 : index
    %b = arith.remui %k, %c5 : index
    %c = arith.floordivsi %k, %c5 : index
    %d = arith.remsi %k, %n : index
    %e = arith.remui %k, %n : index
    %f = arith.floordivsi %k, %n : index
    %g = arith.remsi %k, %minus : index
    %0 = arith.addi %s, %a : index
    %1 = arith.addi %0, %b : index
    %2 = arith.addi %1, %c : index
    %3 = arith.addi %2, %d : index
    %4 = arith.addi %3, %e : index
    %5 = arith.addi %4, %f : index
    %6 = arith.addi %5, %g : index
    scf.yield %6 : index
  }
  return %sum : index
}
