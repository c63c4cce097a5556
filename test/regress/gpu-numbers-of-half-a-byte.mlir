// Numbers of half a byte each have a byte in memory, but not in a vector: tiles of products read and write one at a time.
// RUN: %python %S/../bench/Inputs/random_npy.py %t.npy '<i1' '(64,64)' -8 8 1
// DEFINE: %{run} = ad-opt run %s --entry=square --input=%t.npy
// RUN: %{run} > %t.cpu && %{run} --target=gpu-emulate > %t.gpu && cmp %t.cpu %t.gpu
// RUN: FileCheck %s < %t.cpu
// The sum of the products of the first row and column is -2, in 4 bits.
// CHECK: {{^\[\[-2,}}
func.func @square(%a: tensor<64x64xi8>) -> tensor<64x64xi8> {
  %zero = arith.constant 0 : i4
  %x = arith.trunci %a : tensor<64x64xi8> to tensor<64x64xi4>
  %start = tensor.splat %zero : tensor<64x64xi4>
  %y = linalg.matmul ins(%x, %x : tensor<64x64xi4>, tensor<64x64xi4>) outs(%start : tensor<64x64xi4>) -> tensor<64x64xi4>
  %wide = arith.extsi %y : tensor<64x64xi4> to tensor<64x64xi8>
  return %wide : tensor<64x64xi8>
}
