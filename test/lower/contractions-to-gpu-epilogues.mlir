// What is made of each element of a product is made by the kernel that makes the product (F49), unless it would write to
// what is read. The sums themselves are written only if somebody else reads them.
// RUN: ad-opt %s --split-input-file --lower-contractions-to-gpu | FileCheck %s

#all = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
#column = affine_map<(i, j) -> (j)>

// A layer: the threads that have the sums add the bias, which each reads once for its columns (where all elements of
// a tile are there, or one by one), and write the layer. A tile of 64 x 64 has 256 threads with 4 x 4 elements each.
// CHECK-LABEL: func.func @layer(
// CHECK-SAME: %[[X:.*]]: memref<64x256xf32>, %[[W:.*]]: memref<256x64xf32>, %[[B:.*]]: memref<64xf32>
// CHECK: %[[P:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK: %[[H:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK: gpu.launch
// CHECK-COUNT-8: memref.load %[[B]]
// CHECK-NOT: memref.load %[[B]]
// CHECK-COUNT-16: math.tanh
// CHECK-NOT: math.tanh
// CHECK: vector.store {{.*}}, %[[H]]
// CHECK: gpu.launch
// CHECK: %[[T:.*]] = math.tanh
// CHECK-NEXT: memref.store %[[T]], %[[H]]
// CHECK-NOT: linalg.generic
// CHECK-NOT: %[[P]][
// CHECK: return %[[H]]
func.func @layer(%x: memref<64x256xf32>, %w: memref<256x64xf32>, %b: memref<64xf32>) -> memref<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<64x64xf32>)
  linalg.matmul ins(%x, %w : memref<64x256xf32>, memref<256x64xf32>) outs(%p : memref<64x64xf32>)
  %h = memref.alloc() : memref<64x64xf32>
  linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : memref<64x64xf32>, memref<64xf32>) outs(%h : memref<64x64xf32>) {
  ^bb0(%p_i: f32, %b_i: f32, %_: f32):
    %s = arith.addf %p_i, %b_i : f32
    %t = math.tanh %s : f32
    linalg.yield %t : f32
  }
  memref.dealloc %p : memref<64x64xf32>
  return %h : memref<64x64xf32>
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>

