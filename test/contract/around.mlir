// Sums of products of matrices become contractions whatever the maps around them do besides.
// RUN: ad-opt %s --ad-contract --canonicalize --cse --ad-simplify --canonicalize | FileCheck %s --implicit-check-not=soac.reduce
// RUN: ad-opt %s --ad-contract --canonicalize -o %t.mlir
// RUN: %python %S/../driver/Inputs/npy.py %t.a.npy '<f8' '(2, 3)' 1 2 3 4 5 6
// RUN: %python %S/../driver/Inputs/npy.py %t.b.npy '<f8' '(4, 3)' 1 0 2 -1 0 1 3 1 2 2 0 1
// RUN: %python %S/../driver/Inputs/npy.py %t.t.npy '<f8' '(2, 2, 3)' 1 2 3 4 5 6 0 1 0 1 0 2
// RUN: %python %S/../driver/Inputs/npy.py %t.a0.npy '<f8' '(2, 0)'
// RUN: %python %S/../driver/Inputs/npy.py %t.b0.npy '<f8' '(4, 0)'
// RUN: ad-opt run %t.mlir --entry=between --input=%t.a.npy --input=%t.b.npy | FileCheck %s --check-prefix=BETWEEN
// RUN: ad-opt run %t.mlir --entry=between --input=%t.a0.npy --input=%t.b0.npy | FileCheck %s --check-prefix=EMPTY
// RUN: ad-opt run %t.mlir --entry=sums --input=%t.t.npy --input=%t.t.npy | FileCheck %s --check-prefix=SUMS
// RUN: ad-opt run %t.mlir --entry=terms --input=%t.a.npy --input=%t.b.npy --input=%t.b.npy | FileCheck %s --check-prefix=TERMS
// RUN: ad-opt run %t.mlir --entry=components --input=%t.a.npy --input=%t.b.npy --input=%t.b.npy | FileCheck %s --check-prefix=COMPONENTS
// RUN: ad-opt run %t.mlir --entry=computed --input=%t.a.npy --input=%t.b.npy | FileCheck %s --check-prefix=COMPUTED

// A B^T is [[7, 2, 11, 5], [16, 2, 29, 14]].
// BETWEEN: [7.0, 17.0]
// EMPTY: [0.0, 1.0]
// SUMS: {{\[\[}}18.0, 22.0, 29.0],
// SUMS-NEXT: [22.0, 30.0, 36.0],
// SUMS-NEXT: [29.0, 36.0, 49.0]]
// TERMS: {{\[\[}}14.0, 4.0, 22.0, 10.0],
// TERMS-NEXT: [32.0, 4.0, 58.0, 28.0]]
// COMPONENTS: {{\[\[}}49.0, 4.0, 121.0, 25.0],
// COMPONENTS-NEXT: [256.0, 4.0, 841.0, 196.0]]
// COMPUTED: {{\[\[}}14.0, 4.0, 22.0, 10.0],
// COMPUTED-NEXT: [32.0, 4.0, 58.0, 28.0]]

