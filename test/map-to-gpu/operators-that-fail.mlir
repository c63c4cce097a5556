// An operator that divides is applied to no numbers but those of elements in front of each other, and to neutral elements:
// threads without a partner in their subgroup were given what any other thread had.
// RUN: %python %S/../driver/Inputs/npy.py %t.last.npy '<i8' '(32,)' 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 5
// RUN: %python %S/../driver/Inputs/npy.py %t.first.npy '<i8' '(32,)' 5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// RUN: ad-opt run %s --entry=reduce --input=%t.last.npy | FileCheck %s --check-prefix=REDUCE
// RUN: ad-opt run %s --entry=reduce --input=%t.last.npy --target=gpu-emulate | FileCheck %s --check-prefix=REDUCE
// RUN: ad-opt run %s --entry=scan --input=%t.first.npy | FileCheck %s --check-prefix=SCAN
// RUN: ad-opt run %s --entry=scan --input=%t.first.npy --target=gpu-emulate | FileCheck %s --check-prefix=SCAN
// RUN: ad-opt run %s --entry=before --input=%t.first.npy | FileCheck %s --check-prefix=BEFORE
// RUN: ad-opt run %s --entry=before --input=%t.first.npy --target=gpu-emulate | FileCheck %s --check-prefix=BEFORE

// Sums are 0 or 5, and 100 / (10 - 5) is 20. The sum of both, 10, is that of no elements.
// REDUCE: 5
// REDUCE-NEXT: 20
func.func @reduce(%x: tensor<?xi64>) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %ten = arith.constant 10 : i64
  %hundred = arith.constant 100 : i64
  %r:2 = soac.reduce ins(%x, %x : tensor<?xi64>, tensor<?xi64>) neutral(%zero, %zero : i64, i64) (%a: i64, %b: i64, %c: i64, %d: i64) {
    %s = arith.addi %a, %c : i64
    %q = arith.subi %ten, %s : i64
    %v = arith.divsi %hundred, %q : i64
    %w = arith.maxsi %b, %d : i64
    %t = arith.maxsi %v, %w : i64
    soac.yield %s, %t : i64, i64
  }
  return %r#0, %r#1 : i64, i64
}
// SCAN: [5, 5, 5, 5,
// SCAN: [20, 20, 20, 20,
func.func @scan(%x: tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>) {
  %zero = arith.constant 0 : i64
  %ten = arith.constant 10 : i64
  %hundred = arith.constant 100 : i64
  %r:2 = soac.scan ins(%x, %x : tensor<?xi64>, tensor<?xi64>) neutral(%zero, %zero : i64, i64) (%a: i64, %b: i64, %c: i64, %d: i64) {
    %s = arith.addi %a, %c : i64
    %q = arith.subi %ten, %s : i64
    %v = arith.divsi %hundred, %q : i64
    %w = arith.maxsi %b, %d : i64
    %t = arith.maxsi %v, %w : i64
    soac.yield %s, %t : i64, i64
  }
  return %r#0, %r#1 : tensor<?xi64>, tensor<?xi64>
}
// BEFORE: [0, 5, 5, 5,
func.func @before(%x: tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>) {
  %zero = arith.constant 0 : i64
  %ten = arith.constant 10 : i64
  %hundred = arith.constant 100 : i64
  %r:2 = soac.scan ins(%x, %x : tensor<?xi64>, tensor<?xi64>) neutral(%zero, %zero : i64, i64) (%a: i64, %b: i64, %c: i64, %d: i64) attributes {exclusive} {
    %s = arith.addi %a, %c : i64
    %q = arith.subi %ten, %s : i64
    %v = arith.divsi %hundred, %q : i64
    %w = arith.maxsi %b, %d : i64
    %t = arith.maxsi %v, %w : i64
    soac.yield %s, %t : i64, i64
  }
  return %r#0, %r#1 : tensor<?xi64>, tensor<?xi64>
}