// A transpose of another array is read, and one is written; the caller gets the sums, too.
// CHECK-LABEL: func.func @kept(
// CHECK-SAME: %{{.*}}: memref<64x64xf32>, %{{.*}}: memref<64x64xf32>, %[[E:.*]]: memref<64x64xf32>)
// CHECK: %[[P:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK: %[[H:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK: gpu.launch
// CHECK: memref.load %[[E]]
// CHECK: memref.store {{.*}}, %[[H]]
// CHECK: vector.store {{.*}}, %[[P]]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @kept(%x: memref<64x64xf32>, %w: memref<64x64xf32>, %e: memref<64x64xf32>) -> (memref<64x64xf32>, memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<64x64xf32>)
  linalg.matmul ins(%x, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  %h = memref.alloc() : memref<64x64xf32>
  linalg.generic {indexing_maps = [#turned, #all, #turned], iterator_types = ["parallel", "parallel"]}
      ins(%p, %e : memref<64x64xf32>, memref<64x64xf32>) outs(%h : memref<64x64xf32>) {
  ^bb0(%p_i: f32, %e_i: f32, %_: f32):
    %s = arith.mulf %p_i, %e_i : f32
    linalg.yield %s : f32
  }
  return %p, %h : memref<64x64xf32>, memref<64x64xf32>
}

// -----

#all = affine_map<(i, j) -> (i, j)>

// In the place of the sums, which are an argument: nobody sees them.
// CHECK-LABEL: func.func @in_place(
// CHECK-SAME: %[[P:[a-z0-9]*]]: memref<64x64xf32>)
// CHECK: gpu.launch
// CHECK-COUNT-16: math.exp
// CHECK: vector.store {{.*}}, %[[P]]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @in_place(%x: memref<64x64xf32>, %w: memref<64x64xf32>, %p: memref<64x64xf32>) {
  linalg.matmul ins(%x, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%p : memref<64x64xf32>) {
  ^bb0(%p_i: f32):
    %s = math.exp %p_i : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#all = affine_map<(i, j) -> (i, j)>

// Blocks would write to what others still read: the first factor, which is the argument that the result is written to, or
// may be the same as that.
// CHECK-LABEL: func.func @factor(
// CHECK: gpu.launch
// CHECK-NOT: math.exp
// CHECK: linalg.generic
// CHECK: gpu.launch
// CHECK-NOT: math.exp
// CHECK: linalg.generic
// CHECK: return
func.func @factor(%x: memref<64x64xf32>, %w: memref<64x64xf32>, %y: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<64x64xf32>)
  linalg.matmul ins(%x, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%p : memref<64x64xf32>) outs(%x : memref<64x64xf32>) {
  ^bb0(%p_i: f32, %_: f32):
    %s = math.exp %p_i : f32
    linalg.yield %s : f32
  }
  linalg.matmul ins(%x, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%p : memref<64x64xf32>) outs(%y : memref<64x64xf32>) {
  ^bb0(%p_i: f32, %_: f32):
    %s = math.exp %p_i : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>

// Sums of other threads are read, or something else happens in between, or elements are read before.
// CHECK-LABEL: func.func @others(
// CHECK: linalg.generic
// CHECK: memref.copy
// CHECK: linalg.generic
// CHECK: return
func.func @others(%x: memref<64x64xf32>, %w: memref<64x64xf32>, %e: memref<64x64xf32>) -> memref<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<64x64xf32>)
  linalg.matmul ins(%x, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  %h = memref.alloc() : memref<64x64xf32>
  linalg.generic {indexing_maps = [#all, #turned, #all], iterator_types = ["parallel", "parallel"]}
      ins(%p, %p : memref<64x64xf32>, memref<64x64xf32>) outs(%h : memref<64x64xf32>) {
  ^bb0(%p_i: f32, %q_i: f32, %_: f32):
    %s = arith.addf %p_i, %q_i : f32
    linalg.yield %s : f32
  }
  linalg.matmul ins(%h, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  %g = memref.alloc() : memref<64x64xf32>
  memref.copy %e, %g : memref<64x64xf32> to memref<64x64xf32>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%p : memref<64x64xf32>) outs(%g : memref<64x64xf32>) {
  ^bb0(%p_i: f32, %g_i: f32):
    %s = arith.addf %p_i, %g_i : f32
    linalg.yield %s : f32
  }
  return %g : memref<64x64xf32>
}

// -----

#all = affine_map<(i, j) -> (i, j)>

// What is read between the start of the sums and the product stays there, and so does what is made of it.
// CHECK-LABEL: func.func @between(
// CHECK: %[[V:.*]] = memref.load
// CHECK: %[[W:.*]] = arith.addf %[[V]], %[[V]]
// CHECK: gpu.launch
// CHECK-COUNT-16: arith.mulf %{{.*}}, %[[W]]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @between(%x: memref<64x64xf32>, %w: memref<64x64xf32>) -> memref<64x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<64x64xf32>)
  %v = memref.load %x[%c0, %c0] : memref<64x64xf32>
  %s = arith.addf %v, %v : f32
  linalg.matmul ins(%x, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  %h = memref.alloc() : memref<64x64xf32>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%p : memref<64x64xf32>) outs(%h : memref<64x64xf32>) {
  ^bb0(%p_i: f32, %_: f32):
    %t = arith.mulf %p_i, %s : f32
    linalg.yield %t : f32
  }
  return %h : memref<64x64xf32>
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>

// Sums begin with what is in the array that would be written, at other places.
// CHECK-LABEL: func.func @start(
// CHECK: gpu.launch
// CHECK: linalg.generic
// CHECK: return
func.func @start(%x: memref<64x64xf32>, %w: memref<64x64xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %h = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%h : memref<64x64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.alloc() : memref<64x64xf32>
    memref.copy %h, %p : memref<64x64xf32> to memref<64x64xf32>
    linalg.matmul ins(%x, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%p : memref<64x64xf32>)
    linalg.generic {indexing_maps = [#all, #turned], iterator_types = ["parallel", "parallel"]} ins(%p : memref<64x64xf32>) outs(%h : memref<64x64xf32>) {
    ^bb0(%p_i: f32, %_: f32):
      %t = math.exp %p_i : f32
      linalg.yield %t : f32
    }
    memref.dealloc %p : memref<64x64xf32>
  }
  %r = memref.load %h[%c0, %c0] : memref<64x64xf32>
  memref.dealloc %h : memref<64x64xf32>
  return %r : f32
}

// -----

#all = affine_map<(i, j) -> (i, j)>

// Two products are added up, and something is made of the sums of both: the second kernel reads what the first one wrote, and
// writes only what is made.
// CHECK-LABEL: func.func @cell(
// CHECK: %[[P:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK: %[[H:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK: gpu.launch
// CHECK: vector.store {{.*}}, %[[P]]{{\[}}
// CHECK: gpu.launch
// CHECK: vector.load %[[P]]{{\[}}
// CHECK: math.tanh
// CHECK-NOT: store {{.*}}, %[[P]]{{\[}}
// CHECK: vector.store {{.*}}, %[[H]]{{\[}}
// CHECK-NOT: store {{.*}}, %[[P]]{{\[}}
// CHECK: return %[[H]]
func.func @cell(%x: memref<64x64xf32>, %w: memref<64x64xf32>, %y: memref<64x64xf32>, %u: memref<64x64xf32>) -> memref<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<64x64xf32>
  %h = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<64x64xf32>)
  linalg.matmul ins(%x, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  linalg.matmul ins(%y, %u : memref<64x64xf32>, memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%p : memref<64x64xf32>) outs(%h : memref<64x64xf32>) {
  ^bb0(%p_i: f32, %_: f32):
    %t = math.tanh %p_i : f32
    linalg.yield %t : f32
  }
  memref.dealloc %p : memref<64x64xf32>
  return %h : memref<64x64xf32>
}

// -----

#all = affine_map<(i, j) -> (i, j)>

// In a loop, too, where each iteration begins anew.
// CHECK-LABEL: func.func @cells(
// CHECK: %[[P:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK: %[[H:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK: scf.for
// CHECK: gpu.launch
// CHECK: vector.store {{.*}}, %[[P]]{{\[}}
// CHECK: gpu.launch
// CHECK: vector.load %[[P]]{{\[}}
// CHECK: math.tanh
// CHECK-NOT: store {{.*}}, %[[P]]{{\[}}
// CHECK: vector.store {{.*}}, %[[H]]{{\[}}
// CHECK-NOT: store {{.*}}, %[[P]]{{\[}}
// CHECK: memref.dealloc %[[P]]
func.func @cells(%x: memref<64x64xf32>, %w: memref<64x64xf32>, %y: memref<64x64xf32>, %u: memref<64x64xf32>, %n: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<64x64xf32>
  %h = memref.alloc() : memref<64x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%zero : f32) outs(%p : memref<64x64xf32>)
    linalg.matmul ins(%x, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%p : memref<64x64xf32>)
    linalg.matmul ins(%y, %u : memref<64x64xf32>, memref<64x64xf32>) outs(%p : memref<64x64xf32>)
    linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%p : memref<64x64xf32>) outs(%h : memref<64x64xf32>) {
    ^bb0(%p_i: f32, %_: f32):
      %t = math.tanh %p_i : f32
      linalg.yield %t : f32
    }
  }
  memref.dealloc %p : memref<64x64xf32>
  %r = memref.load %h[%c0, %c0] : memref<64x64xf32>
  memref.dealloc %h : memref<64x64xf32>
  return %r : f32
}
