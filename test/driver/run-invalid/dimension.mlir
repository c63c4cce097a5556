// A size of a dimension that an array does not have, on which MLIR's own passes crash.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=1 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: sed 's/constant -1/constant 0/' %s > %t.buffer.mlir
// RUN: not ad-opt run %t.buffer.mlir --entry=g --input=1 2>&1 | FileCheck %s --check-prefix=BUFFER
// RUN: not ad-opt check %s --entry=f --input=1 2>&1 | FileCheck %s
// RUN: not ad-opt compile %s --entry=f -o %t.so 2>&1 | FileCheck %s
// RUN: sed 's/constant -1/constant 1/' %s > %t.rank.mlir
// RUN: not ad-opt run %t.rank.mlir --entry=f --input=1 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not test -e %t.out

func.func @f(%n: index) -> index {
  %c = arith.constant -1 : index
  %b = tensor.empty(%n) : tensor<?xf64>
  // CHECK: [[#@LINE+2]]:{{[0-9]+}}: error: 'tensor.dim' op tensor<?xf64> has no dimension -1
  // RANK: error: 'tensor.dim' op tensor<?xf64> has no dimension 1
  %size = tensor.dim %b, %c : tensor<?xf64>
  return %size : index
}
func.func @g(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %b = memref.alloc(%n) : memref<?x3xf64>
  %size = memref.dim %b, %c0 : memref<?x3xf64>
  // BUFFER: [[#@LINE+1]]:{{[0-9]+}}: error: 'memref.dim' op memref<?x3xf64> has no dimension 2
  %other = memref.dim %b, %c2 : memref<?x3xf64>
  %sum = arith.addi %size, %other : index
  return %sum : index
}
