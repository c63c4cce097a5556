// What counts as how much work. Sizes that change from one iteration to the next count as what they are on average.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-parallelize{threads=2 min-work=1000000},canonicalize,cse)' | FileCheck %s

// A row of a triangle has (n + 1) / 2 elements on average. Each of them is one operation and one iteration.
// CHECK-LABEL: func.func @triangle(
// CHECK-SAME: %[[XSS:[a-z0-9]+]]: tensor<?x?xf64>
// CHECK: %[[N:.*]] = tensor.dim %[[XSS]], %c0
// CHECK: %[[HALF:.*]] = arith.ceildivsi %[[N]], %c2
// CHECK: %[[ROW:.*]] = arith.addi %[[HALF]], %c1
// CHECK: %[[ELEMENTS:.*]] = arith.muli %[[ROW]], %c2
// CHECK: %[[EACH:.*]] = arith.addi %[[ELEMENTS]], %{{.*}}
// CHECK: %[[WORK:.*]] = arith.muli %[[N]], %[[EACH]]
// CHECK: arith.cmpi sge, %[[WORK]], %c1000000
func.func @triangle(%xss: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %xss, %c0 : tensor<?x?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %ys = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %m = arith.addi %i, %c1 : index
    %js = soac.iota %m : tensor<?xindex>
    %sum = soac.reduce ins(%js : tensor<?xindex>) neutral(%c0 : index) (%a: index, %b: index) {
      %c = arith.addi %a, %b : index
      soac.yield %c : index
    }
    %y = tensor.extract %xss[%i, %sum] : tensor<?x?xf64>
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}

// The loop of row i starts there: 10^4 rows of 50 iterations on average, of which each is one operation and one iteration.
// CHECK-LABEL: func.func @rest_of_rows(
// CHECK: scf.forall (%{{.*}}) in (2)
// As many rows of eight iterations, which loops that depend on data count as, are not enough.
// CHECK-LABEL: func.func @by_data(
// CHECK-NOT: scf.forall
// CHECK: return
func.func @rest_of_rows(%xss: tensor<10000x100xf64>) -> tensor<10000xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0.0 : f64
  %is = soac.iota : tensor<100xindex>
  %ys = soac.map ins(%xss : tensor<10000x100xf64>) (%xs: tensor<100xf64>) -> tensor<10000xf64> {
    %row = soac.map ins(%is : tensor<100xindex>) (%i: index) -> tensor<100xf64> {
      %y = scf.for %j = %i to %c100 step %c1 iter_args(%sum = %zero) -> f64 {
        %next = arith.addf %sum, %sum : f64
        scf.yield %next : f64
      }
      soac.yield %y : f64
    }
    %y = tensor.extract %row[%c0] : tensor<100xf64>
    soac.yield %y : f64
  }
  return %ys : tensor<10000xf64>
}
func.func @by_data(%ns: tensor<10000xindex>) -> tensor<10000xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %ys = soac.map ins(%ns : tensor<10000xindex>) (%n: index) -> tensor<10000xf64> {
    %y = scf.for %j = %c0 to %n step %c1 iter_args(%sum = %zero) -> f64 {
      %next = arith.addf %sum, %sum : f64
      scf.yield %next : f64
    }
    soac.yield %y : f64
  }
  return %ys : tensor<10000xf64>
}

// A step of a scan and an update wait for the one before: 10^5 of them are more work than as many additions. A division of
// vectors takes as long as of numbers one by one.
// CHECK-LABEL: func.func @sums(
// CHECK-NOT: scf.forall
// CHECK-LABEL: func.func @bins(
// CHECK: scf.forall (%{{.*}}) in (2)
// CHECK-LABEL: func.func @quotients(
// CHECK: scf.forall (%{{.*}}) in (2)
func.func @sums(%xs: tensor<150000xf64>) -> tensor<150000xf64> {
  %ys = arith.addf %xs, %xs : tensor<150000xf64>
  return %ys : tensor<150000xf64>
}
func.func @bins(%xs: tensor<150000xf64>, %at: tensor<150000xindex>, %start: tensor<100xf64>) -> tensor<100xf64> {
  %zero = arith.constant 0.0 : f64
  %h = soac.hist at(%at : tensor<150000xindex>) ins(%xs : tensor<150000xf64>) into(%start : tensor<100xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<100xf64>
}
func.func @quotients(%xs: tensor<150000xf64>) -> tensor<150000xf64> {
  %ys = arith.divf %xs, %xs : tensor<150000xf64>
  return %ys : tensor<150000xf64>
}
