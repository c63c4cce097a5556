// Nests of maps around a sum of products that are products of matrices become contractions [F46].
// RUN: ad-opt %s --ad-contract | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.a.npy '<f8' '(2, 3)' 1 2 3 4 5 6
// RUN: %python %S/../driver/Inputs/npy.py %t.b.npy '<f8' '(3, 4)' 1 0 2 -1 0 1 3 1 2 2 0 1
// RUN: ad-opt run %s --entry=by_index --input=%t.a.npy --input=%t.b.npy | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt run %s --entry=part --input=%t.a.npy --input=%t.b.npy --input=2 | FileCheck %s --check-prefix=PART

// VALUES: {{\[\[}}7.0, 8.0, 8.0, 4.0],
// VALUES: [16.0, 17.0, 23.0, 7.0]]
// PART: {{\[\[}}1.0, 2.0, 8.0, 1.0],
// PART: [4.0, 5.0, 23.0, 1.0]]

// CHECK-DAG: #[[$IJ:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$IK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$KJ:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>

// Rows of one factor, and elements of the other by index.
// CHECK-LABEL: func.func @by_index
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x?xf64>, %[[B:[a-z0-9]+]]: tensor<?x?xf64>
// CHECK-NOT: soac.map
// CHECK: linalg.generic {indexing_maps = [#[[$IK]], #[[$KJ]], #[[$IJ]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[A]], %[[B]] :
// CHECK-NOT: soac.reduce
// CHECK: return
func.func @by_index(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %b, %c0 : tensor<?x?xf64>
  %m = tensor.dim %b, %c1 : tensor<?x?xf64>
  %ks = soac.iota %n : tensor<?xindex>
  %js = soac.iota %m : tensor<?xindex>
  %c = soac.map ins(%a : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    %d = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %products = soac.map ins(%row, %ks : tensor<?xf64>, tensor<?xindex>) (%x: f64, %k: index) -> tensor<?xf64> {
        %y = tensor.extract %b[%k, %j] : tensor<?x?xf64>
        %p = arith.mulf %x, %y : f64
        soac.yield %p : f64
      }
      %sum = soac.reduce ins(%products : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      soac.yield %sum : f64
    }
    soac.yield %d : tensor<?xf64>
  }
  return %c : tensor<?x?xf64>
}

// A batch of products with the rows of a transpose; every index of the batch is one of both factors.
// CHECK-LABEL: func.func @batch
// CHECK: linalg.generic {indexing_maps = [{{.*}}], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
// CHECK: return
func.func @batch(%a: tensor<8x16x32xf32>, %b: tensor<8x16x32xf32>) -> tensor<8x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c = soac.map ins(%a, %b : tensor<8x16x32xf32>, tensor<8x16x32xf32>) (%p: tensor<16x32xf32>, %q: tensor<16x32xf32>) -> tensor<8x16x16xf32> {
    %m = soac.map ins(%p : tensor<16x32xf32>) (%u: tensor<32xf32>) -> tensor<16x16xf32> {
      %d = soac.map ins(%q : tensor<16x32xf32>) (%v: tensor<32xf32>) -> tensor<16xf32> {
        %products = soac.map ins(%u, %v : tensor<32xf32>, tensor<32xf32>) (%x: f32, %y: f32) -> tensor<32xf32> {
          %xy = arith.mulf %x, %y : f32
          soac.yield %xy : f32
        }
        %sum = soac.reduce ins(%products : tensor<32xf32>) neutral(%zero : f32) (%l: f32, %r: f32) {
          %s = arith.addf %r, %l : f32
          soac.yield %s : f32
        }
        soac.yield %sum : f32
      }
      soac.yield %d : tensor<16xf32>
    }
    soac.yield %m : tensor<16x16xf32>
  }
  return %c : tensor<8x16x16xf32>
}

