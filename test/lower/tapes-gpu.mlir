// Where tapes are for a GPU [Z15]. Tapes of numbers stay on the host, with the loops that push and pop, unless these read or write
// memory; then the loops are kernels, and the tapes are on the device. Arrays are kept as copies on the device, which the
// host pushes. Threads of parallel loops have tapes of their own, and what is left on a tape is freed with it.
// RUN: ad-opt %s --ad-make-kernels --ad-lower-to-kernel-buffers --lower-forall-to-gpu | FileCheck %s
// DEFINE: %{run} =
// DEFINE: %{both} = %{run} --target=gpu-emulate > %t.gpu && %{run} > %t.cpu && diff %t.gpu %t.cpu && cat %t.gpu
// REDEFINE: %{run} = ad-opt run %s --entry=pow --input=1.5 --input=4
// RUN: %{both} | FileCheck %s --check-prefix=POW
// REDEFINE: %{run} = ad-opt run %s --entry=scales --input=301
// RUN: %{both} | FileCheck %s --check-prefix=SCALES
// REDEFINE: %{run} = ad-opt run %s --entry=rows --input=6
// RUN: %{both} | FileCheck %s --check-prefix=ROWS
// RUN: %{run} --target=gpu-emulate --repeat=1 2>&1 >/dev/null | FileCheck %s --check-prefix=PEAK
// RUN: %{run} --target=gpu-emulate --repeat=40 2>&1 >/dev/null | FileCheck %s --check-prefix=PEAK
// REDEFINE: %{run} = ad-opt run %s --entry=threads --input=300
// RUN: %{both} | FileCheck %s --check-prefix=THREADS
// REDEFINE: %{run} = ad-opt run %s --entry=arrays_of_threads --input=4
// RUN: %{both} | FileCheck %s --check-prefix=ARRAYS

// CHECK-LABEL: func.func @pow(
// CHECK-NOT: gpu.launch
// CHECK: ad.tape_push
// CHECK: ad.tape_pop
// CHECK: return
// POW: 5.0625
// POW-NEXT: 13.5
func.func @pow(%x: f64, %n: index) -> (f64, f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 1.0 : f64
  %none = arith.constant 0.0 : f64
  %t = ad.tape_create : !ad.tape<f64>
  %y = scf.for %i = %zero to %n step %one iter_args(%r = %start) -> f64 {
    ad.tape_push %t, %r : !ad.tape<f64>
    %p = arith.mulf %r, %x : f64
    scf.yield %p : f64
  }
  %g:2 = scf.for %i = %zero to %n step %one iter_args(%r_bar = %start, %x_bar = %none) -> (f64, f64) {
    %r = ad.tape_pop %t : !ad.tape<f64>
    %d = arith.mulf %r_bar, %r : f64
    %s = arith.addf %x_bar, %d : f64
    %q = arith.mulf %r_bar, %x : f64
    scf.yield %q, %s : f64, f64
  }
  ad.tape_free %t : !ad.tape<f64>
  return %y, %g#1 : f64, f64
}

// A kernel makes the tape, one pushes, one pops, one frees; the host hands on the address of the record.
// CHECK-LABEL: func.func private @powers(
// CHECK-NOT: ad.tape
// CHECK: gpu.launch
// CHECK:   llvm.call @malloc
// CHECK:   memref.store %{{.*}} : memref<i64>
// CHECK: %[[TAPE:.*]] = memref.load %{{.*}}[] : memref<i64>
// CHECK: gpu.launch
// CHECK:   scf.for
// CHECK:     llvm.inttoptr %{{.*}} : i64 to !llvm.ptr
// CHECK:     func.call @ad.grow_tape_on_device
// CHECK: gpu.launch
// CHECK:   scf.for
// CHECK:     llvm.inttoptr
// CHECK: gpu.launch
// CHECK:   llvm.call @free
// CHECK: return
func.func private @powers(%a: memref<?xf64>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %t = ad.tape_create : !ad.tape<f64, i32>
  scf.for %i = %zero to %n step %one {
    %x = memref.load %a[%i] : memref<?xf64>
    %k = arith.index_cast %i : index to i32
    ad.tape_push %t, %x, %k : !ad.tape<f64, i32>
    %y = arith.mulf %x, %x : f64
    memref.store %y, %a[%i] : memref<?xf64>
  }
  scf.for %i = %zero to %n step %one {
    %x, %k = ad.tape_pop %t : !ad.tape<f64, i32>
    %j = arith.index_cast %k : i32 to index
    %square = memref.load %a[%j] : memref<?xf64>
    %y = arith.subf %square, %x : f64
    memref.store %y, %a[%j] : memref<?xf64>
  }
  ad.tape_free %t : !ad.tape<f64, i32>
  return
}
// More than there is room for at first: i^2 - i for i = 2, 150, and 300.
// SCALES: 2.0
// SCALES-NEXT: 22350.0
// SCALES-NEXT: 89700.0
func.func @scales(%n: index) -> (f64, f64, f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %half = arith.divui %n, %two : index
  %last = arith.subi %n, %one : index
  %a = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %zero to %n step %one {
    %k = arith.index_cast %i : index to i64
    %v = arith.sitofp %k : i64 to f64
    memref.store %v, %a[%i] : memref<?xf64>
  }
  func.call @powers(%a, %n) : (memref<?xf64>, index) -> ()
  %x = memref.load %a[%two] : memref<?xf64>
  %y = memref.load %a[%half] : memref<?xf64>
  %z = memref.load %a[%last] : memref<?xf64>
  memref.dealloc %a : memref<?xf64>
  return %x, %y, %z : f64, f64, f64
}

