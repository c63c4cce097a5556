// Sums of reductions whose terms share values become operations that are made in tiles (F49).
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-tile-sums,ad-canonicalize,cse)' -split-input-file | FileCheck %s
// RUN: ad-opt %s --ad-tile-sums --split-input-file --remarks-filter-analyse='ad-tile-sums' -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT-COUNT-3: sums | Category:ad-tile-sums | count=1
// COUNT: sums | Category:ad-tile-sums | count=0
// COUNT-NOT: sums

// The squared distances of all points from all centres: no product, but each coordinate is used many times. The minima
// read the array of distances.
// CHECK-LABEL: func.func @distances(
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<?x?xf64>, %[[C:[a-z0-9]+]]: tensor<?x?xf64>
// CHECK: %[[D:.*]] = linalg.generic {indexing_maps = [#[[PD:.*]], #[[CD:.*]], #[[PC:.*]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[P]], %[[C]] :
// CHECK-NEXT: ^bb0(%[[X:.*]]: f64, %[[Y:.*]]: f64, %[[S:.*]]: f64):
// CHECK-NEXT: %[[A:.*]] = arith.subf %[[X]], %[[Y]]
// CHECK-NEXT: %[[B:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK-NEXT: %[[T:.*]] = arith.addf %[[S]], %[[B]]
// CHECK-NEXT: linalg.yield %[[T]]
// CHECK: soac.map ins(%[[D]]
// CHECK-NEXT: soac.reduce
// CHECK-NEXT: arith.minimumf
// CHECK-NOT: arith.subf
// CHECK: return
func.func @distances(%P: tensor<?x?xf64>, %C: tensor<?x?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %most = arith.constant 0x7FF0000000000000 : f64
  %ys = soac.map ins(%P : tensor<?x?xf64>) (%p: tensor<?xf64>) -> tensor<?xf64> {
    %ds = soac.map ins(%C : tensor<?x?xf64>) (%c: tensor<?xf64>) -> tensor<?xf64> {
      %ts = soac.map ins(%p, %c : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
        %a = arith.subf %x, %y : f64
        %b = arith.mulf %a, %a : f64
        soac.yield %b : f64
      }
      %d = soac.reduce ins(%ts : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      soac.yield %d : f64
    }
    %y = soac.reduce ins(%ds : tensor<?xf64>) neutral(%most : f64) (%l: f64, %r: f64) {
      %s = arith.minimumf %l, %r : f64
      soac.yield %s : f64
    }
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}

// -----

// Sums over triangles: those behind the number of the row are masked. The matrix, which the nest makes with a function,
// is stored; what is subtracted is computed where it is read.
// CHECK-LABEL: func.func @triangles(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<?x?x?xf64>, %[[X:[a-z0-9]+]]: tensor<?x?xf64>, %[[M:[a-z0-9]+]]: tensor<?x?xf64>
// CHECK: soac.map ins(%[[Q]]
// CHECK: math.exp
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK-SAME: ins(%{{.*}}, %[[X]], %{{.*}} : tensor<?x?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f64, %[[B:.*]]: f64, %[[C:.*]]: f64, %[[S:.*]]: f64):
// CHECK-DAG: %[[U:.*]] = arith.subf %[[B]], %[[C]]
// CHECK-DAG: %[[T:.*]] = arith.mulf %[[A]], %[[U]]
// CHECK-DAG: %[[COLUMN:.*]] = linalg.index 3
// CHECK-DAG: %[[ROW:.*]] = linalg.index 2
// CHECK: %[[WITHIN:.*]] = arith.cmpi ule, %[[COLUMN]], %[[ROW]]
// CHECK: %[[MASKED:.*]] = arith.select %[[WITHIN]], %[[T]], %{{.*}} : f64
// CHECK: arith.addf %[[S]], %[[MASKED]]
// CHECK: return
func.func @triangles(%Q: tensor<?x?x?xf64>, %X: tensor<?x?xf64>, %M: tensor<?x?xf64>) -> tensor<?x?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  %d = tensor.dim %X, %c1 : tensor<?x?xf64>
  %rows = soac.iota %d : tensor<?xindex>
  %zs = soac.map ins(%Q, %M : tensor<?x?x?xf64>, tensor<?x?xf64>) (%q: tensor<?x?xf64>, %m: tensor<?xf64>) -> tensor<?x?x?xf64> {
    %es = soac.map ins(%q : tensor<?x?xf64>) (%q_r: tensor<?xf64>) -> tensor<?x?xf64> {
      %e = soac.map ins(%q_r : tensor<?xf64>) (%q_rc: f64) -> tensor<?xf64> {
        %f = math.exp %q_rc : f64
        soac.yield %f : f64
      }
      soac.yield %e : tensor<?xf64>
    }
    %z = soac.map ins(%X : tensor<?x?xf64>) (%x: tensor<?xf64>) -> tensor<?x?xf64> {
      %us = soac.map ins(%x, %m : tensor<?xf64>, tensor<?xf64>) (%x_c: f64, %m_c: f64) -> tensor<?xf64> {
        %u = arith.subf %x_c, %m_c : f64
        soac.yield %u : f64
      }
      %zr = soac.map ins(%rows : tensor<?xindex>) (%r: index) -> tensor<?xf64> {
        %n = arith.addi %r, %c1 : index
        %columns = soac.iota %n : tensor<?xindex>
        %ts = soac.map ins(%columns : tensor<?xindex>) (%c: index) -> tensor<?xf64> {
          %e = tensor.extract %es[%r, %c] : tensor<?x?xf64>
          %u = tensor.extract %us[%c] : tensor<?xf64>
          %t = arith.mulf %e, %u : f64
          soac.yield %t : f64
        }
        %s = soac.reduce ins(%ts : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
          %p = arith.addf %a, %b : f64
          soac.yield %p : f64
        }
        soac.yield %s : f64
      }
      soac.yield %zr : tensor<?xf64>
    }
    soac.yield %z : tensor<?x?xf64>
  }
  return %zs : tensor<?x?x?xf64>
}

// -----

// What is the same for all terms of a sum is no side of a tile, and a number from outside is none either.
// CHECK-LABEL: func.func @moments(
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<?x?xf32>, %[[X:[a-z0-9]+]]: tensor<?x?xf32>, %[[M:[a-z0-9]+]]: tensor<?x?xf32>, %[[H:[a-z0-9]+]]: f32
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: arith.mulf %{{.*}}, %[[H]]
// CHECK: return
func.func @moments(%W: tensor<?x?xf32>, %X: tensor<?x?xf32>, %M: tensor<?x?xf32>, %h: f32) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %X, %c1 : tensor<?x?xf32>
  %n = tensor.dim %X, %c0 : tensor<?x?xf32>
  %is = soac.iota %n : tensor<?xindex>
  %rs = soac.iota %d : tensor<?xindex>
  %ys = soac.map ins(%W, %M : tensor<?x?xf32>, tensor<?x?xf32>) (%w: tensor<?xf32>, %m: tensor<?xf32>) -> tensor<?x?xf32> {
    %y = soac.map ins(%rs, %m : tensor<?xindex>, tensor<?xf32>) (%r: index, %m_r: f32) -> tensor<?xf32> {
      %ts = soac.map ins(%is, %w : tensor<?xindex>, tensor<?xf32>) (%i: index, %w_i: f32) -> tensor<?xf32> {
        %x = tensor.extract %X[%i, %r] : tensor<?x?xf32>
        %u = arith.subf %x, %m_r : f32
        %v = arith.mulf %w_i, %h : f32
        %t = arith.mulf %v, %u : f32
        soac.yield %t : f32
      }
      %s = soac.reduce ins(%ts : tensor<?xf32>) neutral(%zero : f32) (%a: f32, %b: f32) {
        %p = arith.addf %a, %b : f32
        soac.yield %p : f32
      }
      soac.yield %s : f32
    }
    soac.yield %y : tensor<?xf32>
  }
  return %ys : tensor<?x?xf32>
}

