// What the threads of kernels allocate becomes local memory, or a part of one buffer.
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-private-buffers,canonicalize,cse)' | FileCheck %s


// No more than 512 bytes.
// CHECK-LABEL: func.func @small(
// CHECK-NOT: memref.alloc(
// CHECK: scf.forall
// CHECK-NEXT: %[[OWN:.*]] = memref.alloca() : memref<64xf64>
// CHECK: memref.store %{{.*}}, %[[OWN]]
// CHECK-NOT: mapping
// CHECK: return
func.func @small(%n: index, %xs: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (%n) {
    %x = memref.load %xs[%i] : memref<?xf64>
    %own = memref.alloc() : memref<64xf64>
    memref.store %x, %own[%c0] : memref<64xf64>
    %y = memref.load %own[%c0] : memref<64xf64>
    memref.store %y, %xs[%i] : memref<?xf64>
  }
  return
}

// One byte more, or of dynamic size: as many parts as threads run at a time, each a multiple of 16 bytes. These are 65,536
// if 2 GiB have room for their parts, and never less than 256; each does several iterations. Neighbours in memory are the same
// element of neighbouring threads, so that what threads access at a time lies side by side.
// CHECK-LABEL: func.func @large(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK: %[[TOTAL:.*]] = arith.maxsi %[[N]], %c0
// CHECK: %[[ROWS:.*]] = arith.addi %[[M]], %c1
// CHECK: %[[BYTES:.*]] = arith.muli %[[ROWS]], %c8
// CHECK: %[[UNITS:.*]] = arith.ceildivui %[[BYTES]], %c16
// CHECK: %[[PART:.*]] = arith.muli %[[UNITS]], %c16
// CHECK: %[[PARTS:.*]] = arith.addi %[[PART]], %c528
// CHECK: %[[NOT_ZERO:.*]] = arith.maxui %[[PARTS]], %c1
// CHECK: %[[ROOM:.*]] = arith.divui %c2147483648, %[[NOT_ZERO]]
// CHECK: %[[MOST:.*]] = arith.minui %[[ROOM]], %c65536
// CHECK: %[[SOME:.*]] = arith.maxui %[[MOST]], %c256
// CHECK: %[[COUNT:.*]] = arith.minsi %[[TOTAL]], %[[SOME]]
// CHECK: %[[ALL:.*]] = arith.muli %[[COUNT]], %[[PART]]
// CHECK: %[[DYNAMIC:.*]] = memref.alloc(%[[ALL]]) {alignment = 64 : i64} : memref<?xi8>
// CHECK: %[[FIXED_ALL:.*]] = arith.muli %[[COUNT]], %c528
// CHECK: %[[FIXED:.*]] = memref.alloc(%[[FIXED_ALL]]) {alignment = 64 : i64} : memref<?xi8>
// CHECK: scf.forall (%[[FIRST:.*]]) in (%[[COUNT]]) {
// CHECK-NOT: memref.alloc
// CHECK: scf.for %[[I:.*]] = %[[FIRST]] to %[[TOTAL]] step %[[COUNT]] {
// CHECK: %[[THREAD:.*]] = arith.remui %[[I]], %[[COUNT]]
// CHECK: memref.load %{{.*}}[%[[I]]]
// CHECK: %[[ROW:.*]] = arith.muli %[[COUNT]], %c2
// CHECK: %[[ELEMENTS:.*]] = arith.muli %[[ROW]], %[[ROWS]]
// CHECK: %[[LINE:.*]] = memref.view %[[DYNAMIC]][%c0][%[[ELEMENTS]]] : memref<?xi8> to memref<?xf32>
// CHECK: memref.reinterpret_cast %[[LINE]] to offset: [%[[THREAD]]], sizes: [%[[ROWS]], 2], strides: [%[[ROW]], %[[COUNT]]]
// CHECK: %[[FIXED_ELEMENTS:.*]] = arith.muli %[[COUNT]], %c65
// CHECK: %[[FIXED_LINE:.*]] = memref.view %[[FIXED]][%c0][%[[FIXED_ELEMENTS]]] : memref<?xi8> to memref<?xf64>
// CHECK: memref.reinterpret_cast %[[FIXED_LINE]] to offset: [%[[THREAD]]], sizes: [65], strides: [%[[COUNT]]]
func.func @large(%n: index, %m: index, %xs: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    %x = memref.load %xs[%i] : memref<?xf64>
    %size = arith.addi %m, %c1 : index
    %own = memref.alloc(%size) : memref<?x2xf32>
    %fixed = memref.alloc() : memref<65xf64>
    memref.store %x, %fixed[%c0] : memref<65xf64>
    %y = arith.truncf %x : f64 to f32
    memref.store %y, %own[%c0, %c1] : memref<?x2xf32>
  }
  return
}

