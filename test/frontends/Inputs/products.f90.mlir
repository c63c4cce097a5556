// What flang 22.1.8 makes of products.f90 without optimisation, written by fir_to_memref.py.
func.func @_QPproducts(%arg0: memref<?xf64>, %arg1: memref<i32>) {
  %c1 = arith.constant 1 : index
  %c1_i32 = arith.constant 1 : i32
  %c1_0 = arith.constant 1 : index
  %c2_i32 = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %alloca = memref.alloca() : memref<i32>
  %0 = memref.load %arg1[] : memref<i32>
  %1 = arith.extsi %0 : i32 to i64
  %2 = arith.index_cast %1 : i64 to index
  %3 = arith.cmpi sgt, %2, %c0 : index
  %4 = arith.select %3, %2, %c0 : index
  %5 = arith.index_cast %c2_i32 : i32 to index
  %6 = memref.load %arg1[] : memref<i32>
  %7 = arith.index_cast %6 : i32 to index
  %8 = arith.index_cast %5 : index to i32
  %9 = arith.subi %7, %5 : index
  %10 = arith.addi %9, %c1_0 : index
  %11 = arith.divsi %10, %c1_0 : index
  cf.br ^bb1(%5, %8, %11 : index, i32, index)
^bb1(%12: index, %13: i32, %14: index):  // 2 preds: ^bb0, ^bb2
  %c0_1 = arith.constant 0 : index
  %15 = arith.cmpi sgt, %14, %c0_1 : index
  cf.cond_br %15, ^bb2, ^bb3
^bb2:  // pred: ^bb1
  memref.store %13, %alloca[] : memref<i32>
  %16 = memref.load %alloca[] : memref<i32>
  %17 = arith.extsi %16 : i32 to i64
  %18 = arith.index_cast %17 : i64 to index
  %19 = arith.subi %18, %c1 : index
  %20 = memref.load %arg0[%19] : memref<?xf64>
  %21 = memref.load %alloca[] : memref<i32>
  %22 = arith.subi %21, %c1_i32 overflow<nsw> : i32
  %23 = arith.extsi %22 : i32 to i64
  %24 = arith.index_cast %23 : i64 to index
  %25 = arith.subi %24, %c1 : index
  %26 = memref.load %arg0[%25] : memref<?xf64>
  %27 = arith.mulf %20, %26 fastmath<contract> : f64
  %28 = memref.load %alloca[] : memref<i32>
  %29 = arith.extsi %28 : i32 to i64
  %30 = arith.index_cast %29 : i64 to index
  %31 = arith.subi %30, %c1 : index
  memref.store %27, %arg0[%31] : memref<?xf64>
  %32 = arith.index_cast %c1_0 : index to i32
  %33 = memref.load %alloca[] : memref<i32>
  %34 = arith.addi %33, %32 overflow<nsw> : i32
  %35 = arith.addi %12, %c1_0 overflow<nsw> : index
  %c1_2 = arith.constant 1 : index
  %36 = arith.subi %14, %c1_2 : index
  cf.br ^bb1(%35, %34, %36 : index, i32, index)
^bb3:  // pred: ^bb1
  memref.store %13, %alloca[] : memref<i32>
  return
}
