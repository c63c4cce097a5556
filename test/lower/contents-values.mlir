// An array that was read from memory stays what it was when memory is written to or freed, also where passes find that a
// copy of it is the array itself.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(5,)' 1.0 2.0 3.0 4.0 5.0
// RUN: ad-opt run %s --entry=freed --input=%t.x.npy | FileCheck %s
// RUN: ad-opt run %s --entry=freed --input=%t.x.npy --target=gpu-emulate | FileCheck %s
// RUN: ad-opt run %s --entry=stored --input=%t.x.npy | FileCheck %s
// RUN: ad-opt run %s --entry=stored --input=%t.x.npy --target=gpu-emulate | FileCheck %s
// RUN: ad-opt run %s --entry=steps --input=%t.x.npy --input=3 | FileCheck %s --check-prefix=STEPS
// RUN: ad-opt run %s --entry=steps --input=%t.x.npy --input=3 --target=gpu-emulate | FileCheck %s --check-prefix=STEPS
// RUN: ad-opt check %s --entry=steps --input=%t.x.npy --input=3
// CHECK: [1.0, 2.0, 3.0, 4.0, 5.0]

// The array and zero, of which nothing is left but the array.
func.func @freed(%x: tensor<5xf64>) -> tensor<5xf64> {
  %zeros = arith.constant dense<0.0> : tensor<5xf64>
  %m = memref.alloc() : memref<5xf64>
  bufferization.materialize_in_destination %x in writable %m : (tensor<5xf64>, memref<5xf64>) -> ()
  %read = bufferization.to_tensor %m restrict : memref<5xf64> to tensor<5xf64>
  %same = arith.addf %read, %zeros : tensor<5xf64>
  memref.dealloc %m : memref<5xf64>
  return %same : tensor<5xf64>
}

// The array itself.
func.func @stored(%x: tensor<5xf64>) -> tensor<5xf64> {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7.0 : f64
  %m = memref.alloc() : memref<5xf64>
  bufferization.materialize_in_destination %x in writable %m : (tensor<5xf64>, memref<5xf64>) -> ()
  %read = bufferization.to_tensor %m restrict : memref<5xf64> to tensor<5xf64>
  memref.store %seven, %m[%c0] : memref<5xf64>
  memref.dealloc %m : memref<5xf64>
  return %read : tensor<5xf64>
}

// x[i] += x[i - 1] of the step before, by way of a copy. Each step adds the neighbour as it was: binomial coefficients.
// STEPS: [1.0, 5.0, 12.0, 20.0, 28.0]
#id = affine_map<(i) -> (i)>
func.func @steps(%x: tensor<5xf64>, %n: index) -> tensor<5xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %m = memref.alloc() : memref<5xf64>
  bufferization.materialize_in_destination %x in writable %m : (tensor<5xf64>, memref<5xf64>) -> ()
  scf.for %t = %c0 to %n step %c1 {
    %now = bufferization.to_tensor %m restrict : memref<5xf64> to tensor<5xf64>
    %empty = tensor.empty() : tensor<5xf64>
    %old = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%now : tensor<5xf64>) outs(%empty : tensor<5xf64>) {
    ^bb0(%a: f64, %b: f64):
      linalg.yield %a : f64
    } -> tensor<5xf64>
    scf.for %i = %c1 to %c5 step %c1 {
      %before = arith.subi %i, %c1 : index
      %a = tensor.extract %old[%before] : tensor<5xf64>
      %b = memref.load %m[%i] : memref<5xf64>
      %sum = arith.addf %a, %b : f64
      memref.store %sum, %m[%i] : memref<5xf64>
    }
  }
  %end = bufferization.to_tensor %m restrict : memref<5xf64> to tensor<5xf64>
  %ones = arith.constant dense<1.0> : tensor<5xf64>
  %result = arith.mulf %end, %ones : tensor<5xf64>
  memref.dealloc %m : memref<5xf64>
  return %result : tensor<5xf64>
}
