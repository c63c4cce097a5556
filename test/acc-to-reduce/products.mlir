// Adjoints of nests around products of matrices: what depends on an element of the product is stored,
// and each accumulator becomes one more product [F46].
// RUN: ad-opt %s --ad-optimize -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=soac.with_acc
// RUN: %python %S/../driver/Inputs/npy.py %t.a.npy '<f8' '(2, 3)' 1 0.5 -2 0.25 1 -1
// RUN: %python %S/../driver/Inputs/npy.py %t.b.npy '<f8' '(3, 2)' 0.5 -1 2 0.25 1 -0.5
// RUN: %python %S/../driver/Inputs/npy.py %t.b1.npy '<f8' '(1, 2)' 0.5 -1
// RUN: %python %S/../driver/Inputs/npy.py %t.a1.npy '<f8' '(1, 1)' 0.5
// RUN: %python %S/../driver/Inputs/npy.py %t.b0.npy '<f8' '(3, 0)'
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0, 3)'
// RUN: %python %S/../driver/Inputs/npy.py %t.thin.npy '<f8' '(2, 0)'
// RUN: %python %S/../driver/Inputs/npy.py %t.batch.npy '<f4' '(2, 2, 3)' 1 0.5 -2 0.25 1 -1 0.5 0.5 1 -1 0 2
// RUN: %python %S/../driver/Inputs/npy.py %t.nobatch.npy '<f4' '(0, 2, 3)'
// RUN: %python %S/../driver/Inputs/npy.py %t.w.npy '<f4' '(2, 3)' 1 0.5 -2 0.25 1 -1
// RUN: %python %S/../driver/Inputs/npy.py %t.v.npy '<f8' '(4, 2)' 1 2 3 4 0.5 0.25 -1 -2
// RUN: %python %S/../driver/Inputs/npy.py %t.v0.npy '<f8' '(0, 2)'
// RUN: ad-opt check %s --entry=squares --input=%t.a.npy --input=%t.b.npy
// RUN: ad-opt check %s --entry=squares --input=%t.a1.npy --input=%t.b1.npy
// RUN: ad-opt check %s --entry=squares --input=%t.none.npy --input=%t.b.npy
// RUN: ad-opt check %s --entry=squares --input=%t.a.npy --input=%t.b0.npy
// RUN: ad-opt check %s --entry=squares --input=%t.thin.npy --input=%t.v0.npy
// RUN: ad-opt check %s --entry=columns --input=%t.b.npy --input=%t.b.npy
// RUN: ad-opt check %s --entry=columns --input=%t.b0.npy --input=%t.b.npy
// RUN: ad-opt check %s --entry=gram_gradient --input=%t.a.npy
// RUN: ad-opt check %s --entry=gram_gradient --input=%t.none.npy
// RUN: ad-opt check %s --entry=shared --input=%t.batch.npy --input=%t.w.npy
// RUN: ad-opt check %s --entry=shared --input=%t.nobatch.npy --input=%t.w.npy
// RUN: ad-opt check %s --entry=layers --input=%t.a.npy --input=%t.a.npy --input=%t.v.npy
// RUN: ad-opt run %s --entry=squares_vjp --input=%t.a.npy --input=%t.b.npy | FileCheck %s --check-prefix=VALUES

// C = A B = [[-0.5, 0.125], [1.125, 0.5]]; A_bar = 2 C B^T and B_bar = 2 A^T C, by hand.
// VALUES: {{\[\[}}-0.75, -1.9375, -1.125],
// VALUES-NEXT: [0.125, 4.75, 1.75]]
// VALUES: {{\[\[}}-0.4375, 0.5],
// VALUES-NEXT: [1.75, 1.125],
// VALUES-NEXT: [-0.25, -1.5]]

