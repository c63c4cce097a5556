// What flang 22.1.8 makes of dot.f90 without optimisation, written by fir_to_memref.py.
func.func @_QPdot(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: memref<i32>) -> f64 {
  %c1 = arith.constant 1 : index
  %c1_i32 = arith.constant 1 : i32
  %c0_i32 = arith.constant 0 : i32
  %cst = arith.constant 0.000000e+00 : f64
  %c0 = arith.constant 0 : index
  %alloca = memref.alloca() : memref<f64>
  %alloca_0 = memref.alloca() : memref<i32>
  %0 = memref.load %arg2[] : memref<i32>
  %1 = arith.extsi %0 : i32 to i64
  %2 = arith.index_cast %1 : i64 to index
  %3 = arith.cmpi sgt, %2, %c0 : index
  %4 = arith.select %3, %2, %c0 : index
  %5 = memref.load %arg2[] : memref<i32>
  %6 = arith.extsi %5 : i32 to i64
  %7 = arith.index_cast %6 : i64 to index
  %8 = arith.cmpi sgt, %7, %c0 : index
  %9 = arith.select %8, %7, %c0 : index
  memref.store %cst, %alloca[] : memref<f64>
  %10 = memref.load %arg2[] : memref<i32>
  %11 = arith.cmpi sle, %10, %c0_i32 : i32
  cf.cond_br %11, ^bb1, ^bb2
^bb1:  // pred: ^bb0
  cf.br ^bb7
^bb2:  // pred: ^bb0
  memref.store %c0_i32, %alloca_0[] : memref<i32>
  cf.br ^bb3
^bb3:  // 2 preds: ^bb2, ^bb5
  %12 = memref.load %alloca_0[] : memref<i32>
  %13 = arith.addi %12, %c1_i32 : i32
  memref.store %13, %alloca_0[] : memref<i32>
  %14 = memref.load %alloca[] : memref<f64>
  %15 = memref.load %alloca_0[] : memref<i32>
  %16 = arith.extsi %15 : i32 to i64
  %17 = arith.index_cast %16 : i64 to index
  %18 = arith.subi %17, %c1 : index
  %19 = memref.load %arg0[%18] : memref<?xf64>
  %20 = memref.load %alloca_0[] : memref<i32>
  %21 = arith.extsi %20 : i32 to i64
  %22 = arith.index_cast %21 : i64 to index
  %23 = arith.subi %22, %c1 : index
  %24 = memref.load %arg1[%23] : memref<?xf64>
  %25 = arith.mulf %19, %24 fastmath<contract> : f64
  %26 = arith.addf %14, %25 fastmath<contract> : f64
  memref.store %26, %alloca[] : memref<f64>
  %27 = memref.load %alloca_0[] : memref<i32>
  %28 = memref.load %arg2[] : memref<i32>
  %29 = arith.cmpi sge, %27, %28 : i32
  cf.cond_br %29, ^bb4, ^bb5
^bb4:  // pred: ^bb3
  cf.br ^bb6
^bb5:  // pred: ^bb3
  cf.br ^bb3
^bb6:  // pred: ^bb4
  cf.br ^bb7
^bb7:  // 2 preds: ^bb1, ^bb6
  %30 = memref.load %alloca[] : memref<f64>
  return %30 : f64
}
