// What flang 22.1.8 makes of interpolate.f90 without optimisation, written by fir_to_memref.py.
func.func @_QPinterpolate(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: memref<i32>, %arg3: memref<f64>) -> f64 {
  %c1 = arith.constant 1 : index
  %cst = arith.constant 1.000000e+00 : f64
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %c1_0 = arith.constant 1 : index
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
  %10 = arith.subi %c1_0, %c1 : index
  %11 = memref.load %arg1[%10] : memref<?xf64>
  memref.store %11, %alloca_3[] : memref<f64>
  %12 = memref.load %arg3[] : memref<f64>
  %13 = arith.subi %c1_0, %c1 : index
  %14 = memref.load %arg0[%13] : memref<?xf64>
  %15 = arith.cmpf ole, %12, %14 fastmath<contract> : f64
  cf.cond_br %15, ^bb1, ^bb2
^bb1:  // pred: ^bb0
  cf.br ^bb8
^bb2:  // pred: ^bb0
  %16 = memref.load %arg2[] : memref<i32>
  %17 = arith.subi %16, %c1_i32 overflow<nsw> : i32
  memref.store %17, %alloca[] : memref<i32>
  memref.store %c1_i32, %alloca_1[] : memref<i32>
  cf.br ^bb3
^bb3:  // 2 preds: ^bb2, ^bb6
  %18 = memref.load %alloca[] : memref<i32>
  %19 = arith.cmpi sgt, %18, %c0_i32 : i32
  cf.cond_br %19, ^bb4, ^bb7
^bb4:  // pred: ^bb3
  %20 = memref.load %alloca_1[] : memref<i32>
  %21 = arith.addi %20, %c1_i32 overflow<nsw> : i32
  %22 = arith.extsi %21 : i32 to i64
  %23 = arith.index_cast %22 : i64 to index
  %24 = arith.subi %23, %c1 : index
  %25 = memref.load %arg0[%24] : memref<?xf64>
  %26 = memref.load %arg3[] : memref<f64>
  %27 = arith.cmpf oge, %25, %26 fastmath<contract> : f64
  cf.cond_br %27, ^bb5, ^bb6
^bb5:  // pred: ^bb4
  %28 = memref.load %arg3[] : memref<f64>
  %29 = memref.load %alloca_1[] : memref<i32>
  %30 = arith.extsi %29 : i32 to i64
  %31 = arith.index_cast %30 : i64 to index
  %32 = arith.subi %31, %c1 : index
  %33 = memref.load %arg0[%32] : memref<?xf64>
  %34 = arith.subf %28, %33 fastmath<contract> : f64
  %35 = memref.load %alloca_1[] : memref<i32>
  %36 = arith.addi %35, %c1_i32 overflow<nsw> : i32
  %37 = arith.extsi %36 : i32 to i64
  %38 = arith.index_cast %37 : i64 to index
  %39 = arith.subi %38, %c1 : index
  %40 = memref.load %arg0[%39] : memref<?xf64>
  %41 = memref.load %alloca_1[] : memref<i32>
  %42 = arith.extsi %41 : i32 to i64
  %43 = arith.index_cast %42 : i64 to index
  %44 = arith.subi %43, %c1 : index
  %45 = memref.load %arg0[%44] : memref<?xf64>
  %46 = arith.subf %40, %45 fastmath<contract> : f64
  %47 = arith.divf %34, %46 fastmath<contract> : f64
  memref.store %47, %alloca_2[] : memref<f64>
  %48 = memref.load %alloca_2[] : memref<f64>
  %49 = arith.subf %cst, %48 fastmath<contract> : f64
  %50 = memref.load %alloca_1[] : memref<i32>
  %51 = arith.extsi %50 : i32 to i64
  %52 = arith.index_cast %51 : i64 to index
  %53 = arith.subi %52, %c1 : index
  %54 = memref.load %arg1[%53] : memref<?xf64>
  %55 = arith.mulf %49, %54 fastmath<contract> : f64
  %56 = memref.load %alloca_2[] : memref<f64>
  %57 = memref.load %alloca_1[] : memref<i32>
  %58 = arith.addi %57, %c1_i32 overflow<nsw> : i32
  %59 = arith.extsi %58 : i32 to i64
  %60 = arith.index_cast %59 : i64 to index
  %61 = arith.subi %60, %c1 : index
  %62 = memref.load %arg1[%61] : memref<?xf64>
  %63 = arith.mulf %56, %62 fastmath<contract> : f64
  %64 = arith.addf %55, %63 fastmath<contract> : f64
  memref.store %64, %alloca_3[] : memref<f64>
  cf.br ^bb8
^bb6:  // pred: ^bb4
  %65 = memref.load %alloca[] : memref<i32>
  %66 = arith.subi %65, %c1_i32 : i32
  memref.store %66, %alloca[] : memref<i32>
  %67 = memref.load %alloca_1[] : memref<i32>
  %68 = arith.addi %67, %c1_i32 overflow<nsw> : i32
  memref.store %68, %alloca_1[] : memref<i32>
  cf.br ^bb3
^bb7:  // pred: ^bb3
  %69 = memref.load %arg2[] : memref<i32>
  %70 = arith.extsi %69 : i32 to i64
  %71 = arith.index_cast %70 : i64 to index
  %72 = arith.subi %71, %c1 : index
  %73 = memref.load %arg1[%72] : memref<?xf64>
  memref.store %73, %alloca_3[] : memref<f64>
  cf.br ^bb8
^bb8:  // 3 preds: ^bb1, ^bb5, ^bb7
  %74 = memref.load %alloca_3[] : memref<f64>
  return %74 : f64
}
