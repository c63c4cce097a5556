// A Hessian times a vector of a function of pairs that are in a list, where no index tells which tuple of
// the list it is: predicates that say so for each factor say it once (T45).
// RUN: ad-opt %s --ad-differentiate -o %t.mlir
// RUN: grep -c atl.member %t.mlir | FileCheck %s --check-prefix=COUNT
// RUN: ad-opt run %s --entry=main | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt run %s --entry=main --target=gpu-emulate | FileCheck %s --check-prefix=VALUES

// Without that each factor of each product would add its own.
// COUNT: {{^[1-9][0-9]$}}

// The sum of (w[i] x[j])^2 x[i] over the pairs (i, j) in the list, each of which counts once.
func.func private @energy(%x: tensor<?xf64>, %w: tensor<?xf64>, %rows: tensor<?xi32>, %columns: tensor<?xi32>) -> f64 {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %count = tensor.dim %rows, %zero : tensor<?xi32>
  %pairs = atl.gen (%i in %n, %j in %n) -> tensor<?x?xf64> {
    %is_listed = atl.exists (%k in %count) {
      %here = atl.member (%rows, %columns)[%i, %j] at %k : tensor<?xi32>, tensor<?xi32>
      atl.yield %here : i1
    }
    %pair = atl.bracket %is_listed -> f64 {
      %wi = atl.access %w[%i] : tensor<?xf64>
      %xj = atl.access %x[%j] : tensor<?xf64>
      %product = arith.mulf %wi, %xj : f64
      atl.yield %product : f64
    }
    atl.yield %pair : f64
  }
  %energy = atl.sum (%i in %n, %j in %n) -> f64 {
    %is_listed = atl.exists (%k in %count) {
      %here = atl.member (%rows, %columns)[%i, %j] at %k : tensor<?xi32>, tensor<?xi32>
      atl.yield %here : i1
    }
    %term = atl.bracket %is_listed -> f64 {
      %pair = atl.access %pairs[%i, %j] : tensor<?x?xf64>
      %xi = atl.access %x[%i] : tensor<?xf64>
      %square = arith.mulf %pair, %pair : f64
      %all = arith.mulf %square, %xi : f64
      atl.yield %all : f64
    }
    atl.yield %term : f64
  }
  return %energy : f64
}

func.func private @gradient(%x: tensor<?xf64>, %w: tensor<?xf64>, %rows: tensor<?xi32>, %columns: tensor<?xi32>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %energy, %x_bar = ad.vjp @energy(%x, %w, %rows, %columns) seed(%one) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<?xf64>, tensor<?xi32>, tensor<?xi32>), (f64) -> (f64, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}

func.func private @hessian_times(%x: tensor<?xf64>, %w: tensor<?xf64>, %rows: tensor<?xi32>, %columns: tensor<?xi32>, %v: tensor<?xf64>) -> tensor<?xf64> {
  %gradient, %product = ad.vjp @gradient(%x, %w, %rows, %columns) seed(%v) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<?xf64>, tensor<?xi32>, tensor<?xi32>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %product : tensor<?xf64>
}

// Pairs (0, 1), (1, 0) twice, (1, 2); x = (1, 2, 3), w = (1, 2, 0), so that the energy is
// x1^2 x0 + 4 (x0^2 + x2^2) x1. Its gradient is
// (x1^2 + 8 x0 x1, 2 x1 x0 + 4 (x0^2 + x2^2), 8 x2 x1) = (20, 44, 48), its Hessian
// (8 x1, 2 x1 + 8 x0, 0; ., 2 x0, 8 x2; ., ., 8 x1) = (16, 12, 0; 12, 2, 24; 0, 24, 16),
// which times (1, 1, 1) is (28, 38, 40).
// VALUES: [20.0, 44.0, 48.0]
// VALUES-NEXT: [28.0, 38.0, 40.0]
func.func @main() -> (tensor<?xf64>, tensor<?xf64>) {
  %x3 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %w3 = arith.constant dense<[1.0, 2.0, 0.0]> : tensor<3xf64>
  %v3 = arith.constant dense<1.0> : tensor<3xf64>
  %rows4 = arith.constant dense<[0, 1, 1, 1]> : tensor<4xi32>
  %columns4 = arith.constant dense<[1, 0, 2, 0]> : tensor<4xi32>
  %x = tensor.cast %x3 : tensor<3xf64> to tensor<?xf64>
  %w = tensor.cast %w3 : tensor<3xf64> to tensor<?xf64>
  %v = tensor.cast %v3 : tensor<3xf64> to tensor<?xf64>
  %rows = tensor.cast %rows4 : tensor<4xi32> to tensor<?xi32>
  %columns = tensor.cast %columns4 : tensor<4xi32> to tensor<?xi32>
  %gradient = func.call @gradient(%x, %w, %rows, %columns) : (tensor<?xf64>, tensor<?xf64>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xf64>
  %product = func.call @hessian_times(%x, %w, %rows, %columns, %v) : (tensor<?xf64>, tensor<?xf64>, tensor<?xi32>, tensor<?xi32>, tensor<?xf64>) -> tensor<?xf64>
  return %gradient, %product : tensor<?xf64>, tensor<?xf64>
}
