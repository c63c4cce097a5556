// What a map computes of rows that it looks up is computed once for each row, as far as that is costly.
// RUN: ad-opt %s --ad-tabulate --canonicalize --cse | FileCheck %s

// The function of a sine is in a table, the product is computed for each element. Where there are fewer elements than
// rows, the table is of the rows that are read.
// CHECK-LABEL: func.func @sine(
// CHECK-SAME: %[[XS:.*]]: tensor<?x2xf64>, %[[IS:.*]]: tensor<?xi64>
// CHECK: %[[N:.*]] = tensor.dim %[[XS]]
// CHECK: %[[ALL:.*]] = soac.iota %[[N]]
// CHECK: %[[FEW:.*]] = arith.cmpi sle
// CHECK: %[[ROWS:.*]] = scf.if %[[FEW]]
// CHECK: } else {
// CHECK:   scf.yield %[[ALL]]
// CHECK: %[[TABLE:.*]] = soac.map ins(%[[ROWS]] : tensor<?xindex>) (%[[R:.*]]: index) -> tensor<?xf64>
// CHECK:   %[[X:.*]] = tensor.extract %[[XS]][%[[R]], %{{.*}}]
// CHECK:   %[[SIN:.*]] = math.sin %[[X]]
// CHECK:   %[[EXP:.*]] = math.exp %[[SIN]]
// CHECK:   soac.yield %[[EXP]]
// CHECK: soac.map ins(%[[IS]], {{.*}}) (%{{.*}}: i64, %[[T:.*]]: f64, %[[NUMBER:.*]]: index)
// CHECK-NOT: math.
// CHECK:   %[[I:.*]] = arith.index_cast
// CHECK-NEXT: %[[ROW:.*]] = arith.select %[[FEW]], %[[NUMBER]], %[[I]]
// CHECK-NEXT: %[[SINE:.*]] = tensor.extract %[[TABLE]][%[[ROW]]]
// CHECK-NEXT: %[[X1:.*]] = tensor.extract %[[XS]][%[[I]], %{{.*}}]
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[SINE]], %[[T]]
// CHECK-NEXT: arith.mulf %[[P]], %[[X1]]
func.func @sine(%xs: tensor<?x2xf64>, %is: tensor<?xi64>, %ts: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zs = soac.map ins(%is, %ts : tensor<?xi64>, tensor<?xf64>) (%id: i64, %t: f64) -> tensor<?xf64> {
    %i = arith.index_cast %id : i64 to index
    %x0 = tensor.extract %xs[%i, %c0] : tensor<?x2xf64>
    %x1 = tensor.extract %xs[%i, %c1] : tensor<?x2xf64>
    %sin = math.sin %x0 : f64
    %exp = math.exp %sin : f64
    %p = arith.mulf %exp, %t : f64
    %z = arith.mulf %p, %x1 : f64
    soac.yield %z : f64
  }
  return %zs : tensor<?xf64>
}

// Two arrays have a row of the number; numbers of two types, one of them from a branch on an element.
// CHECK-LABEL: func.func @types(
// CHECK-SAME: %[[XS:[a-z0-9]*]]: tensor<?xf64>, %[[YS:[a-z0-9]*]]: tensor<?xf32>
// CHECK-DAG: %[[NX:.*]] = tensor.dim %[[XS]]
// CHECK-DAG: %[[NY:.*]] = tensor.dim %[[YS]]
// CHECK: %[[N:.*]] = arith.minsi %[[NX]], %[[NY]]
// CHECK: soac.iota %[[N]]
// CHECK: scf.if
// CHECK: %[[TABLES:.*]]:2 = soac.map {{.*}} -> (tensor<?x2xf64>, tensor<?xf32>)
// CHECK-NOT: scf.if
// CHECK:   tensor.from_elements {{.*}} : tensor<2xf64>
// CHECK: soac.map
// CHECK-NOT: math.
// CHECK:   tensor.extract %[[TABLES]]#0[%[[I:.*]], %c0]
// CHECK:   tensor.extract %[[TABLES]]#0[%[[I]], %c1]
// CHECK:   tensor.extract %[[TABLES]]#1[%[[I]]]
// CHECK-NOT: math.
// CHECK: return
func.func @types(%xs: tensor<?xf64>, %ys: tensor<?xf32>, %is: tensor<?xindex>, %ts: tensor<?xf32>)
    -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f32
  %zs = soac.map ins(%is, %ts : tensor<?xindex>, tensor<?xf32>) (%i: index, %t: f32) -> tensor<?xf64> {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %y = tensor.extract %ys[%i] : tensor<?xf32>
    %sin = math.sin %x : f64
    %cos = math.cos %x : f64
    %is_positive = arith.cmpf ogt, %t, %zero : f32
    %c = scf.if %is_positive -> f32 {
      %e = math.exp %y : f32
      %f = arith.mulf %e, %t : f32
      scf.yield %f : f32
    } else {
      scf.yield %t : f32
    }
    %wide = arith.extf %c : f32 to f64
    %p = arith.mulf %sin, %wide : f64
    %z = arith.divf %cos, %p : f64
    soac.yield %z : f64
  }
  return %zs : tensor<?xf64>
}

