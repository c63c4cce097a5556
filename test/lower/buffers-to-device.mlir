// Buffers move to the device, and entries copy between that and the host's memory.
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-buffers-to-device)' --split-input-file --verify-diagnostics | FileCheck %s

module attributes {gpu.container_module} {
  memref.global "private" constant @table : memref<2xf64> = dense<[1.0, 2.0]>

  gpu.module @kernels {
    gpu.func @fill(%x: memref<?xf64>) kernel {
      gpu.return
    }
    gpu.func @read(%x: memref<2xf64>, %y: memref<?xf64>) kernel {
      gpu.return
    }
  }

  // The entry keeps its type. What it is given is copied there and, as a memref, back; an array that is marked is not
  // copied back, and numbers stay what they are.
  // CHECK-LABEL: func.func @entry(
  // CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?xf64>, %[[Y:[a-z0-9]+]]: memref<4xf64>, %[[N:[a-z0-9]+]]: index) -> (memref<?xf64>, f64)
  // CHECK: %[[SIZE:.*]] = memref.dim %[[X]]
  // CHECK: %[[DX:.*]] = gpu.alloc (%[[SIZE]]) : memref<?xf64>
  // CHECK: gpu.memcpy %[[DX]], %[[X]]
  // CHECK: %[[DY:.*]] = gpu.alloc () : memref<4xf64>
  // CHECK: gpu.memcpy %[[DY]], %[[Y]]
  // CHECK: %[[R:.*]]:2 = call @entry.on_device(%[[DX]], %[[DY]], %[[N]])
  // CHECK-NOT: gpu.memcpy
  // CHECK: gpu.dealloc %[[DX]]
  // CHECK: gpu.memcpy %[[Y]], %[[DY]]
  // CHECK: gpu.dealloc %[[DY]]
  // CHECK: %[[HOST:.*]] = memref.alloc(%{{.*}}) : memref<?xf64>
  // CHECK: gpu.memcpy %[[HOST]], %[[R]]#0
  // CHECK: gpu.dealloc %[[R]]#0
  // CHECK: return %[[HOST]], %[[R]]#1

