// A bin that keeps its number is not written again, unless bins get few values. Signs of zeros and NaNs are those of the operator.
// RUN: ad-opt %s --lower-soac-to-loops --canonicalize --cse | FileCheck %s
// RUN: ad-opt run %s --entry=values | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt run %s --entry=many | FileCheck %s --check-prefix=MANY

// CHECK-LABEL: func.func @largest(
// CHECK: %[[BINS:.*]] = arith.muli %{{.*}}, %c32
// CHECK: %[[FEW:.*]] = arith.cmpi slt, %{{.*}}, %[[BINS]] : index
// CHECK: scf.for %{{.*}} iter_args(%[[H:.*]] = %{{.*}})
// CHECK:   scf.if
// CHECK:     %[[OLD:.*]] = tensor.extract %[[H]]
// CHECK:     %[[MAY:.*]] = arith.cmpf uge, %[[V:.*]], %[[OLD]] : f64
// CHECK:     %[[WRITES:.*]] = arith.ori %[[FEW]], %[[MAY]] : i1
// CHECK:     scf.if %[[WRITES]]
// CHECK:       tensor.insert %{{.*}} into %[[H]]
// CHECK:     } else {
// CHECK-NEXT:  scf.yield %[[H]]
func.func @largest(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %least = arith.constant 0xFFF0000000000000 : f64
  %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%dest : tensor<?xf64>)
      neutral(%least : f64) (%l: f64, %r: f64) {
    %s = arith.maximumf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<?xf64>
}

// Pairs: either number may be another one.
// CHECK-LABEL: func.func @last_smallest(
// CHECK: scf.if
// CHECK:   %[[NOT_ABOVE:.*]] = arith.cmpf ole
// CHECK:   %[[MAY:.*]] = arith.cmpf ule
// CHECK:   %[[EITHER:.*]] = arith.ori %[[MAY]], %[[NOT_ABOVE]] : i1
// CHECK:   %[[WRITES:.*]] = arith.ori %{{.*}}, %[[EITHER]] : i1
// CHECK:   scf.if %[[WRITES]]
func.func @last_smallest(%is: tensor<?xindex>, %vs: tensor<?xf64>, %ns: tensor<?xindex>, %dest: tensor<?xf64>,
    %numbers: tensor<?xindex>) -> (tensor<?xf64>, tensor<?xindex>) {
  %far = arith.constant 0x7FF0000000000000 : f64
  %none = arith.constant -1 : index
  %h:2 = soac.hist at(%is : tensor<?xindex>) ins(%vs, %ns : tensor<?xf64>, tensor<?xindex>)
      into(%dest, %numbers : tensor<?xf64>, tensor<?xindex>)
      neutral(%far, %none : f64, index) (%l: f64, %i: index, %r: f64, %j: index) {
    %right = arith.cmpf ole, %r, %l : f64
    %s = arith.minnumf %l, %r : f64
    %n = arith.select %right, %j, %i : index
    soac.yield %s, %n : f64, index
  }
  return %h#0, %h#1 : tensor<?xf64>, tensor<?xindex>
}

// A sum is another number each time, and so is a largest number that is counted.
// CHECK-LABEL: func.func @counted(
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK: return
func.func @counted(%is: tensor<?xindex>, %vs: tensor<?xf64>, %ones: tensor<?xindex>, %dest: tensor<?xf64>,
    %counts: tensor<?xindex>) -> (tensor<?xf64>, tensor<?xindex>) {
  %least = arith.constant 0xFFF0000000000000 : f64
  %none = arith.constant 0 : index
  %h:2 = soac.hist at(%is : tensor<?xindex>) ins(%vs, %ones : tensor<?xf64>, tensor<?xindex>)
      into(%dest, %counts : tensor<?xf64>, tensor<?xindex>)
      neutral(%least, %none : f64, index) (%l: f64, %i: index, %r: f64, %j: index) {
    %s = arith.maximumf %l, %r : f64
    %n = arith.addi %i, %j : index
    soac.yield %s, %n : f64, index
  }
  return %h#0, %h#1 : tensor<?xf64>, tensor<?xindex>
}