// Rows of i elements, each of which is 2 (6 - i): the last three are read, and the others freed with the tape.
// PEAK: "peak_bytes":3072,"to_device
// ROWS: 10.0
// ROWS-NEXT: 16.0
// ROWS-NEXT: 18.0
func.func @rows(%n: index) -> (f64, f64, f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %t = ad.tape_create : !ad.tape<index, tensor<?xf64>>
  scf.for %i = %zero to %n step %one {
    %is = soac.iota %i : tensor<?xindex>
    %row = soac.map ins(%is : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %k = arith.subi %n, %i : index
      %k64 = arith.index_cast %k : index to i64
      %v = arith.sitofp %k64 : i64 to f64
      %u = arith.addf %v, %v : f64
      soac.yield %u : f64
    }
    ad.tape_push %t, %i, %row : !ad.tape<index, tensor<?xf64>>
  }
  %a = func.call @last(%t) : (!ad.tape<index, tensor<?xf64>>) -> f64
  %b = func.call @last(%t) : (!ad.tape<index, tensor<?xf64>>) -> f64
  %c = func.call @last(%t) : (!ad.tape<index, tensor<?xf64>>) -> f64
  ad.tape_free %t : !ad.tape<index, tensor<?xf64>>
  return %a, %b, %c : f64, f64, f64
}
func.func private @last(%t: !ad.tape<index, tensor<?xf64>>) -> f64 {
  %none = arith.constant 0.0 : f64
  %i, %row = ad.tape_pop %t : !ad.tape<index, tensor<?xf64>>
  %s = soac.reduce ins(%row : tensor<?xf64>) neutral(%none : f64) (%x: f64, %y: f64) {
    %z = arith.addf %x, %y : f64
    soac.yield %z : f64
  }
  return %s : f64
}

// 1 + 2 + .. + (i mod 7) for 300 numbers i: what threads push, they pop.
// THREADS: 2387.0
func.func @threads(%n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %seven = arith.constant 7 : index
  %none = arith.constant 0.0 : f64
  %is = soac.iota %n : tensor<?xindex>
  %each = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %m = arith.remui %i, %seven : index
    %t = ad.tape_create : !ad.tape<index>
    scf.for %k = %zero to %m step %one {
      %l = arith.addi %k, %one : index
      ad.tape_push %t, %l : !ad.tape<index>
    }
    %s = scf.for %k = %zero to %m step %one iter_args(%sum = %zero) -> index {
      %l = ad.tape_pop %t : !ad.tape<index>
      %p = arith.addi %sum, %l : index
      scf.yield %p : index
    }
    ad.tape_free %t : !ad.tape<index>
    %w = arith.index_cast %s : index to i64
    %v = arith.sitofp %w : i64 to f64
    soac.yield %v : f64
  }
  %sum = soac.reduce ins(%each : tensor<?xf64>) neutral(%none : f64) (%x: f64, %y: f64) {
    %z = arith.addf %x, %y : f64
    soac.yield %z : f64
  }
  return %sum : f64
}

// Threads keep rows of i + 1 elements, each of which is i, twice, and read one.
// ARRAYS: [0.0, 2.0, 6.0, 12.0]
func.func @arrays_of_threads(%n: index) -> tensor<?xf64> {
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f64
  %is = soac.iota %n : tensor<?xindex>
  %each = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %m = arith.addi %i, %one : index
    %w = arith.index_cast %i : index to i64
    %v = arith.sitofp %w : i64 to f64
    %row = soac.replicate %v, %m : f64 -> tensor<?xf64>
    %t = ad.tape_create : !ad.tape<tensor<?xf64>>
    ad.tape_push %t, %row : !ad.tape<tensor<?xf64>>
    ad.tape_push %t, %row : !ad.tape<tensor<?xf64>>
    %back = ad.tape_pop %t : !ad.tape<tensor<?xf64>>
    ad.tape_free %t : !ad.tape<tensor<?xf64>>
    %s = soac.reduce ins(%back : tensor<?xf64>) neutral(%none : f64) (%x: f64, %y: f64) {
      %z = arith.addf %x, %y : f64
      soac.yield %z : f64
    }
    soac.yield %s : f64
  }
  return %each : tensor<?xf64>
}