// -----

// Left as they are: the product of a matrix with a vector, whose elements are used once; three terms each; a sum whose
// start depends on the iteration; terms with a function of both sides.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @others(%A: tensor<?x?xf64>, %x: tensor<?xf64>, %P: tensor<?x3xf64>, %C: tensor<?x3xf64>) -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %zero = arith.constant 0.0 : f64
  %ys = soac.map ins(%A : tensor<?x?xf64>) (%a: tensor<?xf64>) -> tensor<?xf64> {
    %ts = soac.map ins(%a, %x : tensor<?xf64>, tensor<?xf64>) (%a_i: f64, %x_i: f64) -> tensor<?xf64> {
      %t = arith.mulf %a_i, %x_i : f64
      soac.yield %t : f64
    }
    %y = soac.reduce ins(%ts : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %s = arith.addf %l, %r : f64
      soac.yield %s : f64
    }
    soac.yield %y : f64
  }
  %near = soac.map ins(%P : tensor<?x3xf64>) (%p: tensor<3xf64>) -> tensor<?x?xf64> {
    %ds = soac.map ins(%C : tensor<?x3xf64>) (%c: tensor<3xf64>) -> tensor<?xf64> {
      %ts = soac.map ins(%p, %c : tensor<3xf64>, tensor<3xf64>) (%a: f64, %b: f64) -> tensor<3xf64> {
        %t = arith.mulf %a, %b : f64
        soac.yield %t : f64
      }
      %d = soac.reduce ins(%ts : tensor<3xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      soac.yield %d : f64
    }
    soac.yield %ds : tensor<?xf64>
  }
  %starts = soac.map ins(%A, %x : tensor<?x?xf64>, tensor<?xf64>) (%a: tensor<?xf64>, %first: f64) -> tensor<?x?xf64> {
    %ds = soac.map ins(%A : tensor<?x?xf64>) (%c: tensor<?xf64>) -> tensor<?xf64> {
      %ts = soac.map ins(%a, %c : tensor<?xf64>, tensor<?xf64>) (%u: f64, %v: f64) -> tensor<?xf64> {
        %t = arith.mulf %u, %v : f64
        soac.yield %t : f64
      }
      %d = soac.reduce ins(%ts : tensor<?xf64>) neutral(%first : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      soac.yield %d : f64
    }
    soac.yield %ds : tensor<?xf64>
  }
  %functions = soac.map ins(%A : tensor<?x?xf64>) (%a: tensor<?xf64>) -> tensor<?x?xf64> {
    %ds = soac.map ins(%A : tensor<?x?xf64>) (%c: tensor<?xf64>) -> tensor<?xf64> {
      %ts = soac.map ins(%a, %c : tensor<?xf64>, tensor<?xf64>) (%u: f64, %v: f64) -> tensor<?xf64> {
        %t = arith.subf %u, %v : f64
        %f = math.exp %t : f64
        soac.yield %f : f64
      }
      %d = soac.reduce ins(%ts : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      soac.yield %d : f64
    }
    soac.yield %ds : tensor<?xf64>
  }
  return %ys, %near, %starts, %functions : tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}
