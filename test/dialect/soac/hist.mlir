// soac.hist and soac.scatter print as they parse, with several index arrays, value
// arrays and rows as elements [F05]; then their canonicalisations.
// RUN: ad-opt %s | ad-opt | FileCheck %s
// RUN: ad-opt %s --mlir-print-op-generic | ad-opt | FileCheck %s
// RUN: ad-opt %s --emit-bytecode | ad-opt | FileCheck %s
// RUN: ad-opt %s --canonicalize --cse | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func.func @hist_variadic(
// CHECK: %{{.*}}:2 = soac.hist at(%{{.*}}, %{{.*}} : tensor<?xindex>, tensor<?xi32>)
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<?xf64>, tensor<?x3xf32>) into(%{{.*}}, %{{.*}} : tensor<4x?xf64>, tensor<4x?x3xf32>)
// CHECK-SAME: neutral(%{{.*}}, %{{.*}} : f64, tensor<3xf32>)
// CHECK-SAME: (%[[A:.*]]: f64, %[[R:.*]]: tensor<3xf32>, %[[B:.*]]: f64, %[[S:.*]]: tensor<3xf32>) {
func.func @hist_variadic(%is: tensor<?xindex>, %js: tensor<?xi32>, %vs: tensor<?xf64>,
    %rows: tensor<?x3xf32>, %dest: tensor<4x?xf64>, %dests: tensor<4x?x3xf32>, %one: f64,
    %zeros: tensor<3xf32>) -> (tensor<4x?xf64>, tensor<4x?x3xf32>) {
  %h:2 = soac.hist at(%is, %js : tensor<?xindex>, tensor<?xi32>)
      ins(%vs, %rows : tensor<?xf64>, tensor<?x3xf32>)
      into(%dest, %dests : tensor<4x?xf64>, tensor<4x?x3xf32>)
      neutral(%one, %zeros : f64, tensor<3xf32>)
      (%a: f64, %r: tensor<3xf32>, %b: f64, %s: tensor<3xf32>) {
    %p = arith.mulf %a, %b : f64
    %t = arith.addf %r, %s : tensor<3xf32>
    soac.yield %p, %t : f64, tensor<3xf32>
  }
  return %h#0, %h#1 : tensor<4x?xf64>, tensor<4x?x3xf32>
}

// CHECK-LABEL: func.func @scatter_variadic(
// CHECK: soac.scatter at(%{{.*}} : tensor<5xi64>) ins(%{{.*}}, %{{.*}} : tensor<5xf64>, tensor<5x?xi1>)
// CHECK-SAME: into(%{{.*}}, %{{.*}} : tensor<?xf64>, tensor<?x?xi1>) {note = "kept"}
func.func @scatter_variadic(%is: tensor<5xi64>, %vs: tensor<5xf64>, %rows: tensor<5x?xi1>,
    %xs: tensor<?xf64>, %ys: tensor<?x?xi1>) -> (tensor<?xf64>, tensor<?x?xi1>) {
  %r:2 = soac.scatter at(%is : tensor<5xi64>) ins(%vs, %rows : tensor<5xf64>, tensor<5x?xi1>)
      into(%xs, %ys : tensor<?xf64>, tensor<?x?xi1>) {note = "kept"}
  return %r#0, %r#1 : tensor<?xf64>, tensor<?x?xi1>
}

// Without values, and without bins, nothing is updated.
// FOLD-LABEL: func.func @nothing(
// FOLD-SAME: %{{.*}}, %[[XS:[a-z0-9]+]]: tensor<?xf64>, {{.*}} %[[NONE:[a-z0-9]+]]: tensor<0xf64>)
// FOLD-NEXT: return %[[XS]], %[[NONE]]
func.func @nothing(%is: tensor<0xindex>, %vs: tensor<?xf64>, %xs: tensor<?xf64>,
    %js: tensor<?xindex>, %zero: f64, %none: tensor<0xf64>) -> (tensor<?xf64>, tensor<0xf64>) {
  %a = soac.scatter at(%is : tensor<0xindex>) ins(%vs : tensor<?xf64>) into(%xs : tensor<?xf64>)
  %b = soac.hist at(%js : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%none : tensor<0xf64>)
      neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %a, %b : tensor<?xf64>, tensor<0xf64>
}

// FOLD-LABEL: func.func @unread(
// FOLD: soac.scatter at(%{{.*}}) ins(%{{.*}} : tensor<?xf32>) into(%{{.*}} : tensor<?xf32>)
func.func @unread(%is: tensor<?xindex>, %vs: tensor<?xf64>, %ws: tensor<?xf32>, %xs: tensor<?xf64>,
    %ys: tensor<?xf32>) -> tensor<?xf32> {
  %r:2 = soac.scatter at(%is : tensor<?xindex>) ins(%vs, %ws : tensor<?xf64>, tensor<?xf32>)
      into(%xs, %ys : tensor<?xf64>, tensor<?xf32>)
  return %r#1 : tensor<?xf32>
}

// Casts that forget a size are looked through, unless sizes would then disagree. The
// size of a result is that of its destination.
// FOLD-LABEL: func.func @casts(
// FOLD: soac.scatter at(%{{.*}} : tensor<3xindex>) ins(%{{.*}} : tensor<?xf64>) into(%{{.*}} : tensor<8xf64>)
// FOLD: tensor.cast %{{.*}} : tensor<8xf64> to tensor<?xf64>
// FOLD: return %{{.*}}, %c8
func.func @casts(%is: tensor<3xindex>, %vs: tensor<?xf64>, %xs: tensor<8xf64>) -> (tensor<?xf64>, index) {
  %at = tensor.cast %is : tensor<3xindex> to tensor<?xindex>
  %into = tensor.cast %xs : tensor<8xf64> to tensor<?xf64>
  %r = soac.scatter at(%at : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%into : tensor<?xf64>)
  %c0 = arith.constant 0 : index
  %n = tensor.dim %r, %c0 : tensor<?xf64>
  return %r, %n : tensor<?xf64>, index
}

// FOLD-LABEL: func.func @casts_that_disagree(
// FOLD: soac.scatter at(%{{.*}} : tensor<?xindex>) ins(%{{.*}} : tensor<4xf64>)
func.func @casts_that_disagree(%is: tensor<3xindex>, %vs: tensor<4xf64>, %xs: tensor<8xf64>) -> tensor<8xf64> {
  %at = tensor.cast %is : tensor<3xindex> to tensor<?xindex>
  %r = soac.scatter at(%at : tensor<?xindex>) ins(%vs : tensor<4xf64>) into(%xs : tensor<8xf64>)
  return %r : tensor<8xf64>
}
