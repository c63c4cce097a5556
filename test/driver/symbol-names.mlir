// Names that are empty, not UTF-8 or hold a zero byte are refused at the operation, not taken for others.
// RUN: split-file %s %t
// RUN: not ad-opt %t/zero.mlir --ad-differentiate 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not ad-opt %t/empty.mlir --ad-differentiate 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not ad-opt %t/bytes.mlir --ad-differentiate 2>&1 | FileCheck %s --check-prefix=BYTES

//--- zero.mlir
func.func private @"f"(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
// ZERO: zero.mlir:{{[0-9:]+}}: error: 'func.func' op has a name that has a zero byte: rename it
func.func private @"f\00"(%x: f64) -> f64 {
  %y = math.sin %x : f64
  return %y : f64
}
func.func @g(%x: f64) -> f64 {
  %r:2 = ad.vjp @"f\00"(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

//--- empty.mlir
// EMPTY: error: 'memref.global' op has a name that is empty: rename it
memref.global "private" @"" : memref<f64> = dense<1.0>
func.func @g(%x: f64) -> f64 {
  %m = memref.get_global @"" : memref<f64>
  %v = memref.load %m[] : memref<f64>
  %y = arith.mulf %x, %v : f64
  return %y : f64
}

//--- bytes.mlir
// BYTES: error: 'func.func' op has a name that is not UTF-8: rename it
func.func @"\FF"(%x: f64) -> f64 {
  return %x : f64
}