// A sum of fewer terms than the factors have is over parts of them.
// CHECK-LABEL: func.func @part
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x?xf64>, %[[B:[a-z0-9]+]]: tensor<?x?xf64>, %[[N:[a-z0-9]+]]: index
// CHECK: %[[LEFT:[a-z0-9_]+]] = tensor.extract_slice %[[A]][0, 0] [%{{.*}}, %[[N]]] [1, 1]
// CHECK: %[[RIGHT:[a-z0-9_]+]] = tensor.extract_slice %[[B]][0, 0] [%[[N]], %{{.*}}] [1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[LEFT]], %[[RIGHT]] :
func.func @part(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %n: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %rows = tensor.dim %a, %c0 : tensor<?x?xf64>
  %m = tensor.dim %b, %c1 : tensor<?x?xf64>
  %is = soac.iota %rows : tensor<?xindex>
  %ks = soac.iota %n : tensor<?xindex>
  %js = soac.iota %m : tensor<?xindex>
  %c = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?x?xf64> {
    %d = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %products = soac.map ins(%ks : tensor<?xindex>) (%k: index) -> tensor<?xf64> {
        %x = tensor.extract %a[%i, %k] : tensor<?x?xf64>
        %y = tensor.extract %b[%k, %j] : tensor<?x?xf64>
        %p = arith.mulf %x, %y : f64
        soac.yield %p : f64
      }
      %sum = soac.reduce ins(%products : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      soac.yield %sum : f64
    }
    soac.yield %d : tensor<?xf64>
  }
  return %c : tensor<?x?xf64>
}

// A matrix times a vector reads every element once; it stays.
// CHECK-LABEL: func.func @vector
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @vector(%a: tensor<?x?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %y = soac.map ins(%a : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
    %products = soac.map ins(%row, %x : tensor<?xf64>, tensor<?xf64>) (%u: f64, %v: f64) -> tensor<?xf64> {
      %p = arith.mulf %u, %v : f64
      soac.yield %p : f64
    }
    %sum = soac.reduce ins(%products : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %s = arith.addf %l, %r : f64
      soac.yield %s : f64
    }
    soac.yield %sum : f64
  }
  return %y : tensor<?xf64>
}

// Small products stay, and so do products with other terms than products of two elements.
// CHECK-LABEL: func.func @small
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @small(%a: tensor<4x4xf64>, %b: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %zero = arith.constant 0.0 : f64
  %c = soac.map ins(%a : tensor<4x4xf64>) (%row: tensor<4xf64>) -> tensor<4x4xf64> {
    %d = soac.map ins(%b : tensor<4x4xf64>) (%column: tensor<4xf64>) -> tensor<4xf64> {
      %products = soac.map ins(%row, %column : tensor<4xf64>, tensor<4xf64>) (%x: f64, %y: f64) -> tensor<4xf64> {
        %p = arith.mulf %x, %y : f64
        soac.yield %p : f64
      }
      %sum = soac.reduce ins(%products : tensor<4xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      soac.yield %sum : f64
    }
    soac.yield %d : tensor<4xf64>
  }
  return %c : tensor<4x4xf64>
}

// CHECK-LABEL: func.func @distances
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @distances(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %c = soac.map ins(%a : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    %d = soac.map ins(%b : tensor<?x?xf64>) (%other: tensor<?xf64>) -> tensor<?xf64> {
      %squares = soac.map ins(%row, %other : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
        %gap = arith.subf %x, %y : f64
        %p = arith.mulf %gap, %gap : f64
        soac.yield %p : f64
      }
      %sum = soac.reduce ins(%squares : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      soac.yield %sum : f64
    }
    soac.yield %d : tensor<?xf64>
  }
  return %c : tensor<?x?xf64>
}

// What is computed for each term is as large as the work, and is not stored.
// CHECK-LABEL: func.func @innermost
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @innermost(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %c = soac.map ins(%a : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    %d = soac.map ins(%b : tensor<?x?xf64>) (%other: tensor<?xf64>) -> tensor<?xf64> {
      %products = soac.map ins(%row, %other : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
        %e = math.exp %x : f64
        %p = arith.mulf %e, %y : f64
        soac.yield %p : f64
      }
      %sum = soac.reduce ins(%products : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      soac.yield %sum : f64
    }
    soac.yield %d : tensor<?xf64>
  }
  return %c : tensor<?x?xf64>
}
