// What flang 22.1.8 makes of sort.f90 without optimisation, written by fir_to_memref.py.
func.func @_QPsort(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: memref<i32>) -> f64 {
  %c1 = arith.constant 1 : index
  %c1_0 = arith.constant 1 : index
  %cst = arith.constant 0.000000e+00 : f64
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %alloca = memref.alloca() : memref<i32>
  %alloca_1 = memref.alloca() : memref<i32>
  %alloca_2 = memref.alloca() : memref<f64>
  %alloca_3 = memref.alloca() : memref<f64>
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
  cf.br ^bb1
^bb1:  // 2 preds: ^bb0, ^bb4
  %10 = memref.load %arg2[] : memref<i32>
  %11 = arith.subi %10, %c2_i32 : i32
  %12 = arith.addi %11, %c1_i32 : i32
  memref.store %12, %alloca[] : memref<i32>
  memref.store %c2_i32, %alloca_1[] : memref<i32>
  cf.br ^bb2
^bb2:  // 2 preds: ^bb1, ^bb5
  %13 = memref.load %alloca[] : memref<i32>
  %14 = arith.cmpi sgt, %13, %c0_i32 : i32
  cf.cond_br %14, ^bb3, ^bb6
^bb3:  // pred: ^bb2
  %15 = memref.load %alloca_1[] : memref<i32>
  %16 = arith.subi %15, %c1_i32 overflow<nsw> : i32
  %17 = arith.extsi %16 : i32 to i64
  %18 = arith.index_cast %17 : i64 to index
  %19 = arith.subi %18, %c1 : index
  %20 = memref.load %arg0[%19] : memref<?xf64>
  %21 = memref.load %alloca_1[] : memref<i32>
  %22 = arith.extsi %21 : i32 to i64
  %23 = arith.index_cast %22 : i64 to index
  %24 = arith.subi %23, %c1 : index
  %25 = memref.load %arg0[%24] : memref<?xf64>
  %26 = arith.cmpf ogt, %20, %25 fastmath<contract> : f64
  cf.cond_br %26, ^bb4, ^bb5
^bb4:  // pred: ^bb3
  %27 = memref.load %alloca_1[] : memref<i32>
  %28 = arith.extsi %27 : i32 to i64
  %29 = arith.index_cast %28 : i64 to index
  %30 = arith.subi %29, %c1 : index
  %31 = memref.load %arg0[%30] : memref<?xf64>
  memref.store %31, %alloca_2[] : memref<f64>
  %32 = memref.load %alloca_1[] : memref<i32>
  %33 = arith.subi %32, %c1_i32 overflow<nsw> : i32
  %34 = arith.extsi %33 : i32 to i64
  %35 = arith.index_cast %34 : i64 to index
  %36 = arith.subi %35, %c1 : index
  %37 = memref.load %arg0[%36] : memref<?xf64>
  %38 = memref.load %alloca_1[] : memref<i32>
  %39 = arith.extsi %38 : i32 to i64
  %40 = arith.index_cast %39 : i64 to index
  %41 = arith.subi %40, %c1 : index
  memref.store %37, %arg0[%41] : memref<?xf64>
  %42 = memref.load %alloca_2[] : memref<f64>
  %43 = memref.load %alloca_1[] : memref<i32>
  %44 = arith.subi %43, %c1_i32 overflow<nsw> : i32
  %45 = arith.extsi %44 : i32 to i64
  %46 = arith.index_cast %45 : i64 to index
  %47 = arith.subi %46, %c1 : index
  memref.store %42, %arg0[%47] : memref<?xf64>
  cf.br ^bb1
^bb5:  // pred: ^bb3
  %48 = memref.load %alloca[] : memref<i32>
  %49 = arith.subi %48, %c1_i32 : i32
  memref.store %49, %alloca[] : memref<i32>
  %50 = memref.load %alloca_1[] : memref<i32>
  %51 = arith.addi %50, %c1_i32 overflow<nsw> : i32
  memref.store %51, %alloca_1[] : memref<i32>
  cf.br ^bb2
^bb6:  // pred: ^bb2
  memref.store %cst, %alloca_3[] : memref<f64>
  %52 = arith.index_cast %c1_i32 : i32 to index
  %53 = memref.load %arg2[] : memref<i32>
  %54 = arith.index_cast %53 : i32 to index
  %55 = arith.index_cast %52 : index to i32
  %56 = arith.subi %54, %52 : index
  %57 = arith.addi %56, %c1_0 : index
  %58 = arith.divsi %57, %c1_0 : index
  cf.br ^bb7(%52, %55, %58 : index, i32, index)
^bb7(%59: index, %60: i32, %61: index):  // 2 preds: ^bb6, ^bb8
  %c0_4 = arith.constant 0 : index
  %62 = arith.cmpi sgt, %61, %c0_4 : index
  cf.cond_br %62, ^bb8, ^bb9
^bb8:  // pred: ^bb7
  memref.store %60, %alloca_1[] : memref<i32>
  %63 = memref.load %alloca_3[] : memref<f64>
  %64 = memref.load %alloca_1[] : memref<i32>
  %65 = arith.extsi %64 : i32 to i64
  %66 = arith.index_cast %65 : i64 to index
  %67 = arith.subi %66, %c1 : index
  %68 = memref.load %arg1[%67] : memref<?xf64>
  %69 = memref.load %alloca_1[] : memref<i32>
  %70 = arith.extsi %69 : i32 to i64
  %71 = arith.index_cast %70 : i64 to index
  %72 = arith.subi %71, %c1 : index
  %73 = memref.load %arg0[%72] : memref<?xf64>
  %74 = arith.mulf %68, %73 fastmath<contract> : f64
  %75 = memref.load %alloca_1[] : memref<i32>
  %76 = arith.extsi %75 : i32 to i64
  %77 = arith.index_cast %76 : i64 to index
  %78 = arith.subi %77, %c1 : index
  %79 = memref.load %arg0[%78] : memref<?xf64>
  %80 = arith.mulf %74, %79 fastmath<contract> : f64
  %81 = arith.addf %63, %80 fastmath<contract> : f64
  memref.store %81, %alloca_3[] : memref<f64>
  %82 = arith.index_cast %c1_0 : index to i32
  %83 = memref.load %alloca_1[] : memref<i32>
  %84 = arith.addi %83, %82 overflow<nsw> : i32
  %85 = arith.addi %59, %c1_0 overflow<nsw> : index
  %c1_5 = arith.constant 1 : index
  %86 = arith.subi %61, %c1_5 : index
  cf.br ^bb7(%85, %84, %86 : index, i32, index)
^bb9:  // pred: ^bb7
  memref.store %60, %alloca_1[] : memref<i32>
  %87 = memref.load %alloca_3[] : memref<f64>
  return %87 : f64
}
