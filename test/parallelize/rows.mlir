// Maps and elementwise operations write their chunks into shared results; reductions are combined twice.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-parallelize{threads=4 min-work=65536},canonicalize,cse)' | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-parallelize{threads=1 min-work=0},canonicalize,cse)' | FileCheck %s --check-prefix=ONE
// RUN: ad-opt %s --ad-parallelize='threads=4 min-work=65536' --remarks-filter-analyse=ad-parallelize 2>&1 | FileCheck %s --check-prefix=REMARK

// ONE-NOT: scf.forall
// REMARK: remark: [Analysis] split | Category:ad-parallelize | count=10

// Four equal chunks: every size is known. The work is known, too, so that there is nothing to decide.
// CHECK-LABEL: func.func @static(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<100000xf64>
// CHECK-NOT: select
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<100000xf64>
// CHECK: scf.forall (%[[T:.*]]) in (4) shared_outs(%[[OUT:.*]] = %[[EMPTY]]) -> (tensor<100000xf64>) {
// CHECK: %[[START:.*]] = arith.muli %[[T]], %c25000
// CHECK: %[[X:.*]] = tensor.extract_slice %[[XS]][%[[START]]] [25000] [1]
// CHECK: %[[Y:.*]] = soac.map ins(%[[X]] : tensor<25000xf64>)
// CHECK: tensor.parallel_insert_slice %[[Y]] into %[[OUT]][%[[START]]] [25000] [1]
func.func @static(%xs: tensor<100000xf64>) -> tensor<100000xf64> {
  %ys = soac.map ins(%xs : tensor<100000xf64>) (%x: f64) -> tensor<100000xf64> {
    %y = arith.mulf %x, %x : f64
    soac.yield %y : f64
  }
  return %ys : tensor<100000xf64>
}

// Too little work, and too few rows.
// CHECK-LABEL: func.func @small(
// CHECK-NOT: scf.forall
// CHECK: return
func.func @small(%xs: tensor<1000xf64>, %yss: tensor<3x100000xf64>) -> (tensor<1000xf64>, tensor<3x100000xf64>) {
  %ys = arith.mulf %xs, %xs : tensor<1000xf64>
  %zss = soac.map ins(%yss : tensor<3x100000xf64>) (%x: tensor<100000xf64>) -> tensor<3x100000xf64> {
    %y = arith.mulf %x, %x : tensor<100000xf64>
    soac.yield %y : tensor<100000xf64>
  }
  return %ys, %zss : tensor<1000xf64>, tensor<3x100000xf64>
}

// The number of chunks depends on sizes: all rows are one chunk where that is better. The work counts the row, too.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[XSS:[a-z0-9]+]]: tensor<?x?xf64>
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[XSS]], %c0
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[XSS]], %c1
// CHECK-DAG: %[[ROW:.*]] = arith.muli %[[M]], %c{{.*}}
// CHECK: %[[WORK:.*]] = arith.muli %[[N]],
// CHECK-DAG: %[[WIDE:.*]] = arith.cmpi sge, %[[N]], %c4
// CHECK-DAG: %[[LONG:.*]] = arith.cmpi sge, %[[WORK]], %c65536
// CHECK: %[[LARGE:.*]] = arith.andi %[[WIDE]], %[[LONG]]
// CHECK: %[[COUNT:.*]] = arith.select %[[LARGE]], %c4, %c1
// CHECK: %[[A:.*]] = tensor.empty(%[[N]]) : tensor<?xf64>
// CHECK: %[[B:.*]] = tensor.empty(%[[N]], %[[M]]) : tensor<?x?xf64>
// CHECK: scf.forall (%{{.*}}) in (%[[COUNT]]) shared_outs(%{{.*}} = %[[A]], %{{.*}} = %[[B]])
// CHECK: soac.map
// CHECK: tensor.parallel_insert_slice %{{.*}}#0 into %{{.*}}[%[[OFFSET:.*]]] [%[[SIZE:.*]]] [1]
// CHECK: tensor.parallel_insert_slice %{{.*}}#1 into %{{.*}}[%[[OFFSET]], 0] [%[[SIZE]], %{{.*}}] [1, 1]
func.func @dynamic(%xss: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>) {
  %zero = arith.constant 0.0 : f64
  %sums, %squares = soac.map ins(%xss : tensor<?x?xf64>) (%xs: tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>) {
    %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
      %y = arith.mulf %x, %x : f64
      soac.yield %y : f64
    }
    %s = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %t = arith.addf %l, %r : f64
      soac.yield %t : f64
    }
    soac.yield %s, %ys : f64, tensor<?xf64>
  }
  return %sums, %squares : tensor<?xf64>, tensor<?x?xf64>
}