// The reciprocals show the signs of zeros.
// VALUES: [inf, inf, -inf, nan, nan, 0.25]
// VALUES: [1.0, 1.0, 0.5]
// VALUES: [2, 1, 5]
func.func @values() -> (tensor<6xf64>, tensor<3xf64>, tensor<3xindex>) {
  %one = arith.constant 1.0 : f64
  %is = arith.constant dense<[0, 1, 2, 3, 4, 5, 5, 6, -1]> : tensor<9xindex>
  %vs = arith.constant dense<[0.0, -0.0, -0.0, 0x7FF8000000000000, 1.0, 4.0, 3.0, 9.0, 9.0]> : tensor<9xf64>
  %dest = arith.constant dense<[-0.0, 0.0, -0.0, 1.0, 0x7FF8000000000000, 2.0]> : tensor<6xf64>
  %is_any = tensor.cast %is : tensor<9xindex> to tensor<?xindex>
  %vs_any = tensor.cast %vs : tensor<9xf64> to tensor<?xf64>
  %dest_any = tensor.cast %dest : tensor<6xf64> to tensor<?xf64>
  %h = func.call @largest(%is_any, %vs_any, %dest_any)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %r = soac.map ins(%h : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.divf %one, %x : f64
    soac.yield %y : f64
  }
  %at = arith.constant dense<[0, 0, 1, 2, 2, 2]> : tensor<6xindex>
  %ws = arith.constant dense<[3.0, 1.0, 0x7FF8000000000000, 0.5, 0.75, 0.5]> : tensor<6xf64>
  %ns = arith.constant dense<[1, 2, 3, 3, 4, 5]> : tensor<6xindex>
  %start = arith.constant dense<[4.0, 1.0, 0x7FF8000000000000]> : tensor<3xf64>
  %numbers = arith.constant dense<1> : tensor<3xindex>
  %at_any = tensor.cast %at : tensor<6xindex> to tensor<?xindex>
  %ws_any = tensor.cast %ws : tensor<6xf64> to tensor<?xf64>
  %ns_any = tensor.cast %ns : tensor<6xindex> to tensor<?xindex>
  %start_any = tensor.cast %start : tensor<3xf64> to tensor<?xf64>
  %numbers_any = tensor.cast %numbers : tensor<3xindex> to tensor<?xindex>
  %p:2 = func.call @last_smallest(%at_any, %ws_any, %ns_any, %start_any, %numbers_any)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xindex>, tensor<?xf64>, tensor<?xindex>)
      -> (tensor<?xf64>, tensor<?xindex>)
  %reciprocals = tensor.cast %r : tensor<?xf64> to tensor<6xf64>
  %least = tensor.cast %p#0 : tensor<?xf64> to tensor<3xf64>
  %which = tensor.cast %p#1 : tensor<?xindex> to tensor<3xindex>
  return %reciprocals, %least, %which : tensor<6xf64>, tensor<3xf64>, tensor<3xindex>
}

// Forty values for one bin, so that it is written only where it changes: the largest, and of equal numbers the last.
// MANY: [0.0]
// MANY: [39]
func.func @many() -> (tensor<1xf64>, tensor<1xindex>) {
  %n = arith.constant 40 : index
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %far = arith.constant dense<9.0> : tensor<1xf64>
  %none = arith.constant dense<-1> : tensor<1xindex>
  %ns = soac.iota %n : tensor<?xindex>
  %pairs:2 = soac.map ins(%ns : tensor<?xindex>) (%i: index) -> (tensor<?xindex>, tensor<?xf64>) {
    %part = arith.remui %i, %c5 : index
    %left = arith.subi %c5, %part : index
    %less = arith.constant 1 : index
    %from = arith.subi %left, %less : index
    %as_int = arith.index_cast %from : index to i64
    %v = arith.sitofp %as_int : i64 to f64
    soac.yield %c0, %v : index, f64
  }
  %far_any = tensor.cast %far : tensor<1xf64> to tensor<?xf64>
  %none_any = tensor.cast %none : tensor<1xindex> to tensor<?xindex>
  %h:2 = func.call @last_smallest(%pairs#0, %pairs#1, %ns, %far_any, %none_any)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xindex>, tensor<?xf64>, tensor<?xindex>)
      -> (tensor<?xf64>, tensor<?xindex>)
  %least = tensor.cast %h#0 : tensor<?xf64> to tensor<1xf64>
  %which = tensor.cast %h#1 : tensor<?xindex> to tensor<1xindex>
  return %least, %which : tensor<1xf64>, tensor<1xindex>
}
