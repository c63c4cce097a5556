// A slice is dense where types say that it is: in results, behind branches, and where all of it is copied at once. Rows in one piece
// are as they are.
// RUN: ad-opt %s --ad-place-buffers | FileCheck %s
// DEFINE: %{entry} = columns
// DEFINE: %{both} = ad-opt run %s --entry=%{entry} --input=%t.npy --input=3 > %t.cpu && FileCheck %s --input-file=%t.cpu --check-prefix=COLUMNS && \
// DEFINE:           ad-opt run %s --entry=%{entry} --input=%t.npy --input=3 --target=gpu-emulate > %t.gpu && diff %t.cpu %t.gpu
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(2, 4)' 1 2 3 4 5 6 7 8
// RUN: %{both}
// REDEFINE: %{entry} = chosen
// RUN: %{both}
// RUN: ad-opt run %s --entry=rows --input=%t.npy --input=1 --target=gpu-emulate | FileCheck %s --check-prefix=ROWS

// COLUMNS: {{\[\[}}1.0, 4.0, 9.0],
// COLUMNS-NEXT: [25.0, 36.0, 49.0]]
// CHECK-LABEL: func.func @columns(
// CHECK:       %[[SLICE:.*]] = memref.subview
// CHECK:       %[[DENSE:.*]] = memref.alloc(%{{.*}}) : memref<2x?xf64>
// CHECK:       memref.copy %[[SLICE]], %[[DENSE]]
// CHECK:       return %[[DENSE]]
func.func @columns(%a: tensor<2x4xf64>, %k: index) -> tensor<2x?xf64> {
  %squares = arith.mulf %a, %a : tensor<2x4xf64>
  %v = tensor.extract_slice %squares[0, 0] [2, %k] [1, 1] : tensor<2x4xf64> to tensor<2x?xf64>
  return %v : tensor<2x?xf64>
}

func.func @chosen(%a: tensor<2x4xf64>, %k: index) -> tensor<?x?xf64> {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %squares = arith.mulf %a, %a : tensor<2x4xf64>
  %several = arith.cmpi sgt, %k, %one : index
  %v = scf.if %several -> tensor<?x?xf64> {
    %w = tensor.extract_slice %squares[0, 0] [%two, %k] [1, 1] : tensor<2x4xf64> to tensor<?x?xf64>
    scf.yield %w : tensor<?x?xf64>
  } else {
    %w = tensor.cast %squares : tensor<2x4xf64> to tensor<?x?xf64>
    scf.yield %w : tensor<?x?xf64>
  }
  return %v : tensor<?x?xf64>
}

// ROWS: {{\[\[}}1.0, 4.0, 9.0, 16.0]]
// CHECK-LABEL: func.func @rows(
// CHECK-NOT:   memref.copy
// CHECK:       return
func.func @rows(%a: tensor<?x?xf64>, %k: index) -> tensor<?x?xf64> {
  %one = arith.constant 1 : index
  %n = tensor.dim %a, %one : tensor<?x?xf64>
  %squares = arith.mulf %a, %a : tensor<?x?xf64>
  %v = tensor.extract_slice %squares[0, 0] [%k, %n] [1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
  return %v : tensor<?x?xf64>
}
