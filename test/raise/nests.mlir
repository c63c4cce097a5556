// Parallel loops over buffers become maps before they are differentiated (F45), and so do loops in order whose iterations are known to be
// independent: shifted reads are slices, others read what buffers held before, atomic additions are those to accumulators. Many
// threads run them on a GPU, forwards and backwards. What they compute is what blocks compute, which keep what they overwrite on
// tapes.
// RUN: ad-opt %s --ad-differentiate | FileCheck %s
// RUN: ad-opt %s --lower-affine --scf-forall-to-parallel --convert-scf-to-cf --ad-differentiate -o %t.loops.mlir
// RUN: %python %S/../bench/Inputs/random_npy.py %t.line.1.npy '<f8' '(9,)' -1 1 1
// RUN: %python %S/../bench/Inputs/random_npy.py %t.line.2.npy '<f8' '(9,)' -1 1 2
// RUN: %python %S/../bench/Inputs/random_npy.py %t.plane.1.npy '<f8' '(7, 7)' -1 1 1
// RUN: %python %S/../bench/Inputs/random_npy.py %t.plane.2.npy '<f8' '(7, 7)' -1 1 2
// DEFINE: %{entry} =
// DEFINE: %{array} = line
// DEFINE: %{n} = 9
// DEFINE: %{inputs} = --entry=%{entry} --input=%t.%{array}.1.npy --input=%t.%{array}.2.npy --input=%t.%{array}.2.npy --input=%t.%{array}.1.npy --input=%{n}
// DEFINE: %{same} = ad-opt run %t.loops.mlir %{inputs} > %t.loops && ad-opt run %s %{inputs} > %t.cpu && ad-opt run %s %{inputs} --target=gpu-emulate > %t.gpu && \
// DEFINE:           %python %S/../bench/Inputs/compare.py %t.loops %t.cpu 1e-14 && %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-14
// REDEFINE: %{entry} = steps_gradient
// RUN: %{same}
// REDEFINE: %{entry} = steps_tangent
// RUN: %{same}
// REDEFINE: %{entry} = atomics_gradient
// RUN: %{same}
// REDEFINE: %{entry} = atomics_tangent
// RUN: %{same}
// REDEFINE: %{n} = 0
// REDEFINE: %{entry} = steps_gradient
// RUN: %{same}
// REDEFINE: %{n} = 2
// REDEFINE: %{entry} = steps_gradient
// RUN: %{same}
// REDEFINE: %{n} = 0
// REDEFINE: %{entry} = atomics_gradient
// RUN: %{same}
// REDEFINE: %{n} = 9
// REDEFINE: %{entry} = sizes_gradient
// RUN: %{same}
// REDEFINE: %{entry} = in_front_gradient
// RUN: %{same}
// REDEFINE: %{array} = plane
// REDEFINE: %{n} = 7
// REDEFINE: %{entry} = two_dimensions_gradient
// RUN: %{same}
// REDEFINE: %{entry} = two_dimensions_tangent
// RUN: %{same}
// REDEFINE: %{entry} = product_gradient
// RUN: %{same}
// REDEFINE: %{entry} = guarded_gradient
// RUN: %{same}
// REDEFINE: %{entry} = guarded_tangent
// RUN: %{same}
// REDEFINE: %{entry} = places_gradient
// RUN: %{same}
// REDEFINE: %{entry} = in_order_gradient
// RUN: %{same}
// REDEFINE: %{entry} = triangle_gradient
// RUN: %{same}
// REDEFINE: %{entry} = in_branches_gradient
// RUN: %{same}
// REDEFINE: %{entry} = read_again_gradient
// RUN: %{same}
// REDEFINE: %{n} = 1
// REDEFINE: %{entry} = two_dimensions_gradient
// RUN: %{same}
// REDEFINE: %{n} = 1
// REDEFINE: %{entry} = places_gradient
// RUN: %{same}
// Each element has a thread, in all kernels.
// RUN: %python %S/../bench/Inputs/random_npy.py %t.long.npy '<f8' '(5000,)' -1 1 1
// RUN: ad-opt run %s --entry=steps_gradient --input=%t.long.npy --input=%t.long.npy --input=%t.long.npy --input=%t.long.npy --input=5000 --target=gpu-emulate --emulate-races=false --emulate-report=%t.json > %t.long
// RUN: %python -c "import json, sys; d = json.load(open(sys.argv[1])).values(); assert all(k['threads'] >= 4998 * k['launches'] for k in d), d" %t.json
// Rows are read and written by themselves, not with all others again and again: less than 40 times as much as there is.
// RUN: %python %S/../bench/Inputs/random_npy.py %t.rows.npy '<f8' '(60, 60)' -1 1 1
// RUN: ad-opt run %s --entry=triangle_gradient --input=%t.rows.npy --input=%t.rows.npy --input=%t.rows.npy --input=%t.rows.npy --input=60 --target=gpu-emulate --emulate-races=false --emulate-report=%t.json > %t.long
// RUN: %python -c "import json, sys; d = json.load(open(sys.argv[1])).values(); assert sum(k['bytes'] for k in d) < 40 * 60 * 60 * 8, d" %t.json

