// What clang 22.1.8 reads in power.c, written by c_to_memref.py.
func.func @power(%arg0: f64, %arg1: i32) -> f64 {
  %1 = memref.alloca() : memref<1xf64>
  %3 = memref.alloca() : memref<1xi32>
  %5 = memref.alloca() : memref<1xf64>
  %6 = memref.alloca() : memref<1xf64>
  %2 = arith.constant 0 : index
  memref.store %arg0, %1[%2] : memref<1xf64>
  %4 = arith.constant 0 : index
  memref.store %arg1, %3[%4] : memref<1xi32>
  %7 = arith.constant 1 : i32
  %8 = arith.sitofp %7 : i32 to f64
  %9 = arith.constant 0 : index
  memref.store %8, %6[%9] : memref<1xf64>
  cf.br ^bb1
^bb1:
  %10 = arith.constant 0 : index
  %11 = memref.load %3[%10] : memref<1xi32>
  %12 = arith.constant 0 : i32
  %13 = arith.cmpi sgt, %11, %12 : i32
  cf.cond_br %13, ^bb2, ^bb4
^bb2:
  %14 = arith.constant 0 : index
  %15 = memref.load %1[%14] : memref<1xf64>
  %16 = arith.constant 0 : index
  %17 = memref.load %6[%16] : memref<1xf64>
  %18 = arith.mulf %17, %15 : f64
  memref.store %18, %6[%16] : memref<1xf64>
  %19 = arith.constant 0 : index
  %20 = memref.load %3[%19] : memref<1xi32>
  %21 = arith.constant 1 : i32
  %22 = arith.subi %20, %21 overflow<nsw> : i32
  memref.store %22, %3[%19] : memref<1xi32>
  cf.br ^bb3
^bb3:
  cf.br ^bb1
^bb4:
  %23 = arith.constant 0 : index
  %24 = memref.load %6[%23] : memref<1xf64>
  %25 = arith.constant 0 : index
  memref.store %24, %5[%25] : memref<1xf64>
  cf.br ^end
^end:
  %26 = arith.constant 0 : index
  %27 = memref.load %5[%26] : memref<1xf64>
  return %27 : f64
}