// The size is not known before the loop.
// CHECK-LABEL: func.func @unknown(
// CHECK: scf.forall
// CHECK: memref.alloc(%{{.*}}) : memref<?xindex>
// CHECK-NOT: mapping
// CHECK: return
func.func @unknown(%n: index, %sizes: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (%n) {
    %size = memref.load %sizes[%i] : memref<?xindex>
    %own = memref.alloc(%size) : memref<?xindex>
    memref.store %i, %own[%c0] : memref<?xindex>
    %k = memref.load %own[%c0] : memref<?xindex>
    memref.store %k, %sizes[%i] : memref<?xindex>
  }
  return
}

// The next iteration of the loop still reads what this one makes: one array cannot stand for both.
// CHECK-LABEL: func.func @carried(
// CHECK: scf.forall
// CHECK: %[[FIRST:.*]] = memref.alloca() : memref<2xf64>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[FIRST]])
// CHECK: %[[NEW:.*]] = memref.alloc() : memref<2xf64>
// CHECK: scf.yield %[[NEW]]
func.func @carried(%n: index, %xs: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    %first = memref.alloc() : memref<2xf64>
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%old = %first) -> memref<2xf64> {
      %x = memref.load %old[%c0] : memref<2xf64>
      %new = memref.alloc() : memref<2xf64>
      %y = arith.addf %x, %x : f64
      memref.store %y, %new[%c1] : memref<2xf64>
      scf.yield %new : memref<2xf64>
    }
    %z = memref.load %last[%c1] : memref<2xf64>
    memref.store %z, %xs[%i] : memref<?xf64>
  }
  return
}