// A map that a reduction alone reads runs in the loop of the reduction, in chunks; virtual arrays stay virtual.
// CHECK-LABEL: func.func @fused(
// CHECK-NOT: soac.map
// CHECK: %[[PARTS:.*]] = scf.forall (%[[T:.*]]) in (%[[COUNT:.*]]) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<?xf64>) {
// CHECK: %[[IOTA:.*]] = soac.iota %[[SIZE:.*]] : tensor<?xindex>
// CHECK: %[[I:.*]] = soac.map ins(%[[IOTA]]
// CHECK: arith.addi
// CHECK: %[[Y:.*]] = soac.map ins(%[[I]], %{{.*}} : tensor<?xindex>, tensor<?xf64>)
// CHECK: %[[S:.*]] = soac.reduce ins(%[[Y]] : tensor<?xf64>)
// CHECK: %[[ROW:.*]] = tensor.from_elements %[[S]] : tensor<1xf64>
// CHECK: tensor.parallel_insert_slice %[[ROW]] into %[[OUT]][%[[T]]] [1] [1]
// CHECK: %[[SUM:.*]] = soac.reduce ins(%[[PARTS]] : tensor<?xf64>)
// CHECK: return %[[SUM]]
func.func @fused(%xs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %ys = soac.map ins(%is, %xs : tensor<?xindex>, tensor<?xf64>) (%i: index, %x: f64) -> tensor<?xf64> {
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %y = arith.mulf %f, %x : f64
    soac.yield %y : f64
  }
  %sum = soac.reduce ins(%ys : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %sum : f64
}

// Operations in sequential loops and branches are outermost, too; those in the body of another one are not.
// CHECK-LABEL: func.func @nested(
// CHECK: scf.for
// CHECK: scf.forall
// CHECK-NOT: scf.forall
// CHECK: scf.forall.in_parallel
// CHECK: scf.yield
func.func @nested(%xs: tensor<100000xf64>) -> tensor<100000xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %k = %c0 to %c9 step %c1 iter_args(%ys = %xs) -> tensor<100000xf64> {
    %zs = soac.map ins(%ys : tensor<100000xf64>) (%y: f64) -> tensor<100000xf64> {
      %w = func.call @callee(%xs) : (tensor<100000xf64>) -> tensor<100000xf64>
      %v = tensor.extract %w[%k] : tensor<100000xf64>
      %z = arith.addf %y, %v : f64
      soac.yield %z : f64
    }
    scf.yield %zs : tensor<100000xf64>
  }
  return %r : tensor<100000xf64>
}

// Called from many threads at once.
// CHECK-LABEL: func.func private @callee(
// CHECK-NOT: scf.forall
// CHECK: return
func.func private @callee(%xs: tensor<100000xf64>) -> tensor<100000xf64> {
  %ys = arith.mulf %xs, %xs : tensor<100000xf64>
  return %ys : tensor<100000xf64>
}

// CHECK-LABEL: func.func @elementwise(
// CHECK: scf.forall
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<25000xi1>, tensor<25000xf64>
func.func @elementwise(%c: tensor<100000xi1>, %xs: tensor<100000xf64>, %ys: tensor<100000xf64>)
    -> tensor<100000xf64> {
  %a = arith.select %c, %xs, %ys : tensor<100000xi1>, tensor<100000xf64>
  return %a : tensor<100000xf64>
}

// One condition chooses a whole array, and says nothing of its size.
// CHECK-LABEL: func.func @choice(
// CHECK-NOT: scf.forall
// CHECK: arith.select
// CHECK: return
func.func @choice(%c: i1, %xs: tensor<?xf64>, %ys: tensor<?xf64>) -> tensor<?xf64> {
  %a = arith.select %c, %xs, %ys : tensor<?xf64>
  return %a : tensor<?xf64>
}