  // CHECK-LABEL: func.func private @entry.on_device(
  // CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?xf64>
  // The constant is copied once, where the function starts; the host reads it where it is.
  // CHECK: %[[SLOT:.*]] = memref.alloca() : memref<f64>
  // CHECK: %[[COPY:.*]] = gpu.alloc () : memref<2xf64>
  // CHECK: %[[TABLE:.*]] = memref.get_global @table
  // CHECK: gpu.memcpy %[[COPY]], %[[TABLE]]
  // CHECK: %[[NEW:.*]] = gpu.alloc (%{{.*}}) : memref<?xf64>
  // CHECK: scf.for
  // CHECK: gpu.launch_func @kernels::@fill
  // CHECK: gpu.launch_func @kernels::@read {{.*}} args(%[[COPY]] : memref<2xf64>, %[[NEW]] : memref<?xf64>)
  // The host reads an element: a copy of eight bytes.
  // CHECK: %[[START:.*]] = memref.extract_aligned_pointer_as_index %[[NEW]]
  // CHECK: arith.addi %[[START]], %{{.*}} : index
  // CHECK: call @mgpuMemcpy(
  // CHECK: memref.load %[[SLOT]][]
  // CHECK: %[[OWN:.*]] = memref.get_global @table
  // CHECK: memref.load %[[OWN]][
  // CHECK: gpu.dealloc %[[COPY]]
  // CHECK: return %[[NEW]]
  func.func @entry(%x: memref<?xf64> {ad.unchanged}, %y: memref<4xf64>, %n: index) -> (memref<?xf64>, f64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %new = memref.alloc(%n) : memref<?xf64>
    scf.for %i = %c0 to %n step %c1 {
      gpu.launch_func @kernels::@fill blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%new : memref<?xf64>)
    }
    %table = memref.get_global @table : memref<2xf64>
    gpu.launch_func @kernels::@read blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%table : memref<2xf64>, %new : memref<?xf64>)
    %a = memref.load %new[%c1] : memref<?xf64>
    %own = memref.get_global @table : memref<2xf64>
    %b = memref.load %own[%c1] : memref<2xf64>
    %c = arith.addf %a, %b : f64
    return %new, %c : memref<?xf64>, f64
  }

  // Two results may be one array, which is freed once.
  // CHECK-LABEL: func.func @twice(
  // CHECK: %[[R:.*]]:2 = call @twice.on_device(
  // CHECK: gpu.dealloc %[[R]]#0
  // CHECK: %[[P:.*]] = memref.extract_aligned_pointer_as_index %[[R]]#0
  // CHECK: %[[Q:.*]] = memref.extract_aligned_pointer_as_index %[[R]]#1
  // CHECK: %[[IS_NEW:.*]] = arith.cmpi ne, %[[P]], %[[Q]]
  // CHECK: scf.if %[[IS_NEW]] {
  // CHECK: gpu.dealloc %[[R]]#1
  func.func @twice(%n: index) -> (memref<?xf64>, memref<?xf64>) {
    %new = memref.alloc(%n) : memref<?xf64>
    return %new, %new : memref<?xf64>, memref<?xf64>
  }

  // The three lanes of a vector take as much as four, of which the host copies all.
  // CHECK-LABEL: func.func private @vectors(
  // CHECK: %[[SLOT:.*]] = memref.alloca() : memref<vector<3xf32>>
  // CHECK: arith.muli %{{.*}}, %c16
  // CHECK: %[[SIZE:.*]] = arith.index_cast %c16{{.*}} : index to i64
  // CHECK: call @mgpuMemcpy(%{{.*}}, %{{.*}}, %[[SIZE]], %{{.*}})
  // CHECK: memref.load %[[SLOT]][] : memref<vector<3xf32>>
  func.func private @vectors(%x: memref<?xvector<3xf32>>, %i: index) -> vector<3xf32> {
    %r = memref.load %x[%i] : memref<?xvector<3xf32>>
    return %r : vector<3xf32>
  }

  // Lists of buffers that the host compares stay there, as does the function that does it; a private function takes
  // arrays of the device.
  // CHECK-LABEL: func.func private @lists(
  // CHECK-NOT: gpu.alloc
  // CHECK: %[[LIST:.*]] = memref.alloc() : memref<1xindex>
  // CHECK: memref.store %{{.*}}, %[[LIST]]
  // CHECK: call @dealloc_helper(
  // CHECK: memref.load %[[LIST]]
  // CHECK: memref.dealloc %[[LIST]]
  // CHECK: gpu.dealloc %arg0
  // CHECK-LABEL: func.func private @dealloc_helper(
  // CHECK: memref.load %arg0
  func.func private @lists(%x: memref<?xf64>) -> index {
    %c0 = arith.constant 0 : index
    %list = memref.alloc() : memref<1xindex>
    %place = memref.extract_aligned_pointer_as_index %x : memref<?xf64> -> index
    memref.store %place, %list[%c0] : memref<1xindex>
    %cast = memref.cast %list : memref<1xindex> to memref<?xindex>
    func.call @dealloc_helper(%cast) : (memref<?xindex>) -> ()
    %r = memref.load %list[%c0] : memref<1xindex>
    memref.dealloc %list : memref<1xindex>
    memref.dealloc %x : memref<?xf64>
    return %r : index
  }
  func.func private @dealloc_helper(%list: memref<?xindex>) {
    %c0 = arith.constant 0 : index
    %0 = memref.load %list[%c0] : memref<?xindex>
    memref.store %0, %list[%c0] : memref<?xindex>
    return
  }
}

// -----

// A variable cannot be copied: kernels could change the copy only.
module attributes {gpu.container_module} {
  memref.global "private" @variable : memref<2xf64> = dense<0.0>
  gpu.module @kernels {
    gpu.func @change(%x: memref<2xf64>) kernel {
      gpu.return
    }
  }
  func.func @f() {
    %c1 = arith.constant 1 : index
    // expected-error @below {{is a variable of the host, which kernels cannot change}}
    %x = memref.get_global @variable : memref<2xf64>
    gpu.launch_func @kernels::@change blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%x : memref<2xf64>)
    return
  }
}

// -----

func.func private @library(memref<?xf64>)
func.func @f(%n: index) {
  %x = memref.alloc(%n) : memref<?xf64>
  // expected-error @below {{gives arrays of the device to a function of a library}}
  func.call @library(%x) : (memref<?xf64>) -> ()
  return
}

// -----

func.func @mgpuMemcpy(%x: f64) -> f64 {
  return %x : f64
}
func.func @f(%x: memref<f64>) -> f64 {
  // expected-error @below {{calls @mgpuMemcpy of the runtime, but the name is taken}}
  %z = memref.load %x[] : memref<f64>
  return %z : f64
}
