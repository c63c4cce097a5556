// A bracket of a part of a tensor is the tensor of brackets of its elements, whatever is around (T16).
// RUN: ad-opt run %s --entry=main --input=1 | FileCheck %s
// RUN: ad-opt run %s --entry=main --input=2 | FileCheck %s --check-prefix=OUTSIDE

// CHECK: [3.0, 4.0]
// CHECK: [3.0, 4.0]
// OUTSIDE: [0.0, 0.0]
// OUTSIDE: [0.0, 0.0]
func.func @main(%k: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %x = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %xs = tensor.cast %x : tensor<2x2xf64> to tensor<?x?xf64>
  %beside = atl.compare %k < 2
  %row = atl.bracket %beside -> tensor<?xf64> {
    %r = atl.access %xs[%k] : tensor<?x?xf64>
    atl.yield %r : tensor<?xf64>
  }
  %other = call @row(%xs, %k) : (tensor<?x?xf64>, index) -> tensor<?xf64>
  return %row, %other : tensor<?xf64>, tensor<?xf64>
}

func.func private @row(%x: tensor<?x?xf64>, %k: index) -> tensor<?xf64> {
  %p = atl.compare %k < 2
  %row = atl.bracket %p -> tensor<?xf64> {
    %r = atl.access %x[%k] : tensor<?x?xf64>
    atl.yield %r : tensor<?xf64>
  }
  return %row : tensor<?xf64>
}

// Never, and so zero.
func.func @never(%k: index) -> tensor<?xf64> {
  %x = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %xs = tensor.cast %x : tensor<2x2xf64> to tensor<?x?xf64>
  %p = arith.constant false
  %row = atl.bracket %p -> tensor<?xf64> {
    %r = atl.access %xs[-2] : tensor<?x?xf64>
    atl.yield %r : tensor<?xf64>
  }
  return %row : tensor<?xf64>
}
