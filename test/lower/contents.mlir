// Buffers are read and written in place of copies of what they hold, where nobody else writes to them or reads them in between.
// RUN: ad-opt %s --lower-contents | FileCheck %s
// RUN: ad-opt %s --lower-contents --remarks-filter-analyse='lower-contents' -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT

// COUNT: Category:lower-contents | count=6

#here = affine_map<(i) -> (i)>
#back = affine_map<(i) -> (-i + 9)>

// Both readers come before the store; what is made begins with what the buffer holds, and is stored there.
// CHECK-LABEL: func.func @before(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: memref<10xf64>, %[[B:[a-z0-9]+]]: memref<10xf64>
// CHECK:         %[[X:.*]] = bufferization.to_tensor %[[A]] restrict :
// CHECK:         %[[Y:.*]] = bufferization.to_tensor %[[B]] restrict writable :
// CHECK-NOT:     alloc_tensor
// CHECK:         %[[SUM:.*]] = linalg.add ins(%[[X]], %[[Y]] : {{.*}}) outs(%[[Y]] :
// CHECK:         bufferization.materialize_in_destination %[[SUM]] in restrict writable %[[B]]
func.func @before(%a: memref<10xf64>, %b: memref<10xf64>) {
  %x = bufferization.to_tensor %a restrict : memref<10xf64> to tensor<10xf64>
  %kept = bufferization.alloc_tensor() copy(%x) : tensor<10xf64>
  %y = bufferization.to_tensor %b restrict : memref<10xf64> to tensor<10xf64>
  %start = bufferization.alloc_tensor() copy(%y) : tensor<10xf64>
  %sum = linalg.add ins(%kept, %y : tensor<10xf64>, tensor<10xf64>) outs(%start : tensor<10xf64>) -> tensor<10xf64>
  bufferization.materialize_in_destination %sum in restrict writable %b : (tensor<10xf64>, memref<10xf64>) -> ()
  return
}

// Something is written before the second reader, which keeps the copy.
// CHECK-LABEL: func.func @behind(
// CHECK:         %[[X:.*]] = bufferization.to_tensor
// CHECK:         %[[KEPT:.*]] = bufferization.alloc_tensor() copy(%[[X]])
// CHECK:         tensor.extract %[[X]]
// CHECK:         memref.store
// CHECK:         tensor.extract %[[KEPT]]
func.func @behind(%a: memref<10xf64>, %b: memref<10xf64>, %i: index) -> f64 {
  %x = bufferization.to_tensor %a restrict : memref<10xf64> to tensor<10xf64>
  %kept = bufferization.alloc_tensor() copy(%x) : tensor<10xf64>
  %p = tensor.extract %kept[%i] : tensor<10xf64>
  memref.store %p, %b[%i] : memref<10xf64>
  %q = tensor.extract %kept[%i] : tensor<10xf64>
  %pq = arith.mulf %p, %q : f64
  return %pq : f64
}

// What is stored is read again behind the store: it is made elsewhere.
// CHECK-LABEL: func.func @read_again(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: memref<10xf64>
// CHECK:         %[[MADE:.*]] = linalg.exp
// CHECK:         %[[BUFFER:.*]] = bufferization.to_buffer %[[MADE]] read_only : tensor<10xf64> to memref<10xf64, strided<[?], offset: ?>>
// CHECK:         memref.copy %[[BUFFER]], %[[A]]
// CHECK-NOT:     materialize
func.func @read_again(%a: memref<10xf64>, %x: tensor<10xf64>, %i: index) -> f64 {
  %empty = tensor.empty() : tensor<10xf64>
  %made = linalg.exp ins(%x : tensor<10xf64>) outs(%empty : tensor<10xf64>) -> tensor<10xf64>
  bufferization.materialize_in_destination %made in restrict writable %a : (tensor<10xf64>, memref<10xf64>) -> ()
  %p = tensor.extract %made[%i] : tensor<10xf64>
  return %p : f64
}

// The buffer is read between, or at another place: made elsewhere, too.
// CHECK-LABEL: func.func @read_between(
// CHECK-COUNT-2: memref.copy
// CHECK-NOT:     materialize
func.func @read_between(%a: memref<10xf64>, %i: index) -> f64 {
  %x = bufferization.to_tensor %a restrict : memref<10xf64> to tensor<10xf64>
  %empty = tensor.empty() : tensor<10xf64>
  %made = linalg.generic {indexing_maps = [#back, #here], iterator_types = ["parallel"]}
      ins(%x : tensor<10xf64>) outs(%empty : tensor<10xf64>) {
  ^bb0(%e: f64, %_: f64):
    linalg.yield %e : f64
  } -> tensor<10xf64>
  bufferization.materialize_in_destination %made in restrict writable %a : (tensor<10xf64>, memref<10xf64>) -> ()
  %y = bufferization.to_tensor %a restrict : memref<10xf64> to tensor<10xf64>
  %more = linalg.exp ins(%y : tensor<10xf64>) outs(%empty : tensor<10xf64>) -> tensor<10xf64>
  %p = memref.load %a[%i] : memref<10xf64>
  bufferization.materialize_in_destination %more in restrict writable %a : (tensor<10xf64>, memref<10xf64>) -> ()
  return %p : f64
}

// What is new, and made of the same places, is made where it is stored.
// CHECK-LABEL: func.func @in_place(
// CHECK-NOT:     memref.copy
// CHECK:         bufferization.materialize_in_destination
func.func @in_place(%a: memref<10xf64>) {
  %x = bufferization.to_tensor %a restrict : memref<10xf64> to tensor<10xf64>
  %empty = tensor.empty() : tensor<10xf64>
  %made = linalg.exp ins(%x : tensor<10xf64>) outs(%empty : tensor<10xf64>) -> tensor<10xf64>
  bufferization.materialize_in_destination %made in restrict writable %a : (tensor<10xf64>, memref<10xf64>) -> ()
  return
}

// So is what a loop makes, unless it reads the buffer.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: memref<10xf64>, %[[B:[a-z0-9]+]]: memref<10xf64>
// CHECK:         bufferization.materialize_in_destination %{{.*}} in restrict writable %[[B]]
// CHECK:         memref.copy %{{.*}}, %[[A]]
func.func @loop(%a: memref<10xf64>, %b: memref<10xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %x = bufferization.to_tensor %a restrict : memref<10xf64> to tensor<10xf64>
  %empty = tensor.empty() : tensor<10xf64>
  %y = scf.for %i = %c0 to %c10 step %c1 iter_args(%s = %empty) -> tensor<10xf64> {
    %e = tensor.extract %x[%i] : tensor<10xf64>
    %t = tensor.insert %e into %s[%i] : tensor<10xf64>
    scf.yield %t : tensor<10xf64>
  }
  bufferization.materialize_in_destination %y in restrict writable %b : (tensor<10xf64>, memref<10xf64>) -> ()
  %other = tensor.empty() : tensor<10xf64>
  %z = scf.for %i = %c0 to %c10 step %c1 iter_args(%s = %other) -> tensor<10xf64> {
    %e = tensor.extract %x[%c0] : tensor<10xf64>
    %t = tensor.insert %e into %s[%i] : tensor<10xf64>
    scf.yield %t : tensor<10xf64>
  }
  bufferization.materialize_in_destination %z in restrict writable %a : (tensor<10xf64>, memref<10xf64>) -> ()
  return
}
