// RUN: ad-opt %s --lower-atomics | FileCheck %s
// RUN: ad-opt %s --lower-atomics --lower-atomics | FileCheck %s

// LLVM compares and swaps integers only.

// CHECK-LABEL: func.func @product
// CHECK-SAME: (%[[X:.+]]: memref<4x?xf64, strided<[?, 1], offset: ?>, 3>, %[[I:.+]]: index, %[[V:.+]]: f64)
// CHECK: %[[CAST:.+]] = builtin.unrealized_conversion_cast %[[X]] : memref<4x?xf64, strided<[?, 1], offset: ?>, 3> to memref<4x?xi64, strided<[?, 1], offset: ?>, 3>
// CHECK: %[[WAS:.+]] = memref.generic_atomic_rmw %[[CAST]][%[[I]], %[[I]]]
// CHECK: ^bb0(%[[NOW:.+]]: i64):
// CHECK-NEXT: %[[VALUE:.+]] = arith.bitcast %[[NOW]] : i64 to f64
// CHECK-NEXT: %[[NEXT:.+]] = arith.mulf %[[V]], %[[VALUE]] : f64
// CHECK-NEXT: %[[BITS:.+]] = arith.bitcast %[[NEXT]] : f64 to i64
// CHECK-NEXT: memref.atomic_yield %[[BITS]] : i64
// CHECK: %[[OLD:.+]] = arith.bitcast %[[WAS]] : i64 to f64
// CHECK: return %[[OLD]]
func.func @product(%x: memref<4x?xf64, strided<[?, 1], offset: ?>, 3>, %i: index, %v: f64) -> f64 {
  %old = memref.generic_atomic_rmw %x[%i, %i] : memref<4x?xf64, strided<[?, 1], offset: ?>, 3> {
  ^bb0(%now: f64):
    %next = arith.mulf %v, %now : f64
    memref.atomic_yield %next : f64
  }
  return %old : f64
}

// What the update stores may be what was there, or nothing that depends on it.

// CHECK-LABEL: func.func @stays
// CHECK: %[[SAME:.+]] = arith.bitcast %{{.+}} : i32 to f32
// CHECK: arith.bitcast %[[SAME]] : f32 to i32
// CHECK: arith.bitcast %{{.+}} : f32 to i32
func.func @stays(%x: memref<4xf32>, %i: index, %v: f32) {
  %0 = memref.generic_atomic_rmw %x[%i] : memref<4xf32> {
  ^bb0(%now: f32):
    memref.atomic_yield %now : f32
  }
  %1 = memref.generic_atomic_rmw %x[%i] : memref<4xf32> {
  ^bb0(%now: f32):
    memref.atomic_yield %v : f32
  }
  return
}

// CHECK-LABEL: func.func @integers
// CHECK-NOT: cast
// CHECK: return
func.func @integers(%x: memref<4xi64>, %i: index, %v: i64) {
  %0 = memref.generic_atomic_rmw %x[%i] : memref<4xi64> {
  ^bb0(%now: i64):
    %next = arith.muli %v, %now : i64
    memref.atomic_yield %next : i64
  }
  return
}

// Threads of a device need no order of other memory. Those of other devices may name groups of threads otherwise.

// CHECK-LABEL: gpu.module @nvidia
// CHECK: llvm.cmpxchg %{{.*}} syncscope("device") monotonic monotonic
// CHECK: llvm.atomicrmw fmaximum %{{.*}} syncscope("device") monotonic
gpu.module @nvidia [#nvvm.target<chip = "sm_80">] {
  llvm.func @kernel(%x: !llvm.ptr, %old: i64, %new: i64, %v: f64) {
    %0 = llvm.cmpxchg %x, %old, %new acq_rel monotonic : !llvm.ptr, i64
    %1 = llvm.atomicrmw fmaximum %x, %v acq_rel : !llvm.ptr, f64
    llvm.return
  }
}

// An update that changes nothing writes nothing; what it begins with is read atomically.

