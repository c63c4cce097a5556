// A part of a larger array among the results is row-major and in memory of its own, whether the larger array is a result, too.
// RUN: rm -rf %t && mkdir %t
// RUN: ad-opt compile %s -o %t/parts.so
// RUN: cc -std=c99 -Wall -Wextra -Werror -I%t %S/Inputs/parts.c %t/parts.so -Wl,-rpath,%t -o %t/parts
// RUN: %t/parts | FileCheck %s
// RUN: %python %S/Inputs/npy.py %t/a.npy '<f8' '(2,3)' 0 1 2 3 4 5
// RUN: ad-opt run %s --entry=both --input=%t/a.npy --input=%t/a.npy | FileCheck %s --check-prefix=SAME

// CHECK: 2 x 6, 6 1: 0 1 2 0 1 2 3 4 5 3 4 5
// CHECK: 2 x 3, 3 1: 0 1 2 3 4 5
// CHECK: 2 x 5, 5 1: 1 2 0 1 2 4 5 3 4 5
// SAME: {{[[][[]}}0.0, 1.0, 2.0, 0.0, 1.0, 2.0],
// SAME: [3.0, 4.0, 5.0, 3.0, 4.0, 5.0]]
// SAME: {{[[][[]}}0.0, 1.0, 2.0],
// SAME: [3.0, 4.0, 5.0]]
func.func @both(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf64>
  %m = tensor.dim %a, %c1 : tensor<?x?xf64>
  %y = tensor.concat dim(1) %a, %b : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %s = tensor.extract_slice %y[0, 0] [%n, %m] [1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
  return %y, %s : tensor<?x?xf64>, tensor<?x?xf64>
}
func.func @one(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf64>
  %m = tensor.dim %a, %c1 : tensor<?x?xf64>
  %y = tensor.concat dim(1) %a, %b : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %k = tensor.dim %y, %c1 : tensor<?x?xf64>
  %l = arith.subi %k, %c1 : index
  %s = tensor.extract_slice %y[0, 1] [%n, %l] [1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
  return %s : tensor<?x?xf64>
}
