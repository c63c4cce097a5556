// Reductions of buffers that share no memory become loops that read what a row has in common once and keep sums in registers,
// as LLVM does itself where it sees that they share none.
// RUN: ad-opt %s --lower-reductions-to-loops --canonicalize --cse | FileCheck %s
// RUN: ad-opt run %s --entry=values | FileCheck %s --check-prefix=VALUES

// Along the rows of the matrix, with an element of the vector for each.
// CHECK-LABEL: func.func @vector_times_matrix(
// CHECK-SAME:    %[[X:arg[0-9]+]]: memref<?xf64>, %[[A:arg[0-9]+]]: memref<?x?xf64>)
// CHECK:         %[[Y:.*]] = memref.alloc
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %[[ROWS:.*]] step
// CHECK:           %[[XI:.*]] = memref.load %[[X]][%[[I]]]
// CHECK:           scf.for %[[J:.*]] = %{{.*}} to %[[COLUMNS:.*]] step
// CHECK:             %[[AIJ:.*]] = memref.load %[[A]][%[[I]], %[[J]]]
// CHECK:             %[[YJ:.*]] = memref.load %[[Y]][%[[J]]]
// CHECK:             %[[P:.*]] = arith.mulf %[[XI]], %[[AIJ]]
// CHECK:             %[[S:.*]] = arith.addf %[[YJ]], %[[P]]
// CHECK:             memref.store %[[S]], %[[Y]][%[[J]]]
func.func @vector_times_matrix(%x: memref<?xf64>, %a: memref<?x?xf64>) -> memref<?xf64> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %columns = memref.dim %a, %c1 : memref<?x?xf64>
  %y = memref.alloc(%columns) : memref<?xf64>
  linalg.fill ins(%zero : f64) outs(%y : memref<?xf64>)
  linalg.generic {
      indexing_maps = [affine_map<(j, i) -> (i)>, affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (j)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %a : memref<?xf64>, memref<?x?xf64>) outs(%y : memref<?xf64>) {
    ^bb0(%u: f64, %v: f64, %s: f64):
      %p = arith.mulf %u, %v : f64
      %t = arith.addf %s, %p : f64
      linalg.yield %t : f64
  }
  return %y : memref<?xf64>
}

// A sum of products in a register.
// CHECK-LABEL: func.func @matrix_times_vector(
// CHECK:         scf.for %[[I:.*]] = %
// CHECK:           %[[START:.*]] = memref.load %[[Y:.*]][%[[I]]]
// CHECK:           %[[SUM:.*]] = scf.for %[[J:.*]] = %{{.*}} iter_args(%[[S:.*]] = %[[START]])
// CHECK:             %[[NEXT:.*]] = arith.addf %[[S]],
// CHECK-NOT:         memref.store
// CHECK:             scf.yield %[[NEXT]]
// CHECK:           memref.store %[[SUM]], %[[Y]][%[[I]]]
func.func @matrix_times_vector(%a: memref<?x?xf64>, %x: memref<?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %rows = memref.dim %a, %c0 : memref<?x?xf64>
  %y = memref.alloc(%rows) : memref<?xf64>
  linalg.fill ins(%zero : f64) outs(%y : memref<?xf64>)
  linalg.matvec ins(%a, %x : memref<?x?xf64>, memref<?xf64>) outs(%y : memref<?xf64>)
  return %y : memref<?xf64>
}

// What is at a constant place is read once if it is there whatever the sizes are.
// CHECK-LABEL: func.func @scaled_rows(
// CHECK-SAME:    %[[A:arg[0-9]+]]: memref<?x4xf64>, %[[K:arg[0-9]+]]: memref<1xf64>, %[[L:arg[0-9]+]]: memref<?xf64>)
// CHECK:         %[[K0:.*]] = memref.load %[[K]][%c0]
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-NOT:         memref.load %[[K]]
// CHECK:             memref.load %[[L]][%c0]
// CHECK:             arith.mulf %{{.*}}, %[[K0]]
func.func @scaled_rows(%a: memref<?x4xf64>, %k: memref<1xf64>, %l: memref<?xf64>) -> memref<4xf64> {
  %zero = arith.constant 0.0 : f64
  %y = memref.alloc() : memref<4xf64>
  linalg.fill ins(%zero : f64) outs(%y : memref<4xf64>)
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (0)>, affine_map<(i, j) -> (0)>, affine_map<(i, j) -> (j)>],
      iterator_types = ["reduction", "parallel"]}
      ins(%a, %k, %l : memref<?x4xf64>, memref<1xf64>, memref<?xf64>) outs(%y : memref<4xf64>) {
    ^bb0(%u: f64, %v: f64, %w: f64, %s: f64):
      %p = arith.mulf %u, %v : f64
      %q = arith.mulf %p, %w : f64
      %t = arith.addf %s, %q : f64
      linalg.yield %t : f64
  }
  return %y : memref<4xf64>
}

