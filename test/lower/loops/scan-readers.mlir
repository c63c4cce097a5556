// A scan that only cheap maps and a reduction read runs in their loop, and its results are not stored.
// RUN: ad-opt %s --lower-soac-to-loops --canonicalize --cse | FileCheck %s
// RUN: ad-opt run %s --entry=values | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt run %s --entry=no_element | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=one_element | FileCheck %s --check-prefix=ONE

// Running sums (1, 3, 6) with the weights (1, 10, 100): 1 + 30 + 600 = 631.
// Exclusive reversed sums (5, 3, 0), those of their doubles (10, 6, 0) are (6, 0, 0), and the
// differences (5 - 6, 3 - 0, 0 - 0) = (-1, 3, 0).
// VALUES:      631.0
// VALUES-NEXT: [-1.0, 3.0, 0.0]
// NONE:        0.0
// NONE-NEXT:   []
// ONE:         2.0
// ONE-NEXT:    [0.0]

// CHECK-LABEL: func.func @weighted(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?xf64> {{[^,]*}}, %[[W:[a-z0-9]+]]: tensor<?xf64>
// CHECK-NOT:     tensor.empty
// CHECK:         %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}) -> (f64, f64) {
// CHECK-DAG:       %[[XI:.*]] = tensor.extract %[[X]]
// CHECK-DAG:       %[[WI:.*]] = tensor.extract %[[W]]
// CHECK-DAG:       %[[NEXT:.*]] = arith.addf %[[S]], %[[XI]]
// CHECK:           %[[P:.*]] = arith.mulf %[[NEXT]], %[[WI]]
// CHECK:           %[[SUM:.*]] = arith.addf %[[T]], %[[P]]
// CHECK:           scf.yield %[[SUM]], %[[NEXT]]
// CHECK:         return %[[R]]#0
func.func @weighted(%x: tensor<?xf64>, %w: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sums = soac.scan ins(%x : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  %terms = soac.map ins(%sums, %w : tensor<?xf64>, tensor<?xf64>) (%s: f64, %v: f64) -> tensor<?xf64> {
    %p = arith.mulf %s, %v : f64
    soac.yield %p : f64
  }
  %sum = soac.reduce ins(%terms : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  return %sum : f64
}

// Two scans backwards, of which one reads the other's results by way of a map.
// CHECK-LABEL: func.func @differences(
// CHECK-COUNT-1: tensor.empty
// CHECK-NOT:     tensor.empty
// CHECK:         scf.for {{.*}} -> (tensor<?xf64>, f64, f64) {
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @differences(%x: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %sums = soac.scan ins(%x : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64)
      attributes {exclusive, reverse} {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  %more = soac.scan ins(%x : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64)
      attributes {exclusive, reverse} {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  %doubles = soac.map ins(%more : tensor<?xf64>) (%s: f64) -> tensor<?xf64> {
    %d = arith.mulf %s, %two : f64
    soac.yield %d : f64
  }
  %twice = soac.scan ins(%doubles : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64)
      attributes {exclusive, reverse} {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  %differences = soac.map ins(%sums, %twice : tensor<?xf64>, tensor<?xf64>) (%s: f64, %t: f64)
      -> tensor<?xf64> {
    %d = arith.subf %s, %t : f64
    soac.yield %d : f64
  }
  return %differences : tensor<?xf64>
}

// Scans that go different ways have loops of their own, but for one.
// CHECK-LABEL: func.func @both_ways(
// CHECK:         scf.for {{.*}} -> (f64, tensor<?xf64>) {
// CHECK:         scf.for {{.*}} -> (tensor<?xf64>, f64) {
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @both_ways(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %up = soac.scan ins(%x : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  %down = soac.scan ins(%y : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64)
      attributes {reverse} {
    %s = arith.maximumf %a, %b : f64
    soac.yield %s : f64
  }
  %products = soac.map ins(%up, %down : tensor<?xf64>, tensor<?xf64>) (%s: f64, %t: f64)
      -> tensor<?xf64> {
    %p = arith.mulf %s, %t : f64
    soac.yield %p : f64
  }
  return %products : tensor<?xf64>
}

// What gains from vectors, and what is read elsewhere, too, is stored.
// CHECK-LABEL: func.func @stored(
// CHECK:         %[[SUMS:.*]]:2 = scf.for {{.*}} -> (f64, tensor<?xf64>) {
// CHECK:         scf.for {{.*}} -> (tensor<?xf64>) {
// CHECK:           math.exp
func.func @stored(%x: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %sums = soac.scan ins(%x : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  %exps = soac.map ins(%sums : tensor<?xf64>) (%s: f64) -> tensor<?xf64> {
    %e = math.exp %s : f64
    soac.yield %e : f64
  }
  return %exps : tensor<?xf64>
}

func.func @both(%x: tensor<?xf64>, %w: tensor<?xf64>) -> (f64, tensor<?xf64>) {
  %s = call @weighted(%x, %w) : (tensor<?xf64>, tensor<?xf64>) -> f64
  %d = call @differences(%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %s, %d : f64, tensor<?xf64>
}

func.func @values() -> (f64, tensor<?xf64>) {
  %x = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %w = arith.constant dense<[1.0, 10.0, 100.0]> : tensor<3xf64>
  %xs = tensor.cast %x : tensor<3xf64> to tensor<?xf64>
  %ws = tensor.cast %w : tensor<3xf64> to tensor<?xf64>
  %r:2 = call @both(%xs, %ws) : (tensor<?xf64>, tensor<?xf64>) -> (f64, tensor<?xf64>)
  return %r#0, %r#1 : f64, tensor<?xf64>
}

func.func @no_element() -> (f64, tensor<?xf64>) {
  %x = arith.constant dense<[]> : tensor<0xf64>
  %xs = tensor.cast %x : tensor<0xf64> to tensor<?xf64>
  %r:2 = call @both(%xs, %xs) : (tensor<?xf64>, tensor<?xf64>) -> (f64, tensor<?xf64>)
  return %r#0, %r#1 : f64, tensor<?xf64>
}

func.func @one_element() -> (f64, tensor<?xf64>) {
  %x = arith.constant dense<[1.0]> : tensor<1xf64>
  %w = arith.constant dense<[2.0]> : tensor<1xf64>
  %xs = tensor.cast %x : tensor<1xf64> to tensor<?xf64>
  %ws = tensor.cast %w : tensor<1xf64> to tensor<?xf64>
  %r:2 = call @both(%xs, %ws) : (tensor<?xf64>, tensor<?xf64>) -> (f64, tensor<?xf64>)
  return %r#0, %r#1 : f64, tensor<?xf64>
}
