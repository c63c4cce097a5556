// What clang 22.1.8 reads in products.c, written by c_to_memref.py.
func.func @products(%arg0: memref<?xf64>, %arg1: i32) {
  %1 = memref.alloca() : memref<1xi32>
  %3 = memref.alloca() : memref<1xi32>
  %2 = arith.constant 0 : index
  memref.store %arg1, %1[%2] : memref<1xi32>
  %4 = arith.constant 1 : i32
  %5 = arith.constant 0 : index
  memref.store %4, %3[%5] : memref<1xi32>
  cf.br ^bb1
^bb1:
  %6 = arith.constant 0 : index
  %7 = memref.load %3[%6] : memref<1xi32>
  %8 = arith.constant 0 : index
  %9 = memref.load %1[%8] : memref<1xi32>
  %10 = arith.cmpi slt, %7, %9 : i32
  cf.cond_br %10, ^bb2, ^bb4
^bb2:
  %11 = arith.constant 0 : index
  %12 = memref.load %3[%11] : memref<1xi32>
  %13 = arith.constant 1 : i32
  %14 = arith.subi %12, %13 overflow<nsw> : i32
  %15 = arith.index_cast %14 : i32 to index
  %16 = memref.load %arg0[%15] : memref<?xf64>
  %17 = arith.constant 0 : index
  %18 = memref.load %3[%17] : memref<1xi32>
  %19 = arith.index_cast %18 : i32 to index
  %20 = memref.load %arg0[%19] : memref<?xf64>
  %21 = arith.mulf %20, %16 : f64
  memref.store %21, %arg0[%19] : memref<?xf64>
  cf.br ^bb3
^bb3:
  %22 = arith.constant 0 : index
  %23 = memref.load %3[%22] : memref<1xi32>
  %24 = arith.constant 1 : i32
  %25 = arith.addi %23, %24 overflow<nsw> : i32
  memref.store %25, %3[%22] : memref<1xi32>
  cf.br ^bb1
^bb4:
  cf.br ^end
^end:
  return
}