// Elements are operands of something else, and of the rows only the first element is read.
// CHECK-LABEL: func.func @between
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x?xf64>, %[[B:[a-z0-9]+]]: tensor<?x?xf64>
// CHECK: %[[C:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[A]], %[[B]] :
// CHECK: soac.map ins(%{{.*}}, %[[C]] : {{.*}}) (%{{.*}}: i64, %[[ROW:[a-z0-9]+]]: tensor<?xf64>)
// CHECK: soac.map ins(%[[ROW]] : {{.*}}) (%[[ELEMENT:[a-z0-9]+]]: f64)
// CHECK: arith.addf %[[ELEMENT]],
// CHECK: return
func.func @between(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %a, %c0 : tensor<?x?xf64>
  %is = soac.iota %n : tensor<?xi64>
  %r = soac.map ins(%a, %is : tensor<?x?xf64>, tensor<?xi64>) (%u: tensor<?xf64>, %i: i64) -> tensor<?xf64> {
    %row = soac.map ins(%b : tensor<?x?xf64>) (%v: tensor<?xf64>) -> tensor<?xf64> {
      %ps = soac.map ins(%u, %v : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
        %p = arith.mulf %x, %y : f64
        soac.yield %p : f64
      }
      %c = soac.reduce ins(%ps : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      %f = arith.sitofp %i : i64 to f64
      %d = arith.addf %c, %f : f64
      soac.yield %d : f64
    }
    %first = tensor.extract %row[%c0] : tensor<?xf64>
    soac.yield %first : f64
  }
  return %r : tensor<?xf64>
}

// The sum of the products of the matrices of a batch is one contraction; the products are not stored.
// CHECK-LABEL: func.func @sums
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @sums(%a: tensor<?x?x?xf64>, %b: tensor<?x?x?xf64>) -> tensor<?x?xf64> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %a, %c2 : tensor<?x?x?xf64>
  %height = tensor.dim %a, %c1 : tensor<?x?x?xf64>
  %ks = soac.iota %n : tensor<?xindex>
  %is = soac.iota %height : tensor<?xindex>
  %r = soac.map ins(%ks : tensor<?xindex>) (%k: index) -> tensor<?x?xf64> {
    %row = soac.map ins(%ks : tensor<?xindex>) (%m: index) -> tensor<?xf64> {
      %cs = soac.map ins(%a, %b : tensor<?x?x?xf64>, tensor<?x?x?xf64>) (%p: tensor<?x?xf64>, %q: tensor<?x?xf64>) -> tensor<?xf64> {
        %ps = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
          %x = tensor.extract %p[%i, %k] : tensor<?x?xf64>
          %y = tensor.extract %q[%i, %m] : tensor<?x?xf64>
          %xy = arith.mulf %x, %y : f64
          soac.yield %xy : f64
        }
        %c = soac.reduce ins(%ps : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
          %s = arith.addf %l, %r : f64
          soac.yield %s : f64
        }
        soac.yield %c : f64
      }
      %c = soac.reduce ins(%cs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      soac.yield %c : f64
    }
    soac.yield %row : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}

// A sum of two products is two contractions, the second on top of the first.
// CHECK-LABEL: func.func @terms
// CHECK: %[[FIRST:.*]] = linalg.generic
// CHECK: %[[SECOND:.*]] = linalg.generic {{.*}} outs(%[[FIRST]] :
// CHECK: return %[[SECOND]]
func.func @terms(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %b2: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %r = soac.map ins(%a : tensor<?x?xf64>) (%u: tensor<?xf64>) -> tensor<?x?xf64> {
    %row = soac.map ins(%b, %b2 : tensor<?x?xf64>, tensor<?x?xf64>) (%v: tensor<?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
      %ps = soac.map ins(%u, %v, %w : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64, %z: f64) -> tensor<?xf64> {
        %p = arith.mulf %x, %y : f64
        %q = arith.mulf %x, %z : f64
        %pq = arith.addf %p, %q : f64
        soac.yield %pq : f64
      }
      %c = soac.reduce ins(%ps : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      soac.yield %c : f64
    }
    soac.yield %row : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}

// Two sums in one reduction.
// CHECK-LABEL: func.func @components
// CHECK-COUNT-2: linalg.generic
// CHECK: return
func.func @components(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %b2: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %r = soac.map ins(%a : tensor<?x?xf64>) (%u: tensor<?xf64>) -> tensor<?x?xf64> {
    %row = soac.map ins(%b, %b2 : tensor<?x?xf64>, tensor<?x?xf64>) (%v: tensor<?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
      %ps:2 = soac.map ins(%u, %v, %w : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64, %z: f64) -> (tensor<?xf64>, tensor<?xf64>) {
        %p = arith.mulf %x, %y : f64
        %q = arith.mulf %x, %z : f64
        soac.yield %p, %q : f64, f64
      }
      %cs:2 = soac.reduce ins(%ps#0, %ps#1 : tensor<?xf64>, tensor<?xf64>) neutral(%zero, %zero : f64, f64) (%l: f64, %m: f64, %n: f64, %o: f64) {
        %s = arith.addf %l, %n : f64
        %t = arith.addf %m, %o : f64
        soac.yield %s, %t : f64, f64
      }
      %e = arith.mulf %cs#0, %cs#1 : f64
      soac.yield %e : f64
    }
    soac.yield %row : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}

// A row that is computed in the nest is stored as a matrix first.
// CHECK-LABEL: func.func @computed
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x?xf64>, %[[B:[a-z0-9]+]]: tensor<?x?xf64>
// CHECK: %[[TWICE:.*]] = soac.map ins(%[[A]] : tensor<?x?xf64>)
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[TWICE]], %[[B]] :
// CHECK: return %[[C]]
func.func @computed(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %r = soac.map ins(%a : tensor<?x?xf64>) (%u0: tensor<?xf64>) -> tensor<?x?xf64> {
    %u = soac.map ins(%u0 : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
      %y = arith.addf %x, %x : f64
      soac.yield %y : f64
    }
    %row = soac.map ins(%b : tensor<?x?xf64>) (%v: tensor<?xf64>) -> tensor<?xf64> {
      %ps = soac.map ins(%u, %v : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
        %p = arith.mulf %x, %y : f64
        soac.yield %p : f64
      }
      %c = soac.reduce ins(%ps : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      soac.yield %c : f64
    }
    soac.yield %row : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}