// CHECK-LABEL: gpu.module @loop
// CHECK: %[[FIRST:.*]] = llvm.load %{{.*}} atomic syncscope("device") monotonic {alignment = 8 : i64} : !llvm.ptr -> i64
// CHECK: llvm.br ^[[LOOP:.*]](%[[FIRST]] : i64)
// CHECK: ^[[LOOP]](%[[OLD:.*]]: i64):
// CHECK: %[[NEW:.*]] = llvm.intr.smax(%[[OLD]], %{{.*}})
// CHECK: %[[SAME:.*]] = llvm.icmp "eq" %[[OLD]], %[[NEW]] : i64
// CHECK: llvm.cond_br %[[SAME]], ^[[END:.*]], ^[[SWAP:.*]]
// CHECK: ^[[END]]:
// CHECK: ^[[SWAP]]:
// CHECK: %[[SWAPPED:.*]] = llvm.cmpxchg %{{.*}}, %[[OLD]], %[[NEW]] syncscope("device") monotonic monotonic
// CHECK: %[[FOUND:.*]] = llvm.extractvalue %[[SWAPPED]][0]
// CHECK: %[[IS:.*]] = llvm.extractvalue %[[SWAPPED]][1]
// CHECK: llvm.cond_br %[[IS]], ^[[END]], ^[[LOOP]](%[[FOUND]] : i64)
gpu.module @loop [#nvvm.target<chip = "sm_80">] {
  llvm.func @kernel(%x: !llvm.ptr, %v: i64) {
    %first = llvm.load %x : !llvm.ptr -> i64
    llvm.br ^loop(%first : i64)
  ^loop(%old: i64):
    %new = llvm.intr.smax(%old, %v) : (i64, i64) -> i64
    %swapped = llvm.cmpxchg %x, %old, %new acq_rel monotonic : !llvm.ptr, i64
    %found = llvm.extractvalue %swapped[0] : !llvm.struct<(i64, i1)>
    %is = llvm.extractvalue %swapped[1] : !llvm.struct<(i64, i1)>
    llvm.cond_br %is, ^end, ^loop(%found : i64)
  ^end:
    llvm.return
  }
}

// Where it is asked what was there, the compare-and-swap stays as it is.

// CHECK-LABEL: gpu.module @asked
// CHECK-NOT: llvm.icmp
// CHECK: llvm.cmpxchg
gpu.module @asked [#nvvm.target<chip = "sm_80">] {
  llvm.func @kernel(%x: !llvm.ptr, %v: i64) -> i64 {
    %first = llvm.load %x : !llvm.ptr -> i64
    llvm.br ^loop(%first : i64)
  ^loop(%old: i64):
    %new = llvm.intr.smax(%old, %v) : (i64, i64) -> i64
    %swapped = llvm.cmpxchg %x, %old, %new acq_rel monotonic : !llvm.ptr, i64
    %found = llvm.extractvalue %swapped[0] : !llvm.struct<(i64, i1)>
    %is = llvm.extractvalue %swapped[1] : !llvm.struct<(i64, i1)>
    llvm.cond_br %is, ^end, ^loop(%found : i64)
  ^end:
    llvm.return %found : i64
  }
}

// CHECK-LABEL: gpu.module @amd
// CHECK: llvm.cmpxchg %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} monotonic monotonic
gpu.module @amd [#rocdl.target<chip = "gfx90a">] {
  llvm.func @kernel(%x: !llvm.ptr, %old: i64, %new: i64) {
    %0 = llvm.cmpxchg %x, %old, %new acq_rel monotonic : !llvm.ptr, i64
    llvm.return
  }
}

// On the host, order is what the program says.

// CHECK-LABEL: llvm.func @host
// CHECK: acq_rel monotonic
llvm.func @host(%x: !llvm.ptr, %old: i64, %new: i64) {
  %0 = llvm.cmpxchg %x, %old, %new acq_rel monotonic : !llvm.ptr, i64
  llvm.return
}
