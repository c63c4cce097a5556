// Scans of integers give the same on any number of threads, in any order and with what reads them in the same loop.
// RUN: rm -rf %t.1 %t.2 %t.3 %t.11
// RUN: ad-opt run %s --entry=all --input=300001 --output-dir=%t.1
// RUN: ad-opt run %s --entry=all --input=300001 --output-dir=%t.2 --threads=2
// RUN: ad-opt run %s --entry=all --input=300001 --output-dir=%t.3 --threads=3
// RUN: ad-opt run %s --entry=all --input=300001 --output-dir=%t.11 --threads=11
// RUN: diff -r %t.1 %t.2 && diff -r %t.1 %t.3 && diff -r %t.1 %t.11
// RUN: ad-opt run %s --entry=all --input=5 --threads=3 | FileCheck %s

// CHECK: [0, 1, 3, 6, 10]
// CHECK: [0, 1, 1, 2, 2]
// CHECK: [188, 186, 132, 68, 0]
// CHECK: 15
func.func @all(%n: index) -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %m = arith.constant -1 : i64
  %is = soac.iota %n : tensor<?xi64>
  %ms = soac.replicate %m, %n : i64 -> tensor<?xi64>
  %sums = soac.scan ins(%is : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  // y = i - y for each i: the order of the operands matters.
  %differences:2 = soac.scan ins(%ms, %is : tensor<?xi64>, tensor<?xi64>) neutral(%one, %zero : i64, i64)
      (%a: i64, %p: i64, %c: i64, %q: i64) {
    %slope = arith.muli %a, %c : i64
    %t = arith.muli %c, %p : i64
    %s = arith.addi %t, %q : i64
    soac.yield %slope, %s : i64, i64
  }
  // z = 2 z + i^2 + 1 from the end, without the last, and what a map makes of it.
  %two = arith.constant 2 : i64
  %squares = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> tensor<?xi64> {
    %square = arith.muli %i, %i : i64
    %more = arith.addi %square, %one : i64
    soac.yield %more : i64
  }
  %twos = soac.replicate %two, %n : i64 -> tensor<?xi64>
  %from_end:2 = soac.scan ins(%twos, %squares : tensor<?xi64>, tensor<?xi64>) neutral(%one, %zero : i64, i64)
      (%a: i64, %p: i64, %c: i64, %q: i64) attributes {exclusive, reverse} {
    %slope = arith.muli %a, %c : i64
    %t = arith.muli %a, %q : i64
    %s = arith.addi %p, %t : i64
    soac.yield %slope, %s : i64, i64
  }
  %products = soac.map ins(%from_end#1, %is : tensor<?xi64>, tensor<?xi64>) (%z: i64, %i: i64) -> tensor<?xi64> {
    %next = arith.addi %i, %one : i64
    %product = arith.muli %z, %next : i64
    soac.yield %product : i64
  }
  // A sum of a scan of odd numbers and signs.
  %signs = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> tensor<?xi64> {
    %twice = arith.addi %i, %i : i64
    %odd = arith.addi %twice, %one : i64
    soac.yield %odd : i64
  }
  %odds:2 = soac.scan ins(%ms, %signs : tensor<?xi64>, tensor<?xi64>) neutral(%one, %zero : i64, i64)
      (%a: i64, %p: i64, %c: i64, %q: i64) {
    %slope = arith.muli %a, %c : i64
    %t = arith.muli %c, %p : i64
    %s = arith.addi %t, %q : i64
    soac.yield %slope, %s : i64, i64
  }
  %sum = soac.reduce ins(%odds#1 : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  return %sums, %differences#1, %products, %sum : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, i64
}