// Two buffers that take turns.
func.func private @steps(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = arith.subi %n, %c1 : index
  scf.for %t = %c0 to %c4 step %c1 {
    scf.parallel (%i) = (%c1) to (%m) step (%c1) {
      %l = arith.subi %i, %c1 : index
      %r = arith.addi %i, %c1 : index
      %x = memref.load %a[%l] : memref<?xf64>
      %y = memref.load %a[%r] : memref<?xf64>
      %z = arith.mulf %y, %x : f64
      memref.store %z, %b[%i] : memref<?xf64>
      scf.reduce
    }
    scf.parallel (%i) = (%c1) to (%m) step (%c1) {
      %x = memref.load %b[%i] : memref<?xf64>
      %y = math.sin %x : f64
      memref.store %y, %a[%i] : memref<?xf64>
      scf.reduce
    }
  }
  return
}

// What is added at places that are computed.
func.func private @atomics(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    %j = arith.remui %i, %c3 : index
    %o = memref.atomic_rmw addf %y, %b[%j] : (f64, memref<?xf64>) -> f64
    scf.reduce
  }
  return
}

// Reads and writes in other orders, along a diagonal, of every other column.
func.func private @two_dimensions(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = arith.subi %n, %c1 : index
  scf.parallel (%i, %j) = (%c1, %c0) to (%m, %n) step (%c1, %c2) {
    %l = arith.subi %i, %c1 : index
    %x = memref.load %a[%j, %l] : memref<?x?xf64>
    %y = memref.load %a[%i, %j] : memref<?x?xf64>
    %w = memref.load %a[%i, %c0] : memref<?x?xf64>
    %v = memref.load %b[%c1, %j] : memref<?x?xf64>
    %d = memref.load %a[%i, %i] : memref<?x?xf64>
    %p = arith.mulf %x, %y : f64
    %q = arith.mulf %w, %v : f64
    %r = arith.addf %p, %q : f64
    %s = arith.mulf %r, %d : f64
    memref.store %s, %b[%j, %i] : memref<?x?xf64>
    scf.reduce
  }
  return
}

// A loop in each iteration.
func.func private @product(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> f64 {
      %x = memref.load %a[%i, %k] : memref<?x?xf64>
      %y = memref.load %a[%k, %j] : memref<?x?xf64>
      %p = arith.mulf %x, %y : f64
      %t = arith.addf %acc, %p : f64
      scf.yield %t : f64
    }
    memref.store %s, %b[%i, %j] : memref<?x?xf64>
    scf.reduce
  }
  return
}

// What is read only if it is there.
func.func private @guarded(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.forall (%i, %j) in (%n, 5) {
    %e = memref.load %b[%i, %j] : memref<?x?xf64>
    %in = arith.cmpi sgt, %i, %c0 : index
    %s = scf.if %in -> f64 {
      %l = arith.subi %i, %c1 : index
      %x = memref.load %a[%l, %j] : memref<?x?xf64>
      %q = math.sin %x : f64
      scf.yield %q : f64
    } else {
      scf.yield %e : f64
    }
    %t = arith.mulf %s, %e : f64
    memref.store %t, %b[%i, %j] : memref<?x?xf64>
  }
  return
}

// Numbers that are read twice as far apart, and two places that are written in turns.
func.func private @places(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = arith.divui %n, %c2 : index
  scf.parallel (%i) = (%c0) to (%h) step (%c1) {
    %i2 = arith.muli %i, %c2 : index
    %i3 = arith.addi %i2, %c1 : index
    %x = memref.load %a[%i2, %c1] : memref<?x?xf64>
    %y = memref.load %a[%i3, %c2] : memref<?x?xf64>
    %z = memref.load %a[%c1, %h] : memref<?x?xf64>
    %p = arith.mulf %x, %y : f64
    %q = arith.mulf %x, %z : f64
    memref.store %p, %b[%c2, %i2] : memref<?x?xf64>
    memref.store %q, %b[%c2, %i3] : memref<?x?xf64>
    scf.reduce
  }
  return
}