// sum((A B)^2): 2 A B is stored, and A_bar and B_bar are products with it.
// CHECK-LABEL: func.func @squares(
// CHECK-COUNT-1: linalg.generic
// CHECK-LABEL: func.func @squares_vjp(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x?xf64>, %[[B:[a-z0-9]+]]: tensor<?x?xf64>)
// CHECK: %[[C:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[A]], %[[B]] :
// CHECK: %[[D:.*]] = soac.map ins(%[[C]] : tensor<?x?xf64>)
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[D]], %
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[D]], %[[A]] :
// CHECK-NOT: soac.reduce
// CHECK: return
func.func @squares(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %inner = tensor.dim %b, %c0 : tensor<?x?xf64>
  %width = tensor.dim %b, %c1 : tensor<?x?xf64>
  %ks = soac.iota %inner : tensor<?xindex>
  %js = soac.iota %width : tensor<?xindex>
  %sums = soac.map ins(%a : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
    %squares = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %products = soac.map ins(%row, %ks : tensor<?xf64>, tensor<?xindex>) (%x: f64, %k: index) -> tensor<?xf64> {
        %y = tensor.extract %b[%k, %j] : tensor<?x?xf64>
        %p = arith.mulf %x, %y : f64
        soac.yield %p : f64
      }
      %c = func.call @sum(%products) : (tensor<?xf64>) -> f64
      %square = arith.mulf %c, %c : f64
      soac.yield %square : f64
    }
    %sum = func.call @sum(%squares) : (tensor<?xf64>) -> f64
    soac.yield %sum : f64
  }
  %total = func.call @sum(%sums) : (tensor<?xf64>) -> f64
  return %total : f64
}
func.func @squares_vjp(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @squares(%a, %b) seed(%one)
      : (tensor<?x?xf64>, tensor<?x?xf64>), (f64) -> (f64, tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1, %r#2 : tensor<?x?xf64>, tensor<?x?xf64>
}

// tanh(A^T B) with the columns outside: what is dear is stored, too. The value needs the product once more.
// CHECK-LABEL: func.func @columns_vjp(
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @columns(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %inner = tensor.dim %b, %c0 : tensor<?x?xf64>
  %height = tensor.dim %a, %c1 : tensor<?x?xf64>
  %width = tensor.dim %b, %c1 : tensor<?x?xf64>
  %is = soac.iota %height : tensor<?xindex>
  %js = soac.iota %width : tensor<?xindex>
  %ks = soac.iota %inner : tensor<?xindex>
  %columns = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?x?xf64> {
    %column = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
      %products = soac.map ins(%ks : tensor<?xindex>) (%k: index) -> tensor<?xf64> {
        %x = tensor.extract %a[%k, %i] : tensor<?x?xf64>
        %y = tensor.extract %b[%k, %j] : tensor<?x?xf64>
        %p = arith.mulf %x, %y : f64
        soac.yield %p : f64
      }
      %c = func.call @sum(%products) : (tensor<?xf64>) -> f64
      %t = math.tanh %c : f64
      soac.yield %t : f64
    }
    soac.yield %column : tensor<?xf64>
  }
  return %columns : tensor<?x?xf64>
}
func.func @columns_vjp(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %s: tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %r:3 = ad.vjp @columns(%a, %b) seed(%s) : (tensor<?x?xf64>, tensor<?x?xf64>), (tensor<?x?xf64>)
      -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#0, %r#1, %r#2 : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

// Both factors are one matrix: two updates of one accumulator; and the derivative of that.
// CHECK-LABEL: func.func @gram_gradient(
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
// CHECK-LABEL: func.func @gram_hessian(
// CHECK-NOT: soac.update_acc
// CHECK: return
func.func private @gram(%a: tensor<?x?xf64>) -> f64 {
  %sums = soac.map ins(%a : tensor<?x?xf64>) (%u: tensor<?xf64>) -> tensor<?xf64> {
    %sines = soac.map ins(%a : tensor<?x?xf64>) (%v: tensor<?xf64>) -> tensor<?xf64> {
      %c = func.call @dot(%u, %v) : (tensor<?xf64>, tensor<?xf64>) -> f64
      %s = math.sin %c : f64
      soac.yield %s : f64
    }
    %sum = func.call @sum(%sines) : (tensor<?xf64>) -> f64
    soac.yield %sum : f64
  }
  %total = func.call @sum(%sums) : (tensor<?xf64>) -> f64
  return %total : f64
}
func.func @gram_gradient(%a: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @gram(%a) seed(%one) : (tensor<?x?xf64>), (f64) -> (f64, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}
func.func @gram_hessian(%a: tensor<?x?xf64>, %s: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r:2 = ad.jvp @gram_gradient(%a) seed(%s) : (tensor<?x?xf64>), (tensor<?x?xf64>)
      -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}

// Every matrix of a batch with the same weights: their adjoint is summed over the batch in one
// contraction, not stored for each, over the rows of all matrices.
// CHECK-LABEL: func.func @shared_vjp(
// CHECK-SAME: %[[BATCH:[a-z0-9]+]]: tensor<?x?x?xf32>
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[BATCH]] {{\[\[}}0, 1], [2]]
// CHECK-NEXT: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}}, %[[ROWS]] :
// CHECK: return
func.func @shared(%a: tensor<?x?x?xf32>, %w: tensor<?x?xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %batch = soac.map ins(%a : tensor<?x?x?xf32>) (%matrix: tensor<?x?xf32>) -> tensor<?xf32> {
    %rows = soac.map ins(%matrix : tensor<?x?xf32>) (%u: tensor<?xf32>) -> tensor<?xf32> {
      %cs = soac.map ins(%w : tensor<?x?xf32>) (%v: tensor<?xf32>) -> tensor<?xf32> {
        %ps = soac.map ins(%u, %v : tensor<?xf32>, tensor<?xf32>) (%x: f32, %y: f32) -> tensor<?xf32> {
          %p = arith.mulf %x, %y : f32
          soac.yield %p : f32
        }
        %c = soac.reduce ins(%ps : tensor<?xf32>) neutral(%zero : f32) (%l: f32, %r: f32) {
          %s = arith.addf %l, %r : f32
          soac.yield %s : f32
        }
        %e = math.exp %c : f32
        soac.yield %e : f32
      }
      %sum = soac.reduce ins(%cs : tensor<?xf32>) neutral(%zero : f32) (%l: f32, %r: f32) {
        %s = arith.addf %l, %r : f32
        soac.yield %s : f32
      }
      soac.yield %sum : f32
    }
    %sum = soac.reduce ins(%rows : tensor<?xf32>) neutral(%zero : f32) (%l: f32, %r: f32) {
      %s = arith.addf %l, %r : f32
      soac.yield %s : f32
    }
    soac.yield %sum : f32
  }
  %total = soac.reduce ins(%batch : tensor<?xf32>) neutral(%zero : f32) (%l: f32, %r: f32) {
    %s = arith.addf %l, %r : f32
    soac.yield %s : f32
  }
  return %total : f32
}
func.func @shared_vjp(%a: tensor<?x?x?xf32>, %w: tensor<?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?xf32>) {
  %one = arith.constant 1.0 : f32
  %r:3 = ad.vjp @shared(%a, %w) seed(%one)
      : (tensor<?x?x?xf32>, tensor<?x?xf32>), (f32) -> (f32, tensor<?x?x?xf32>, tensor<?x?xf32>)
  return %r#1, %r#2 : tensor<?x?x?xf32>, tensor<?x?xf32>
}

// Two layers: rows that are computed for each sample are the factors of further products. No array has
// three dimensions.
// CHECK-LABEL: func.func @layers_vjp(
// CHECK-COUNT-5: linalg.generic
// CHECK-NOT: tensor<?x?x?xf64>
// CHECK: return
func.func @layers(%x: tensor<?x?xf64>, %w: tensor<?x?xf64>, %v: tensor<?x?xf64>) -> f64 {
  %sums = soac.map ins(%x : tensor<?x?xf64>) (%sample: tensor<?xf64>) -> tensor<?xf64> {
    %hidden = soac.map ins(%w : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
      %z = func.call @dot(%row, %sample) : (tensor<?xf64>, tensor<?xf64>) -> f64
      %h = math.tanh %z : f64
      soac.yield %h : f64
    }
    %squares = soac.map ins(%v : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
      %z = func.call @dot(%row, %hidden) : (tensor<?xf64>, tensor<?xf64>) -> f64
      %square = arith.mulf %z, %z : f64
      soac.yield %square : f64
    }
    %sum = func.call @sum(%squares) : (tensor<?xf64>) -> f64
    soac.yield %sum : f64
  }
  %total = func.call @sum(%sums) : (tensor<?xf64>) -> f64
  return %total : f64
}
func.func @layers_vjp(%x: tensor<?x?xf64>, %w: tensor<?x?xf64>, %v: tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @layers(%x, %w, %v) seed(%one) {wrt = array<i64: 1, 2>}
      : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>), (f64)
      -> (f64, tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1, %r#2 : tensor<?x?xf64>, tensor<?x?xf64>
}

func.func private @dot(%u: tensor<?xf64>, %v: tensor<?xf64>) -> f64 {
  %ps = soac.map ins(%u, %v : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
    %p = arith.mulf %x, %y : f64
    soac.yield %p : f64
  }
  %s = func.call @sum(%ps) : (tensor<?xf64>) -> f64
  return %s : f64
}

func.func private @sum(%v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = soac.reduce ins(%v : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %sum : f64
}