// A branch on the row's own numbers is in the table as a whole. The sum of two exponentials, which are
// read nowhere else, is one number; so is what is made of that alone.
// CHECK-LABEL: func.func @joined(
// CHECK: %[[TABLE:.*]] = soac.map {{.*}} -> tensor<?x2xf64>
// CHECK:   %[[BRANCH:.*]] = scf.if
// CHECK:   %[[A:.*]] = math.exp
// CHECK:   %[[B:.*]] = math.exp
// CHECK:   %[[SUM:.*]] = arith.addf %[[A]], %[[B]]
// CHECK:   %[[NEGATED:.*]] = arith.negf %[[SUM]]
// CHECK:   tensor.from_elements %[[BRANCH]], %[[NEGATED]]
// CHECK: soac.map
// CHECK:   tensor.extract %[[TABLE]]
// CHECK:   tensor.extract %[[TABLE]]
// CHECK-NOT: tensor.extract
// CHECK-NOT: scf.if
// CHECK: return
func.func @joined(%xs: tensor<4xf64>, %is: tensor<?xindex>, %ts: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %zs = soac.map ins(%is, %ts : tensor<?xindex>, tensor<?xf64>) (%i: index, %t: f64) -> tensor<?xf64> {
    %x = tensor.extract %xs[%i] : tensor<4xf64>
    %is_positive = arith.cmpf ogt, %x, %zero : f64
    %root = scf.if %is_positive -> f64 {
      %r = math.sqrt %x : f64
      scf.yield %r : f64
    } else {
      scf.yield %zero : f64
    }
    %double = arith.addf %x, %x : f64
    %a = math.exp %x : f64
    %b = math.exp %double : f64
    %sum = arith.addf %a, %b : f64
    %negated = arith.negf %sum : f64
    %p = arith.mulf %negated, %t : f64
    %q = arith.mulf %root, %t : f64
    %z = arith.addf %p, %q : f64
    soac.yield %z : f64
  }
  return %zs : tensor<?xf64>
}

// What is cheap to compute of stored numbers is not stored beside them.
// CHECK-LABEL: func.func @recomputed(
// CHECK: %[[TABLE:.*]] = soac.map {{.*}} -> tensor<?xf64>
// CHECK: soac.map
// CHECK:   %[[EXP:.*]] = tensor.extract %[[TABLE]]
// CHECK:   arith.negf %[[EXP]]
// CHECK:   arith.mulf %[[EXP]], %[[EXP]]
func.func @recomputed(%xs: tensor<?xf64>, %is: tensor<?xindex>) -> (tensor<?xf64>, tensor<?xf64>) {
  %ys, %zs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> (tensor<?xf64>, tensor<?xf64>) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %s = math.sin %x : f64
    %e = math.exp %s : f64
    %y = arith.negf %e : f64
    %z = arith.mulf %e, %e : f64
    soac.yield %y, %z : f64, f64
  }
  return %ys, %zs : tensor<?xf64>, tensor<?xf64>
}