// In a loop what is too short is left as it is, rather than made one chunk each time. The size stays the same, so that it is
// decided in front of the loop.
// CHECK-LABEL: func.func @again(
// CHECK: %[[LARGE:.*]] = arith.andi
// CHECK: scf.if %[[LARGE]] -> (tensor<?xf64>) {
// CHECK:   scf.for
// CHECK:     scf.if %[[LARGE]] -> (tensor<?xf64>) {
// CHECK:       scf.forall ({{.*}}) in (4)
// CHECK:     } else {
// CHECK-NEXT: soac.map
// CHECK: } else {
// CHECK-NEXT: scf.for
// CHECK-NEXT: soac.map
// CHECK-NOT:  scf.forall
// CHECK: return
func.func @again(%xs: tensor<?xf64>, %steps: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %steps step %c1 iter_args(%x = %xs) -> (tensor<?xf64>) {
    %y = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
      %b = math.sin %a : f64
      soac.yield %b : f64
    }
    scf.yield %y : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// A reduction of rows: one row for each chunk.
// CHECK-LABEL: func.func @rows(
// CHECK: %[[PARTS:.*]] = scf.forall (%[[T:.*]]) in (4) shared_outs(%{{.*}} = %{{.*}}) -> (tensor<4x?xf64>)
// CHECK: tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%[[T]], 0] [1, %{{.*}}] [1, 1] : tensor<?xf64> into tensor<4x?xf64>
// CHECK: soac.reduce ins(%[[PARTS]] : tensor<4x?xf64>)
func.func @rows(%xss: tensor<100000x?xf64>, %zero: tensor<?xf64>) -> tensor<?xf64> {
  %sum = soac.reduce ins(%xss : tensor<100000x?xf64>) neutral(%zero : tensor<?xf64>) (%l: tensor<?xf64>, %r: tensor<?xf64>) {
    %s = arith.addf %l, %r : tensor<?xf64>
    soac.yield %s : tensor<?xf64>
  }
  return %sum : tensor<?xf64>
}

// What is left of an operator when all elements are the same takes no two values any more; and upstream refuses slices of
// arrays without elements.
// CHECK-LABEL: func.func @refused(
// CHECK-NOT: scf.forall
// CHECK: return
func.func @refused(%x: f64, %n: index, %xss: tensor<?x0xf64>) -> (f64, tensor<?x0xf64>) {
  %zero = arith.constant 0.0 : f64
  %xs = tensor.splat %x[%n] : tensor<?xf64>
  %sum = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %x : f64
    soac.yield %s : f64
  }
  %yss = arith.mulf %xss, %xss : tensor<?x0xf64>
  return %sum, %yss : f64, tensor<?x0xf64>
}

// A reduction of what a map stores for others runs in the loop of the map, and is combined once more.
// CHECK-LABEL: func.func @rider(
// CHECK: %[[BOTH:.*]]:2 = scf.forall (%[[T:.*]]) in (4) shared_outs(%[[ROWS:.*]] = %{{.*}}, %[[SUMS:.*]] = %{{.*}})
// CHECK: %[[PART:.*]] = soac.map
// CHECK: %[[SUM:.*]] = soac.reduce ins(%[[PART]] : tensor<25000xf64>)
// CHECK: %[[ROW:.*]] = tensor.from_elements %[[SUM]]
// CHECK-DAG: tensor.parallel_insert_slice %[[PART]] into %[[ROWS]]
// CHECK-DAG: tensor.parallel_insert_slice %[[ROW]] into %[[SUMS]][%[[T]]]
// CHECK: %[[ALL:.*]] = soac.reduce ins(%[[BOTH]]#1 : tensor<4xf64>)
// CHECK-NOT: scf.forall (
// CHECK: return %[[BOTH]]#0, %[[ALL]]
func.func @rider(%xs: tensor<100000xf64>) -> (tensor<100000xf64>, f64) {
  %zero = arith.constant 0.0 : f64
  %ys = soac.map ins(%xs : tensor<100000xf64>) (%x: f64) -> tensor<100000xf64> {
    %y = math.exp %x : f64
    soac.yield %y : f64
  }
  %sum = soac.reduce ins(%ys : tensor<100000xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %ys, %sum : tensor<100000xf64>, f64
}

// Both readers of a cheap map run it in their loops.
// CHECK-LABEL: func.func @repeated(
// CHECK-COUNT-2: scf.forall {{.*}} -> (tensor<4xf64>)
// CHECK-NOT: scf.forall (
// CHECK: return
func.func @repeated(%xs: tensor<100000xf64>) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %ys = soac.map ins(%xs : tensor<100000xf64>) (%x: f64) -> tensor<100000xf64> {
    %y = arith.mulf %x, %x : f64
    soac.yield %y : f64
  }
  %sum = soac.reduce ins(%ys : tensor<100000xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  %product = soac.reduce ins(%ys : tensor<100000xf64>) neutral(%one : f64) (%l: f64, %r: f64) {
    %s = arith.mulf %l, %r : f64
    soac.yield %s : f64
  }
  return %sum, %product : f64, f64
}