// Writes in branches, and reads of what was written, are in loops that run in order.
func.func private @in_branches(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i, %j) in (%n, 5) {
    %in = arith.cmpi sgt, %i, %c0 : index
    scf.if %in {
      %l = arith.subi %i, %c1 : index
      %x = memref.load %a[%l, %j] : memref<?x?xf64>
      %q = math.sin %x : f64
      memref.store %q, %b[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

func.func private @read_again(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      %x = memref.load %a[%i, %j] : memref<?x?xf64>
      %y = math.sin %x : f64
      memref.store %y, %b[%i, %j] : memref<?x?xf64>
      %z = memref.load %b[%i, %j] : memref<?x?xf64>
      %w = arith.mulf %z, %z : f64
      memref.store %w, %b[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// In order, in buffers of which one is the function's own: a stencil, and a transposition.
func.func private @in_order(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.subi %n, %c1 : index
  %u = memref.alloc(%n, %n) : memref<?x?xf64>
  memref.copy %a, %u : memref<?x?xf64> to memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c1 to %m step %c1 {
      %l = arith.subi %j, %c1 : index
      %r = arith.addi %j, %c1 : index
      %x = memref.load %u[%i, %l] : memref<?x?xf64>
      %z = memref.load %u[%i, %r] : memref<?x?xf64>
      %y = arith.mulf %x, %z : f64
      memref.store %y, %a[%i, %j] : memref<?x?xf64>
    }
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %x = affine.load %a[%i, %j] : memref<?x?xf64>
      %y = math.sin %x : f64
      affine.store %y, %u[%j, %i] : memref<?x?xf64>
    }
  }
  memref.copy %u, %b : memref<?x?xf64> to memref<?x?xf64>
  memref.dealloc %u : memref<?x?xf64>
  return
}

// A recurrence is run in order, and so are the rows of a triangle, but not their elements.
func.func private @triangle(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
      %l = arith.subi %i, %c1 : index
      %x = memref.load %a[%c0, %l] : memref<?x?xf64>
      %y = math.sin %x : f64
      memref.store %y, %a[%c0, %i] : memref<?x?xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xf64>
      %y = math.cos %x : f64
      memref.store %y, %a[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// A size that the loop asks for, of a buffer that is read from its end.
func.func private @sizes(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %d = memref.dim %a, %c0 : memref<?xf64>
    %last = arith.subi %d, %c1 : index
    %j = arith.subi %last, %i : index
    %x = memref.load %a[%j] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    memref.store %y, %b[%i] : memref<?xf64>
  }
  return
}

// A loop that never runs, and would begin in front of the buffer.
func.func private @in_front(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %m = arith.subi %n, %c20 : index
  scf.parallel (%i) = (%c0) to (%m) step (%c1) {
    %j = arith.subi %i, %c1 : index
    %x = memref.load %a[%j] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    memref.store %y, %b[%i] : memref<?xf64>
  }
  return
}

func.func private @buffer1(%x: tensor<?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %m = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %m : (tensor<?xf64>, memref<?xf64>) -> ()
  return %m : memref<?xf64>
}
func.func private @buffer2(%x: tensor<?x?xf64>) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %k = tensor.dim %x, %c1 : tensor<?x?xf64>
  %m = memref.alloc(%n, %k) : memref<?x?xf64>
  bufferization.materialize_in_destination %x in restrict writable %m : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  return %m : memref<?x?xf64>
}

func.func @steps_gradient(%a: tensor<?xf64>, %b: tensor<?xf64>, %da: tensor<?xf64>, %db: tensor<?xf64>, %n: index)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %ma = func.call @buffer1(%a) : (tensor<?xf64>) -> memref<?xf64>
  %mb = func.call @buffer1(%b) : (tensor<?xf64>) -> memref<?xf64>
  %mda = func.call @buffer1(%da) : (tensor<?xf64>) -> memref<?xf64>
  %mdb = func.call @buffer1(%db) : (tensor<?xf64>) -> memref<?xf64>
  ad.vjp @steps(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?xf64>, memref<?xf64>, index), (memref<?xf64>, memref<?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?xf64> to tensor<?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?xf64> to tensor<?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?xf64> to tensor<?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?xf64> to tensor<?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
func.func @steps_tangent(%a: tensor<?xf64>, %b: tensor<?xf64>, %da: tensor<?xf64>, %db: tensor<?xf64>, %n: index)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %ma = func.call @buffer1(%a) : (tensor<?xf64>) -> memref<?xf64>
  %mb = func.call @buffer1(%b) : (tensor<?xf64>) -> memref<?xf64>
  %mda = func.call @buffer1(%da) : (tensor<?xf64>) -> memref<?xf64>
  %mdb = func.call @buffer1(%db) : (tensor<?xf64>) -> memref<?xf64>
  ad.jvp @steps(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?xf64>, memref<?xf64>, index), (memref<?xf64>, memref<?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?xf64> to tensor<?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?xf64> to tensor<?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?xf64> to tensor<?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?xf64> to tensor<?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

func.func @atomics_gradient(%a: tensor<?xf64>, %b: tensor<?xf64>, %da: tensor<?xf64>, %db: tensor<?xf64>, %n: index)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %ma = func.call @buffer1(%a) : (tensor<?xf64>) -> memref<?xf64>
  %mb = func.call @buffer1(%b) : (tensor<?xf64>) -> memref<?xf64>
  %mda = func.call @buffer1(%da) : (tensor<?xf64>) -> memref<?xf64>
  %mdb = func.call @buffer1(%db) : (tensor<?xf64>) -> memref<?xf64>
  ad.vjp @atomics(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?xf64>, memref<?xf64>, index), (memref<?xf64>, memref<?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?xf64> to tensor<?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?xf64> to tensor<?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?xf64> to tensor<?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?xf64> to tensor<?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
func.func @atomics_tangent(%a: tensor<?xf64>, %b: tensor<?xf64>, %da: tensor<?xf64>, %db: tensor<?xf64>, %n: index)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %ma = func.call @buffer1(%a) : (tensor<?xf64>) -> memref<?xf64>
  %mb = func.call @buffer1(%b) : (tensor<?xf64>) -> memref<?xf64>
  %mda = func.call @buffer1(%da) : (tensor<?xf64>) -> memref<?xf64>
  %mdb = func.call @buffer1(%db) : (tensor<?xf64>) -> memref<?xf64>
  ad.jvp @atomics(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?xf64>, memref<?xf64>, index), (memref<?xf64>, memref<?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?xf64> to tensor<?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?xf64> to tensor<?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?xf64> to tensor<?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?xf64> to tensor<?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

func.func @two_dimensions_gradient(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %da: tensor<?x?xf64>, %db: tensor<?x?xf64>, %n: index)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %ma = func.call @buffer2(%a) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mb = func.call @buffer2(%b) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mda = func.call @buffer2(%da) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mdb = func.call @buffer2(%db) : (tensor<?x?xf64>) -> memref<?x?xf64>
  ad.vjp @two_dimensions(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}
func.func @two_dimensions_tangent(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %da: tensor<?x?xf64>, %db: tensor<?x?xf64>, %n: index)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %ma = func.call @buffer2(%a) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mb = func.call @buffer2(%b) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mda = func.call @buffer2(%da) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mdb = func.call @buffer2(%db) : (tensor<?x?xf64>) -> memref<?x?xf64>
  ad.jvp @two_dimensions(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @product_gradient(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %da: tensor<?x?xf64>, %db: tensor<?x?xf64>, %n: index)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %ma = func.call @buffer2(%a) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mb = func.call @buffer2(%b) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mda = func.call @buffer2(%da) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mdb = func.call @buffer2(%db) : (tensor<?x?xf64>) -> memref<?x?xf64>
  ad.vjp @product(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}
func.func @product_tangent(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %da: tensor<?x?xf64>, %db: tensor<?x?xf64>, %n: index)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %ma = func.call @buffer2(%a) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mb = func.call @buffer2(%b) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mda = func.call @buffer2(%da) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mdb = func.call @buffer2(%db) : (tensor<?x?xf64>) -> memref<?x?xf64>
  ad.jvp @product(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @guarded_gradient(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %da: tensor<?x?xf64>, %db: tensor<?x?xf64>, %n: index)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %ma = func.call @buffer2(%a) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mb = func.call @buffer2(%b) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mda = func.call @buffer2(%da) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mdb = func.call @buffer2(%db) : (tensor<?x?xf64>) -> memref<?x?xf64>
  ad.vjp @guarded(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}
func.func @guarded_tangent(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %da: tensor<?x?xf64>, %db: tensor<?x?xf64>, %n: index)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %ma = func.call @buffer2(%a) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mb = func.call @buffer2(%b) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mda = func.call @buffer2(%da) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mdb = func.call @buffer2(%db) : (tensor<?x?xf64>) -> memref<?x?xf64>
  ad.jvp @guarded(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @places_gradient(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %da: tensor<?x?xf64>, %db: tensor<?x?xf64>, %n: index)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %ma = func.call @buffer2(%a) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mb = func.call @buffer2(%b) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mda = func.call @buffer2(%da) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mdb = func.call @buffer2(%db) : (tensor<?x?xf64>) -> memref<?x?xf64>
  ad.vjp @places(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}
func.func @places_tangent(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %da: tensor<?x?xf64>, %db: tensor<?x?xf64>, %n: index)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %ma = func.call @buffer2(%a) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mb = func.call @buffer2(%b) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mda = func.call @buffer2(%da) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mdb = func.call @buffer2(%db) : (tensor<?x?xf64>) -> memref<?x?xf64>
  ad.jvp @places(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @in_branches_gradient(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %da: tensor<?x?xf64>, %db: tensor<?x?xf64>, %n: index)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %ma = func.call @buffer2(%a) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mb = func.call @buffer2(%b) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mda = func.call @buffer2(%da) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mdb = func.call @buffer2(%db) : (tensor<?x?xf64>) -> memref<?x?xf64>
  ad.vjp @in_branches(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}
func.func @in_branches_tangent(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %da: tensor<?x?xf64>, %db: tensor<?x?xf64>, %n: index)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %ma = func.call @buffer2(%a) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mb = func.call @buffer2(%b) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mda = func.call @buffer2(%da) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mdb = func.call @buffer2(%db) : (tensor<?x?xf64>) -> memref<?x?xf64>
  ad.jvp @in_branches(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @read_again_gradient(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %da: tensor<?x?xf64>, %db: tensor<?x?xf64>, %n: index)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %ma = func.call @buffer2(%a) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mb = func.call @buffer2(%b) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mda = func.call @buffer2(%da) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mdb = func.call @buffer2(%db) : (tensor<?x?xf64>) -> memref<?x?xf64>
  ad.vjp @read_again(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}
func.func @read_again_tangent(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %da: tensor<?x?xf64>, %db: tensor<?x?xf64>, %n: index)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %ma = func.call @buffer2(%a) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mb = func.call @buffer2(%b) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mda = func.call @buffer2(%da) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mdb = func.call @buffer2(%db) : (tensor<?x?xf64>) -> memref<?x?xf64>
  ad.jvp @read_again(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @in_order_gradient(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %da: tensor<?x?xf64>, %db: tensor<?x?xf64>, %n: index)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %ma = func.call @buffer2(%a) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mb = func.call @buffer2(%b) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mda = func.call @buffer2(%da) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mdb = func.call @buffer2(%db) : (tensor<?x?xf64>) -> memref<?x?xf64>
  ad.vjp @in_order(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @triangle_gradient(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %da: tensor<?x?xf64>, %db: tensor<?x?xf64>, %n: index)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %ma = func.call @buffer2(%a) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mb = func.call @buffer2(%b) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mda = func.call @buffer2(%da) : (tensor<?x?xf64>) -> memref<?x?xf64>
  %mdb = func.call @buffer2(%db) : (tensor<?x?xf64>) -> memref<?x?xf64>
  ad.vjp @triangle(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?x?xf64> to tensor<?x?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @sizes_gradient(%a: tensor<?xf64>, %b: tensor<?xf64>, %da: tensor<?xf64>, %db: tensor<?xf64>, %n: index)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %ma = func.call @buffer1(%a) : (tensor<?xf64>) -> memref<?xf64>
  %mb = func.call @buffer1(%b) : (tensor<?xf64>) -> memref<?xf64>
  %mda = func.call @buffer1(%da) : (tensor<?xf64>) -> memref<?xf64>
  %mdb = func.call @buffer1(%db) : (tensor<?xf64>) -> memref<?xf64>
  ad.vjp @sizes(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?xf64>, memref<?xf64>, index), (memref<?xf64>, memref<?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?xf64> to tensor<?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?xf64> to tensor<?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?xf64> to tensor<?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?xf64> to tensor<?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

func.func @in_front_gradient(%a: tensor<?xf64>, %b: tensor<?xf64>, %da: tensor<?xf64>, %db: tensor<?xf64>, %n: index)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %ma = func.call @buffer1(%a) : (tensor<?xf64>) -> memref<?xf64>
  %mb = func.call @buffer1(%b) : (tensor<?xf64>) -> memref<?xf64>
  %mda = func.call @buffer1(%da) : (tensor<?xf64>) -> memref<?xf64>
  %mdb = func.call @buffer1(%db) : (tensor<?xf64>) -> memref<?xf64>
  ad.vjp @in_front(%ma, %mb, %n) seed(%mda, %mdb)
      : (memref<?xf64>, memref<?xf64>, index), (memref<?xf64>, memref<?xf64>) -> ()
  %ra = bufferization.to_tensor %ma restrict : memref<?xf64> to tensor<?xf64>
  %rb = bufferization.to_tensor %mb restrict : memref<?xf64> to tensor<?xf64>
  %rda = bufferization.to_tensor %mda restrict : memref<?xf64> to tensor<?xf64>
  %rdb = bufferization.to_tensor %mdb restrict : memref<?xf64> to tensor<?xf64>
  return %ra, %rb, %rda, %rdb : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// The way back reads slices of what both buffers held, which are on a tape for each step; nothing runs in order but steps.
// CHECK-LABEL: func.func private @steps.vjp_0_1(
// CHECK:       ad.tape_create : !ad.tape<tensor<?xf64>, tensor<?xf64>>
// CHECK:       %[[A:.*]] = bufferization.alloc_tensor() copy(%{{.*}}) : tensor<?xf64>
// CHECK:       %[[LEFT:.*]] = tensor.extract_slice %[[A]]
// CHECK:       %[[RIGHT:.*]] = tensor.extract_slice %[[A]]
// CHECK:       %[[NEW:.*]] = soac.map ins(%{{.*}}, %[[LEFT]], %[[RIGHT]] :
// CHECK-NOT:   tensor.extract %
// CHECK:       %[[PART:.*]] = memref.subview
// CHECK:       bufferization.materialize_in_destination %[[NEW]] in restrict writable %[[PART]]
// CHECK-NOT:   memref.load
// CHECK-NOT:   memref.store
// CHECK:       return

// The way back reads the cotangent where was added.
// CHECK-LABEL: func.func private @atomics.vjp_0_1(
// CHECK-NOT:   ad.tape
// CHECK:       soac.with_acc
// CHECK:       soac.update_acc
// CHECK:       soac.map ins(
// CHECK-NOT:   memref.atomic_rmw
// CHECK:       return

// What a diagonal holds is read by its numbers.
// CHECK-LABEL: func.func private @two_dimensions.jvp_0_1(
// CHECK:       tensor.extract %{{.*}}[%[[I:.*]], %[[I]]]
// CHECK-NOT:   memref.load
// CHECK:       return

// CHECK-LABEL: func.func private @in_branches.vjp_0_1(
// CHECK:       ad.tape_push
// CHECK-LABEL: func.func private @read_again.vjp_0_1(
// CHECK:       ad.tape_push

// Memory of another kind, and elements in another order, stay as they are.
// CHECK-LABEL: func.func private @in_other_memory.vjp_0(
// CHECK-NOT:   memref.cast
// CHECK:       ad.tape_push
func.func private @in_other_memory(%a: memref<?xf64, 1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<?xf64, 1>
    %y = math.sin %x : f64
    memref.store %y, %a[%i] : memref<?xf64, 1>
  }
  return
}
func.func @in_other_memory_gradient(%a: memref<?xf64, 1>, %da: memref<?xf64, 1>, %n: index) {
  ad.vjp @in_other_memory(%a, %n) seed(%da) : (memref<?xf64, 1>, index), (memref<?xf64, 1>) -> ()
  return
}

// CHECK-LABEL: func.func private @in_another_order.vjp_0(
// CHECK-NOT:   memref.cast
// CHECK:       ad.tape_push
#columns = affine_map<(i, j) -> (j, i)>
func.func private @in_another_order(%a: memref<4x3xf64, #columns>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c3, %c3) step (%c1, %c1) {
    %x = memref.load %a[%i, %j] : memref<4x3xf64, #columns>
    %y = math.sin %x : f64
    memref.store %y, %a[%i, %j] : memref<4x3xf64, #columns>
  }
  return
}
func.func @in_another_order_gradient(%a: memref<4x3xf64, #columns>, %da: memref<4x3xf64, #columns>, %n: index) {
  ad.vjp @in_another_order(%a, %n) seed(%da) : (memref<4x3xf64, #columns>, index), (memref<4x3xf64, #columns>) -> ()
  return
}