// What a block allocates is shared by its threads, and stays for lower-forall-to-gpu.
// CHECK-LABEL: func.func @blocks(
// CHECK: scf.forall
// CHECK-NEXT: %[[SHARED:.*]] = memref.alloc() : memref<32xf64>
// CHECK-NEXT: scf.forall
// CHECK-NEXT: %[[OWN:.*]] = memref.alloca() : memref<2xf64>
// CHECK: memref.store %{{.*}}, %[[OWN]]
// CHECK: memref.store %{{.*}}, %[[SHARED]]
func.func @blocks(%n: index, %xs: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  scf.forall (%b) in (%n) {
    %shared = memref.alloc() : memref<32xf64>
    scf.forall (%t) in (32) {
      %own = memref.alloc() : memref<2xf64>
      %x = memref.load %xs[%t] : memref<?xf64>
      memref.store %x, %own[%c0] : memref<2xf64>
      %y = memref.load %own[%c0] : memref<2xf64>
      memref.store %y, %shared[%t] : memref<32xf64>
    } {mapping = [#gpu.thread<linear_dim_0>]}
    %z = memref.load %shared[%c0] : memref<32xf64>
    memref.store %z, %xs[%b] : memref<?xf64>
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}

// Threads are counted from 0, whatever the loop calls its iterations: none has the part of another.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<i8' '(4,)' 0 0 0 0
// RUN: ad-opt run %s --entry=steps --input=%t.npy --input=4 --input=200 --target=gpu-emulate | FileCheck %s --check-prefix=STEPS
// STEPS: {{^}}2{{$}}
func.func @steps(%xs: memref<?xi64>, %n: index, %m: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.forall (%i) = (0) to (%n) step (2) {
    %own = memref.alloc(%m) : memref<?xi64>
    %v = arith.index_cast %i : index to i64
    scf.for %k = %c0 to %m step %c1 {
      memref.store %v, %own[%k] : memref<?xi64>
    }
    %w = memref.load %own[%c1] : memref<?xi64>
    memref.store %w, %xs[%i] : memref<?xi64>
  }
  %r = memref.load %xs[%c2] : memref<?xi64>
  return %r : i64
}

// Where it is known that no iteration makes the array, nobody asks for memory.
// CHECK-LABEL: func.func @not_made(
// CHECK-SAME: %{{.*}}: index, %[[M:[a-z0-9]+]]: index
// CHECK: %[[WHOLE:.*]] = arith.muli %{{.*}}, %c16
// CHECK: %[[RUNS:.*]] = arith.cmpi sgt, %[[M]], %c1
// CHECK: %[[IN_LOOP:.*]] = arith.select %[[RUNS]], %[[WHOLE]], %c0
// CHECK: %[[IS_SOME:.*]] = arith.cmpi ne, %[[M]], %c0
// CHECK: %[[PART:.*]] = arith.select %[[IS_SOME]], %[[IN_LOOP]], %c0
// CHECK: %[[IS_NONE:.*]] = arith.cmpi eq, %[[M]], %c0
// CHECK: %[[OTHERWISE:.*]] = arith.select %[[IS_NONE]], %c528, %c0
// CHECK: %[[ALL:.*]] = arith.muli %{{.*}}, %[[PART]]
// CHECK: memref.alloc(%[[ALL]])
// CHECK: %[[OTHER:.*]] = arith.muli %{{.*}}, %[[OTHERWISE]]
// CHECK: memref.alloc(%[[OTHER]])
// CHECK: scf.forall
func.func @not_made(%n: index, %m: index, %xs: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f64
  scf.forall (%i) in (%n) {
    %is_some = arith.cmpi ne, %m, %c0 : index
    scf.if %is_some {
      scf.for %k = %c1 to %m step %c1 {
        %own = memref.alloc(%m) : memref<?xf64>
        memref.store %x, %own[%k] : memref<?xf64>
        %y = memref.load %own[%k] : memref<?xf64>
        memref.store %y, %xs[%i] : memref<?xf64>
      }
    } else {
      %own = memref.alloc() : memref<65xf64>
      memref.store %x, %own[%c0] : memref<65xf64>
      %y = memref.load %own[%c0] : memref<65xf64>
      memref.store %y, %xs[%i] : memref<?xf64>
    }
  }
  return
}

// Threads that exchange values cannot be one thread: each block has a part of a buffer, as large as it may be at most, which its
// threads fill together. Blocks are counted along all dimensions.
// CHECK-LABEL: func.func @parts_of_blocks(
// CHECK-SAME: %[[N:.*]]: index, %[[M:.*]]: index, %[[X:.*]]: f64)
// CHECK-DAG: %[[ROWS:.*]] = arith.maxsi %[[N]], %c0
// CHECK-DAG: %[[COLUMNS:.*]] = arith.maxsi %[[M]], %c0
// CHECK: %[[BLOCKS:.*]] = arith.muli %[[ROWS]], %[[COLUMNS]]
// CHECK: %[[BYTES:.*]] = arith.muli %[[M]], %c8
// CHECK: %[[UP:.*]] = arith.ceildivui %[[BYTES]], %c16
// CHECK: %[[PART:.*]] = arith.muli %[[UP]], %c16
// CHECK: %[[SIZE:.*]] = arith.muli %[[BLOCKS]], %[[PART]]
// CHECK: %[[ALL:.*]] = memref.alloc(%[[SIZE]]) {{.*}} : memref<?xi8>
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) in (%[[N]], %[[M]])
// CHECK: %[[ROW:.*]] = arith.muli %[[I]], %[[COLUMNS]]
// CHECK: %[[NUMBER:.*]] = arith.addi %[[ROW]], %[[J]]
// CHECK: %[[LEFT:.*]] = arith.minsi
// CHECK: %[[START:.*]] = arith.muli %[[NUMBER]], %[[PART]]
// CHECK: %[[OWN:.*]] = memref.view %[[ALL]][%[[START]]][%[[LEFT]]]
// CHECK: scf.forall (%[[K:.*]]) in (%[[LEFT]])
// CHECK-NEXT: memref.store %[[X]], %{{.*}}[%[[K]]]
// CHECK: mapping = [#gpu.thread<linear_dim_0>]
// CHECK: gpu.shuffle
// CHECK: memref.store %{{.*}}, %[[OWN]]
func.func @parts_of_blocks(%n: index, %m: index, %x: f64) {
  %one = arith.constant 1 : i32
  %lanes = arith.constant 32 : i32
  scf.forall (%i, %j) in (%n, %m) {
    %left = arith.subi %m, %j : index
    %size = arith.minsi %left, %m : index
    %own = memref.alloc(%size) : memref<?xf64>
    linalg.fill ins(%x : f64) outs(%own : memref<?xf64>)
    scf.forall (%t) in (256) {
      %y, %valid = gpu.shuffle down %x, %one, %lanes : f64
      memref.store %y, %own[%t] : memref<?xf64>
    } {mapping = [#gpu.thread<linear_dim_0>]}
  }
  return
}

// What the threads of a block would share has no static size, or is larger than shared memory: one thread does it all.
// CHECK-LABEL: func.func @shared(
// CHECK: scf.forall
// CHECK: scf.for
// CHECK-NOT: scf.forall
// CHECK: memref.view
// CHECK: scf.for %{{.*}} = %c0 to %c256 step %c1
// CHECK: scf.forall
// CHECK: scf.for
// CHECK-NOT: scf.forall
// CHECK: memref.reinterpret_cast {{.*}} to memref<6145xf64, strided<[?], offset: ?>>
// CHECK: scf.for
// CHECK: scf.forall
// CHECK: memref.alloc() : memref<6144xf64>
// CHECK: scf.forall {{.*}} in (256)
func.func @shared(%n: index, %m: index, %out: memref<?xf64>) {
  %x = arith.constant 1.0 : f64
  scf.forall (%i) in (%n) {
    %own = memref.alloc(%m) : memref<?xf64>
    scf.forall (%t) in (256) {
      memref.store %x, %own[%t] : memref<?xf64>
    } {mapping = [#gpu.thread<linear_dim_0>]}
  }
  scf.forall (%i) in (%n) {
    %own = memref.alloc() : memref<6145xf64>
    scf.forall (%t) in (256) {
      memref.store %x, %own[%t] : memref<6145xf64>
    } {mapping = [#gpu.thread<linear_dim_0>]}
  }
  scf.forall (%i) in (%n) {
    %own = memref.alloc() : memref<6144xf64>
    scf.forall (%t) in (256) {
      memref.store %x, %own[%t] : memref<6144xf64>
    } {mapping = [#gpu.thread<linear_dim_0>]}
    %y = memref.load %own[%i] : memref<6144xf64>
    memref.store %y, %out[%i] : memref<?xf64>
  }
  return
}

// Rows of such an array, and a copy of one, have any strides, too. What is asked for in another shape has to lie side by side.
// CHECK-LABEL: func.func @rows(
// CHECK: scf.forall
// CHECK: %[[OWN:.*]] = memref.reinterpret_cast %{{.*}} to memref<?x9xf64, strided<[?, ?], offset: ?>>
// CHECK: memref.subview %[[OWN]][0, 0] [1, 9] [1, 1] : memref<?x9xf64, strided<[?, ?], offset: ?>> to memref<9xf64, strided<[?], offset: ?>>
// CHECK: memref.copy
// CHECK: memref.view %{{.*}}[%{{.*}}][%{{.*}}] : memref<?xi8> to memref<?x9xf64>
// CHECK: memref.collapse_shape
func.func @rows(%n: index, %m: index, %xs: memref<?x9xf64>, %ys: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (%n) {
    %own = memref.alloc(%m) : memref<?x9xf64>
    %from = memref.subview %xs[%i, 0] [1, 9] [1, 1] : memref<?x9xf64> to memref<9xf64, strided<[1], offset: ?>>
    %row = memref.subview %own[%c0, 0] [1, 9] [1, 1] : memref<?x9xf64> to memref<9xf64, strided<[1], offset: ?>>
    memref.copy %from, %row : memref<9xf64, strided<[1], offset: ?>> to memref<9xf64, strided<[1], offset: ?>>
    %flat = memref.alloc(%m) : memref<?x9xf64>
    %line = memref.collapse_shape %flat [[0, 1]] : memref<?x9xf64> into memref<?xf64>
    %x = memref.load %own[%c0, %c0] : memref<?x9xf64>
    memref.store %x, %line[%c0] : memref<?xf64>
    %y = memref.load %line[%c0] : memref<?xf64>
    memref.store %y, %ys[%i] : memref<?xf64>
  }
  return
}

// What is on a stack and of a size that is known when the program runs has a part of a buffer, too; what is small stays.
// CHECK-LABEL: func.func @stack(
// CHECK: memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xi8>
// CHECK: scf.forall
// CHECK-NOT: memref.alloca(%
// CHECK: memref.alloca() : memref<4xf64>
// CHECK-NOT: memref.alloca(%
// CHECK: return
func.func @stack(%n: index, %m: index, %xs: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (%n) {
    %own = memref.alloca(%m) : memref<?xf64>
    %few = memref.alloca() : memref<4xf64>
    %x = memref.load %xs[%i] : memref<?xf64>
    memref.store %x, %own[%c0] : memref<?xf64>
    memref.store %x, %few[%c0] : memref<4xf64>
    %y = memref.load %own[%c0] : memref<?xf64>
    %z = memref.load %few[%c0] : memref<4xf64>
    %sum = arith.addf %y, %z : f64
    memref.store %sum, %xs[%i] : memref<?xf64>
  }
  return
}

// What the program frees itself is no longer freed when it is local memory, or part of a buffer, also through a view.
// CHECK-LABEL: func.func @freed(
// CHECK-NOT: memref.dealloc
// CHECK: memref.alloca() : memref<4xf64>
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @freed(%n: index, %xs: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (%n) {
    %x = memref.load %xs[%i] : memref<?xf64>
    %own = memref.alloc() : memref<4xf64>
    %all = memref.cast %own : memref<4xf64> to memref<?xf64>
    memref.store %x, %own[%c0] : memref<4xf64>
    %long = memref.alloc(%n) : memref<?xf64>
    memref.store %x, %long[%c0] : memref<?xf64>
    %y = memref.load %own[%c0] : memref<4xf64>
    %z = memref.load %long[%c0] : memref<?xf64>
    %s = arith.addf %y, %z : f64
    memref.store %s, %xs[%i] : memref<?xf64>
    memref.dealloc %all : memref<?xf64>
    memref.dealloc %long : memref<?xf64>
  }
  return
}

// One of two, which is chosen, is freed: both come from the heap.
// CHECK-LABEL: func.func @one_of_two(
// CHECK-COUNT-2: memref.alloc() : memref<4xf64>
// CHECK: memref.dealloc
// CHECK: return
func.func @one_of_two(%n: index, %xs: memref<?xf64>, %c: i1) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (%n) {
    %x = memref.load %xs[%i] : memref<?xf64>
    %one = memref.alloc() : memref<4xf64>
    %two = memref.alloc() : memref<4xf64>
    memref.store %x, %one[%c0] : memref<4xf64>
    memref.store %x, %two[%c0] : memref<4xf64>
    %chosen = arith.select %c, %one, %two : memref<4xf64>
    %other = arith.select %c, %two, %one : memref<4xf64>
    %y = memref.load %chosen[%c0] : memref<4xf64>
    memref.store %y, %xs[%i] : memref<?xf64>
    memref.dealloc %chosen : memref<4xf64>
    memref.dealloc %other : memref<4xf64>
  }
  return
}
