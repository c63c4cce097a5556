// Addresses that are rounded up stay places in what was allocated, so that LLVM can tell them apart.
// RUN: ad-opt %s --pass-pipeline='builtin.module(finalize-memref-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts,lower-addresses)' | FileCheck %s
// RUN: ad-opt run %s --entry=value | FileCheck %s --check-prefix=VALUE

// CHECK-LABEL: llvm.func @allocated
// CHECK:         %[[P:.*]] = llvm.call @malloc
// CHECK:         %[[LAST:.*]] = llvm.getelementptr %[[P]][63] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:    %[[MASK:.*]] = llvm.mlir.constant(-64 : i64) : i64
// CHECK-NEXT:    llvm.intr.ptrmask %[[LAST]], %[[MASK]]
// CHECK-NOT:     llvm.inttoptr
func.func @allocated(%n: index) -> memref<?xf64> {
  %a = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf64>
  return %a : memref<?xf64>
}

// Another number may be any address.
// CHECK-LABEL: llvm.func @given
// CHECK:         llvm.inttoptr
llvm.func @given(%n: i64) -> !llvm.ptr {
  %eight = llvm.mlir.constant(8 : i64) : i64
  %sum = llvm.add %n, %eight : i64
  %p = llvm.inttoptr %sum : i64 to !llvm.ptr
  llvm.return %p : !llvm.ptr
}

// VALUE: 2.5
func.func @value() -> f64 {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %x = arith.constant 2.5 : f64
  %a = func.call @allocated(%c3) : (index) -> memref<?xf64>
  memref.store %x, %a[%c1] : memref<?xf64>
  %y = memref.load %a[%c1] : memref<?xf64>
  return %y : f64
}
