// A function frees what another one allocates: nothing is freed for either, and callers get no buffers that upstream would
// take to be theirs.
// RUN: ad-opt %s --keep-deallocations | FileCheck %s
// RUN: ad-opt run %s --entry=freed --input=2.5 --input=3 | FileCheck %s --check-prefix=VALUE

// CHECK-LABEL: func.func private @made(
//  CHECK-SAME:     -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
//       CHECK:   memref.alloc(%{{.*}}) {bufferization.manual_deallocation} : memref<?xf64>
//       CHECK:   %[[D:.*]] = builtin.unrealized_conversion_cast %{{.*}} : memref<?xf64> to !llvm.struct
//       CHECK:   return %[[D]]
func.func private @made(%x: f64, %n: index) -> memref<?xf64> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.cmpi eq, %n, %c0 : index
  %m = scf.if %none -> memref<?xf64> {
    %made = memref.alloc(%c1) : memref<?xf64>
    memref.store %x, %made[%c0] : memref<?xf64>
    scf.yield %made : memref<?xf64>
  } else {
    %less = arith.subi %n, %c1 : index
    %given = func.call @made(%x, %less) : (f64, index) -> memref<?xf64>
    scf.yield %given : memref<?xf64>
  }
  return %m : memref<?xf64>
}

// CHECK-LABEL: @freed
//       CHECK:   %[[D:.*]] = call @made
//       CHECK:   %[[M:.*]] = builtin.unrealized_conversion_cast %[[D]] : !llvm.struct{{.*}} to memref<?xf64>
//       CHECK:   memref.dealloc %[[M]] {bufferization.manual_deallocation}
// VALUE: 2.5
func.func @freed(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %m = func.call @made(%x, %n) : (f64, index) -> memref<?xf64>
  %y = memref.load %m[%c0] : memref<?xf64>
  memref.dealloc %m : memref<?xf64>
  return %y : f64
}
