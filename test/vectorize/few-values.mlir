// As many sums along rows as a register has lanes, fewer and more: x[s + j] = s + j + 1, added up over j.
// DEFINE: %{sums} = ad-opt run %s --entry=are_right --fast-math=contract,reductions
// RUN: %{sums} --input=1 --input=40 | FileCheck %s
// RUN: %{sums} --input=3 --input=41 | FileCheck %s
// RUN: %{sums} --input=4 --input=1 | FileCheck %s
// RUN: %{sums} --input=7 --input=19 | FileCheck %s
// RUN: %{sums} --input=8 --input=40 | FileCheck %s
// RUN: %{sums} --input=9 --input=0 | FileCheck %s
// RUN: %{sums} --input=33 --input=40 | FileCheck %s
// RUN: %{sums} --input=0 --input=40 | FileCheck %s
// CHECK: true

func.func @are_right(%shifts: index, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %yes = arith.constant true
  %length = arith.addi %shifts, %n : index
  %ones = tensor.splat %one[%length] : tensor<?xf64>
  // A scan, which is computed before it is read.
  %x = soac.scan ins(%ones : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %next = arith.addf %a, %b : f64
    soac.yield %next : f64
  }
  %steps = soac.iota %n : tensor<?xindex>
  %numbers = soac.iota %shifts : tensor<?xindex>
  %sums = soac.map ins(%numbers : tensor<?xindex>) (%shift: index) -> tensor<?xf64> {
    %values = soac.map ins(%steps : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %at = arith.addi %shift, %j : index
      %value = tensor.extract %x[%at] : tensor<?xf64>
      soac.yield %value : f64
    }
    %sum = soac.reduce ins(%values : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %next = arith.addf %a, %b : f64
      soac.yield %next : f64
    }
    soac.yield %sum : f64
  }
  %are_right = scf.for %shift = %c0 to %shifts step %c1 iter_args(%before = %yes) -> (i1) {
    // n s + n (n + 1) / 2
    %more = arith.addi %n, %c1 : index
    %square = arith.muli %n, %more : index
    %half = arith.shrsi %square, %c1 : index
    %all = arith.muli %n, %shift : index
    %exact = arith.addi %all, %half : index
    %number = arith.index_cast %exact : index to i64
    %wanted = arith.sitofp %number : i64 to f64
    %sum = tensor.extract %sums[%shift] : tensor<?xf64>
    %same = arith.cmpf oeq, %sum, %wanted : f64
    %both = arith.andi %before, %same : i1
    scf.yield %both : i1
  }
  return %are_right : i1
}
