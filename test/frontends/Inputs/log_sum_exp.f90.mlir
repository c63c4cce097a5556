// What flang 22.1.8 makes of log_sum_exp.f90 without optimisation, written by fir_to_memref.py.
func.func @_QPlog_sum_exp(%arg0: memref<?xf64>, %arg1: memref<i32>) -> f64 {
  %c1 = arith.constant 1 : index
  %c1_i32 = arith.constant 1 : i32
  %cst = arith.constant 0.000000e+00 : f64
  %c2_i32 = arith.constant 2 : i32
  %c1_0 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %alloca = memref.alloca() : memref<i32>
  %alloca_1 = memref.alloca() : memref<f64>
  %alloca_2 = memref.alloca() : memref<f64>
  %alloca_3 = memref.alloca() : memref<f64>
  %0 = memref.load %arg1[] : memref<i32>
  %1 = arith.extsi %0 : i32 to i64
  %2 = arith.index_cast %1 : i64 to index
  %3 = arith.cmpi sgt, %2, %c0 : index
  %4 = arith.select %3, %2, %c0 : index
  %5 = arith.subi %c1_0, %c1 : index
  %6 = memref.load %arg0[%5] : memref<?xf64>
  memref.store %6, %alloca_1[] : memref<f64>
  %7 = arith.index_cast %c2_i32 : i32 to index
  %8 = memref.load %arg1[] : memref<i32>
  %9 = arith.index_cast %8 : i32 to index
  %10 = arith.index_cast %7 : index to i32
  %11 = arith.subi %9, %7 : index
  %12 = arith.addi %11, %c1_0 : index
  %13 = arith.divsi %12, %c1_0 : index
  cf.br ^bb1(%7, %10, %13 : index, i32, index)
^bb1(%14: index, %15: i32, %16: index):  // 2 preds: ^bb0, ^bb4
  %c0_4 = arith.constant 0 : index
  %17 = arith.cmpi sgt, %16, %c0_4 : index
  cf.cond_br %17, ^bb2, ^bb5
^bb2:  // pred: ^bb1
  memref.store %15, %alloca[] : memref<i32>
  %18 = memref.load %alloca[] : memref<i32>
  %19 = arith.extsi %18 : i32 to i64
  %20 = arith.index_cast %19 : i64 to index
  %21 = arith.subi %20, %c1 : index
  %22 = memref.load %arg0[%21] : memref<?xf64>
  %23 = memref.load %alloca_1[] : memref<f64>
  %24 = arith.cmpf ogt, %22, %23 fastmath<contract> : f64
  cf.cond_br %24, ^bb3, ^bb4
^bb3:  // pred: ^bb2
  %25 = memref.load %alloca[] : memref<i32>
  %26 = arith.extsi %25 : i32 to i64
  %27 = arith.index_cast %26 : i64 to index
  %28 = arith.subi %27, %c1 : index
  %29 = memref.load %arg0[%28] : memref<?xf64>
  memref.store %29, %alloca_1[] : memref<f64>
  cf.br ^bb4
^bb4:  // 2 preds: ^bb2, ^bb3
  %30 = arith.index_cast %c1_0 : index to i32
  %31 = memref.load %alloca[] : memref<i32>
  %32 = arith.addi %31, %30 overflow<nsw> : i32
  %33 = arith.addi %14, %c1_0 overflow<nsw> : index
  %c1_5 = arith.constant 1 : index
  %34 = arith.subi %16, %c1_5 : index
  cf.br ^bb1(%33, %32, %34 : index, i32, index)
^bb5:  // pred: ^bb1
  memref.store %15, %alloca[] : memref<i32>
  memref.store %cst, %alloca_3[] : memref<f64>
  %35 = arith.index_cast %c1_i32 : i32 to index
  %36 = memref.load %arg1[] : memref<i32>
  %37 = arith.index_cast %36 : i32 to index
  %38 = arith.index_cast %35 : index to i32
  %39 = arith.subi %37, %35 : index
  %40 = arith.addi %39, %c1_0 : index
  %41 = arith.divsi %40, %c1_0 : index
  cf.br ^bb6(%35, %38, %41 : index, i32, index)
^bb6(%42: index, %43: i32, %44: index):  // 2 preds: ^bb5, ^bb7
  %c0_6 = arith.constant 0 : index
  %45 = arith.cmpi sgt, %44, %c0_6 : index
  cf.cond_br %45, ^bb7, ^bb8
^bb7:  // pred: ^bb6
  memref.store %43, %alloca[] : memref<i32>
  %46 = memref.load %alloca_3[] : memref<f64>
  %47 = memref.load %alloca[] : memref<i32>
  %48 = arith.extsi %47 : i32 to i64
  %49 = arith.index_cast %48 : i64 to index
  %50 = arith.subi %49, %c1 : index
  %51 = memref.load %arg0[%50] : memref<?xf64>
  %52 = memref.load %alloca_1[] : memref<f64>
  %53 = arith.subf %51, %52 fastmath<contract> : f64
  %54 = math.exp %53 fastmath<contract> : f64
  %55 = arith.addf %46, %54 fastmath<contract> : f64
  memref.store %55, %alloca_3[] : memref<f64>
  %56 = arith.index_cast %c1_0 : index to i32
  %57 = memref.load %alloca[] : memref<i32>
  %58 = arith.addi %57, %56 overflow<nsw> : i32
  %59 = arith.addi %42, %c1_0 overflow<nsw> : index
  %c1_7 = arith.constant 1 : index
  %60 = arith.subi %44, %c1_7 : index
  cf.br ^bb6(%59, %58, %60 : index, i32, index)
^bb8:  // pred: ^bb6
  memref.store %43, %alloca[] : memref<i32>
  %61 = memref.load %alloca_1[] : memref<f64>
  %62 = memref.load %alloca_3[] : memref<f64>
  %63 = math.log %62 fastmath<contract> : f64
  %64 = arith.addf %61, %63 fastmath<contract> : f64
  memref.store %64, %alloca_2[] : memref<f64>
  %65 = memref.load %alloca_2[] : memref<f64>
  return %65 : f64
}