// The largest element and where it is, both in registers.
// CHECK-LABEL: func.func @largest(
// CHECK:         scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f64, index)
// CHECK-NOT:     linalg.generic
func.func @largest(%x: memref<?xf64>) -> (memref<f64>, memref<index>) {
  %c0 = arith.constant 0 : index
  %least = arith.constant 0xFFF0000000000000 : f64
  %value = memref.alloc() : memref<f64>
  %place = memref.alloc() : memref<index>
  memref.store %least, %value[] : memref<f64>
  memref.store %c0, %place[] : memref<index>
  linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>],
      iterator_types = ["reduction"]}
      ins(%x : memref<?xf64>) outs(%value, %place : memref<f64>, memref<index>) {
    ^bb0(%u: f64, %m: f64, %at: index):
      %i = linalg.index 0 : index
      %is_larger = arith.cmpf ogt, %u, %m : f64
      %n = arith.select %is_larger, %u, %m : f64
      %k = arith.select %is_larger, %i, %at : index
      linalg.yield %n, %k : f64, index
  }
  return %value, %place : memref<f64>, memref<index>
}

// Arguments may be the same memory; what is no reduction stays, and what has places that are sums.
// CHECK-LABEL: func.func @others(
// CHECK:         linalg.matvec
// CHECK:         linalg.add
// CHECK:         linalg.conv_1d
func.func @others(%a: memref<?x?xf64>, %x: memref<?xf64>, %y: memref<?xf64>) -> (memref<8xf64>, memref<8xf64>) {
  linalg.matvec ins(%a, %x : memref<?x?xf64>, memref<?xf64>) outs(%y : memref<?xf64>)
  %sum = memref.alloc() : memref<8xf64>
  %eight = memref.cast %x : memref<?xf64> to memref<8xf64>
  linalg.add ins(%eight, %eight : memref<8xf64>, memref<8xf64>) outs(%sum : memref<8xf64>)
  %filtered = memref.alloc() : memref<8xf64>
  linalg.conv_1d ins(%x, %y : memref<?xf64>, memref<?xf64>) outs(%filtered : memref<8xf64>)
  return %sum, %filtered : memref<8xf64>, memref<8xf64>
}

// All of them; sizes 3 x 2, 0 x 2 and 3 x 0.
// VALUES: [5.0, 3.0]
// VALUES-NEXT: [0.0, 0.0]
// VALUES-NEXT: []
// VALUES-NEXT: [-3.0, 2.0, 4.0]
// VALUES-NEXT: [0.0, 0.0, 0.0]
// VALUES-NEXT: 4.0
// VALUES-NEXT: 2
func.func @values() -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64, index) {
  %a = arith.constant dense<[[1.0, -2.0], [0.0, 1.0], [2.0, 1.0]]> : tensor<3x2xf64>
  %x3 = arith.constant dense<[1.0, 3.0, 2.0]> : tensor<3xf64>
  %x2 = arith.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %no_row = arith.constant dense<> : tensor<0x2xf64>
  %no_column = arith.constant dense<> : tensor<3x0xf64>
  %none = arith.constant dense<> : tensor<0xf64>
  %ma = bufferization.to_buffer %a : tensor<3x2xf64> to memref<3x2xf64>
  %mx3 = bufferization.to_buffer %x3 : tensor<3xf64> to memref<3xf64>
  %mx2 = bufferization.to_buffer %x2 : tensor<2xf64> to memref<2xf64>
  %mr = bufferization.to_buffer %no_row : tensor<0x2xf64> to memref<0x2xf64>
  %mc = bufferization.to_buffer %no_column : tensor<3x0xf64> to memref<3x0xf64>
  %mn = bufferization.to_buffer %none : tensor<0xf64> to memref<0xf64>
  %da = memref.cast %ma : memref<3x2xf64> to memref<?x?xf64>
  %dx3 = memref.cast %mx3 : memref<3xf64> to memref<?xf64>
  %dx2 = memref.cast %mx2 : memref<2xf64> to memref<?xf64>
  %dr = memref.cast %mr : memref<0x2xf64> to memref<?x?xf64>
  %dc = memref.cast %mc : memref<3x0xf64> to memref<?x?xf64>
  %dn = memref.cast %mn : memref<0xf64> to memref<?xf64>
  %0 = func.call @vector_times_matrix(%dx3, %da) : (memref<?xf64>, memref<?x?xf64>) -> memref<?xf64>
  %1 = func.call @vector_times_matrix(%dn, %dr) : (memref<?xf64>, memref<?x?xf64>) -> memref<?xf64>
  %2 = func.call @vector_times_matrix(%dx3, %dc) : (memref<?xf64>, memref<?x?xf64>) -> memref<?xf64>
  %3 = func.call @matrix_times_vector(%da, %dx2) : (memref<?x?xf64>, memref<?xf64>) -> memref<?xf64>
  %4 = func.call @matrix_times_vector(%dc, %dn) : (memref<?x?xf64>, memref<?xf64>) -> memref<?xf64>
  %5:2 = func.call @largest(%3) : (memref<?xf64>) -> (memref<f64>, memref<index>)
  %largest = memref.load %5#0[] : memref<f64>
  %place = memref.load %5#1[] : memref<index>
  %t0 = bufferization.to_tensor %0 restrict : memref<?xf64> to tensor<?xf64>
  %t1 = bufferization.to_tensor %1 restrict : memref<?xf64> to tensor<?xf64>
  %t2 = bufferization.to_tensor %2 restrict : memref<?xf64> to tensor<?xf64>
  %t3 = bufferization.to_tensor %3 restrict : memref<?xf64> to tensor<?xf64>
  %t4 = bufferization.to_tensor %4 restrict : memref<?xf64> to tensor<?xf64>
  return %t0, %t1, %t2, %t3, %t4, %largest, %place : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64, index
}
