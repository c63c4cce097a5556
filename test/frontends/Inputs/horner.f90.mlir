// What flang 22.1.8 makes of horner.f90 without optimisation, written by fir_to_memref.py.
func.func @_QPhorner(%arg0: memref<?xf64>, %arg1: memref<i32>, %arg2: memref<f64>) -> f64 {
  %c1 = arith.constant 1 : index
  %c-1_i32 = arith.constant -1 : i32
  %c1_i32 = arith.constant 1 : i32
  %cst = arith.constant 0.000000e+00 : f64
  %c0 = arith.constant 0 : index
  %alloca = memref.alloca() : memref<i32>
  %alloca_0 = memref.alloca() : memref<f64>
  %0 = memref.load %arg1[] : memref<i32>
  %1 = arith.extsi %0 : i32 to i64
  %2 = arith.index_cast %1 : i64 to index
  %3 = arith.cmpi sgt, %2, %c0 : index
  %4 = arith.select %3, %2, %c0 : index
  memref.store %cst, %alloca_0[] : memref<f64>
  %5 = memref.load %arg1[] : memref<i32>
  %6 = arith.index_cast %5 : i32 to index
  %7 = arith.index_cast %c1_i32 : i32 to index
  %8 = arith.index_cast %c-1_i32 : i32 to index
  %9 = arith.index_cast %6 : index to i32
  %10 = arith.subi %7, %6 : index
  %11 = arith.addi %10, %8 : index
  %12 = arith.divsi %11, %8 : index
  cf.br ^bb1(%6, %9, %12 : index, i32, index)
^bb1(%13: index, %14: i32, %15: index):  // 2 preds: ^bb0, ^bb2
  %c0_1 = arith.constant 0 : index
  %16 = arith.cmpi sgt, %15, %c0_1 : index
  cf.cond_br %16, ^bb2, ^bb3
^bb2:  // pred: ^bb1
  memref.store %14, %alloca[] : memref<i32>
  %17 = memref.load %alloca_0[] : memref<f64>
  %18 = memref.load %arg2[] : memref<f64>
  %19 = arith.mulf %17, %18 fastmath<contract> : f64
  %20 = memref.load %alloca[] : memref<i32>
  %21 = arith.extsi %20 : i32 to i64
  %22 = arith.index_cast %21 : i64 to index
  %23 = arith.subi %22, %c1 : index
  %24 = memref.load %arg0[%23] : memref<?xf64>
  %25 = arith.addf %19, %24 fastmath<contract> : f64
  memref.store %25, %alloca_0[] : memref<f64>
  %26 = arith.index_cast %8 : index to i32
  %27 = memref.load %alloca[] : memref<i32>
  %28 = arith.addi %27, %26 overflow<nsw> : i32
  %29 = arith.addi %13, %8 overflow<nsw> : index
  %c1_2 = arith.constant 1 : index
  %30 = arith.subi %15, %c1_2 : index
  cf.br ^bb1(%29, %28, %30 : index, i32, index)
^bb3:  // pred: ^bb1
  memref.store %14, %alloca[] : memref<i32>
  %31 = memref.load %alloca_0[] : memref<f64>
  return %31 : f64
}
