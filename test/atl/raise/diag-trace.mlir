// A diagonal matrix as `tensor` and `linalg` have it, its traces, and the product of its first column
// and row: raised, the gradients never see a matrix, and cost as much as the vector (T01, T02).
// How much they cost is counted in tools/ad-check/tests/raise_work.rs.
// RUN: ad-opt %s --raise-to-atl --ad-differentiate --canonicalize | FileCheck %s
// RUN: ad-opt %s --raise-to-atl -o %t.mlir
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir product 'n>1'
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir traces n
// RUN: ad-opt run %t.mlir --entry=main | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func private @product.vjp_0(
// CHECK-NOT: tensor<?x?xf64>
// CHECK: atl.gen
// CHECK: atl.gen (%[[I:.*]] in
// CHECK-NEXT: atl.compare %[[I]] = 0
// CHECK-NOT: tensor<?x?xf64>
// CHECK: return
func.func @product(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %a = tensor.generate %n, %n {
  ^bb0(%i: index, %j: index):
    %p = arith.cmpi eq, %i, %j : index
    %v = scf.if %p -> f64 {
      %e = tensor.extract %x[%i] : tensor<?xf64>
      %s = math.sin %e : f64
      scf.yield %s : f64
    } else {
      scf.yield %zero : f64
    }
    tensor.yield %v : f64
  } : tensor<?x?xf64>
  %column = tensor.extract_slice %a[0, 0] [%n, 1] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
  %row = tensor.extract_slice %a[0, 0] [1, %n] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
  %empty = tensor.empty() : tensor<f64>
  %start = linalg.fill ins(%zero : f64) outs(%empty : tensor<f64>) -> tensor<f64>
  %d = linalg.dot ins(%column, %row : tensor<?xf64>, tensor<?xf64>) outs(%start : tensor<f64>) -> tensor<f64>
  %r = tensor.extract %d[] : tensor<f64>
  return %r : f64
}

// CHECK-LABEL: func.func private @traces.vjp_0(
// CHECK-NOT: tensor<?x?xf64>
// CHECK: atl.gen
// CHECK-NOT: tensor<?x?xf64>
// CHECK: return
func.func @traces(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %zeros = tensor.splat %zero[%n, %n] : tensor<?x?xf64>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?xf64>) outs(%zeros : tensor<?x?xf64>) {
  ^bb0(%e: f64, %z: f64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.cmpi eq, %i, %j : index
    %v = arith.select %p, %e, %z : f64
    linalg.yield %v : f64
  } -> tensor<?x?xf64>
  %empty = tensor.empty() : tensor<f64>
  %start = linalg.fill ins(%zero : f64) outs(%empty : tensor<f64>) -> tensor<f64>
  %t0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%a : tensor<?x?xf64>) outs(%start : tensor<f64>) {
  ^bb0(%e: f64, %s: f64):
    %sum = arith.addf %s, %e : f64
    linalg.yield %sum : f64
  } -> tensor<f64>
  %t1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%a : tensor<?x?xf64>) outs(%t0 : tensor<f64>) {
  ^bb0(%e: f64, %s: f64):
    %sum = arith.addf %s, %e : f64
    linalg.yield %sum : f64
  } -> tensor<f64>
  %r = tensor.extract %t1[] : tensor<f64>
  return %r : f64
}

func.func @product_gradient(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @product(%x) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}
func.func @traces_gradient(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @traces(%x) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}

// sin(1)^2's derivative sin(2), and twice one.
// VALUES: [0.909297426825681{{.*}}, 0.0, 0.0]
// VALUES: [2.0, 2.0, 2.0]
func.func @main() -> (tensor<?xf64>, tensor<?xf64>) {
  %x = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %xs = tensor.cast %x : tensor<3xf64> to tensor<?xf64>
  %p = func.call @product_gradient(%xs) : (tensor<?xf64>) -> tensor<?xf64>
  %t = func.call @traces_gradient(%xs) : (tensor<?xf64>) -> tensor<?xf64>
  return %p, %t : tensor<?xf64>, tensor<?xf64>
}
