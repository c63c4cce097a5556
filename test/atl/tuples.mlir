// Places of numbered tuples that are expressions of indices: a tuple says what they are equal to, and
// the equations determine the indices, or are loops where they do not (T17, T45).
// RUN: ad-opt %s --lower-atl-to-soac --canonicalize --cse | FileCheck %s
// RUN: ad-opt run %s --entry=main | FileCheck %s --check-prefix=VALUES

// Tuples 1, 3, 0, 7 say where i + 1 is: i is 0 and 2; -1 and 6 are no indices.
// CHECK-LABEL: func.func private @next(
// CHECK: soac.map
// CHECK-NOT: soac.map
// CHECK: return
func.func private @next(%list: tensor<?xindex>, %x: tensor<?xf64>, %v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %count = tensor.dim %v, %zero : tensor<?xf64>
  %s = atl.sum (%i in %n, %k in %count) -> f64 {
    %p = atl.member (%list)[%i + 1] at %k : tensor<?xindex>
    %e = atl.bracket %p -> f64 {
      %xi = atl.access %x[%i] : tensor<?xf64>
      %vk = atl.access %v[%k] : tensor<?xf64>
      %t = arith.mulf %xi, %vk : f64
      atl.yield %t : f64
    }
    atl.yield %e : f64
  }
  return %s : f64
}

// Every i and j with i + j in the list: a tuple leaves one of them open.
// CHECK-LABEL: func.func private @both(
// CHECK: soac.map
// CHECK: soac.map
// CHECK-NOT: soac.map
// CHECK: return
func.func private @both(%list: tensor<?xindex>, %x: tensor<?xf64>, %v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %count = tensor.dim %v, %zero : tensor<?xf64>
  %s = atl.sum (%i in %n, %j in %n, %k in %count) -> f64 {
    %p = atl.member (%list)[%i + %j] at %k : tensor<?xindex>
    %e = atl.bracket %p -> f64 {
      %xi = atl.access %x[%i] : tensor<?xf64>
      %xj = atl.access %x[%j] : tensor<?xf64>
      %t = arith.mulf %xi, %xj : f64
      atl.yield %t : f64
    }
    atl.yield %e : f64
  }
  return %s : f64
}

// x is 1 2 3: 1 * 10 + 3 * 20. Sums 1, 3, 0 and 7 of two indices below 3: 1 2 + 2 1, then
// 2 3 + 3 2, then 1 1, and none.
// VALUES: 70.0
// VALUES: 17.0
func.func @main() -> (f64, f64) {
  %ls = arith.constant dense<[1, 3, 0, 7]> : tensor<4xindex>
  %xs = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %vs = arith.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf64>
  %list = tensor.cast %ls : tensor<4xindex> to tensor<?xindex>
  %x = tensor.cast %xs : tensor<3xf64> to tensor<?xf64>
  %v = tensor.cast %vs : tensor<4xf64> to tensor<?xf64>
  %a = call @next(%list, %x, %v) : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>) -> f64
  %b = call @both(%list, %x, %v) : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>) -> f64
  return %a, %b : f64, f64
}
