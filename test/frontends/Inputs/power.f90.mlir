// What flang 22.1.8 makes of power.f90 without optimisation, written by fir_to_memref.py.
func.func @_QPpower(%arg0: memref<f64>, %arg1: memref<i32>) -> f64 {
  %c1 = arith.constant 1 : index
  %c1_0 = arith.constant 1 : index
  %c1_i32 = arith.constant 1 : i32
  %cst = arith.constant 1.000000e+00 : f64
  %alloca = memref.alloca() : memref<i32>
  %alloca_1 = memref.alloca() : memref<f64>
  memref.store %cst, %alloca_1[] : memref<f64>
  %0 = arith.index_cast %c1_i32 : i32 to index
  %1 = memref.load %arg1[] : memref<i32>
  %2 = arith.index_cast %1 : i32 to index
  %3 = arith.index_cast %0 : index to i32
  %4 = arith.subi %2, %0 : index
  %5 = arith.addi %4, %c1_0 : index
  %6 = arith.divsi %5, %c1_0 : index
  cf.br ^bb1(%0, %3, %6 : index, i32, index)
^bb1(%7: index, %8: i32, %9: index):  // 2 preds: ^bb0, ^bb2
  %c0 = arith.constant 0 : index
  %10 = arith.cmpi sgt, %9, %c0 : index
  cf.cond_br %10, ^bb2, ^bb3
^bb2:  // pred: ^bb1
  memref.store %8, %alloca[] : memref<i32>
  %11 = memref.load %alloca_1[] : memref<f64>
  %12 = memref.load %arg0[] : memref<f64>
  %13 = arith.mulf %11, %12 fastmath<contract> : f64
  memref.store %13, %alloca_1[] : memref<f64>
  %14 = arith.index_cast %c1_0 : index to i32
  %15 = memref.load %alloca[] : memref<i32>
  %16 = arith.addi %15, %14 overflow<nsw> : i32
  %17 = arith.addi %7, %c1_0 overflow<nsw> : index
  %c1_2 = arith.constant 1 : index
  %18 = arith.subi %9, %c1_2 : index
  cf.br ^bb1(%17, %16, %18 : index, i32, index)
^bb3:  // pred: ^bb1
  memref.store %8, %alloca[] : memref<i32>
  %19 = memref.load %alloca_1[] : memref<f64>
  return %19 : f64
}
