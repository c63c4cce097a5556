// What flang 22.1.8 makes of logistic.f90 without optimisation, written by fir_to_memref.py.
func.func @_QPlogistic(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: memref<?xi32>, %arg3: memref<i32>, %arg4: memref<i32>) -> f64 {
  %c1 = arith.constant 1 : index
  %cst = arith.constant 1.000000e+00 : f64
  %c0_i32 = arith.constant 0 : i32
  %c1_0 = arith.constant 1 : index
  %cst_1 = arith.constant 0.000000e+00 : f64
  %c1_i32 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %alloca = memref.alloca() : memref<i32>
  %alloca_2 = memref.alloca() : memref<i32>
  %alloca_3 = memref.alloca() : memref<f64>
  %alloca_4 = memref.alloca() : memref<f64>
  %0 = memref.load %arg3[] : memref<i32>
  %1 = arith.extsi %0 : i32 to i64
  %2 = arith.index_cast %1 : i64 to index
  %3 = arith.cmpi sgt, %2, %c0 : index
  %4 = arith.select %3, %2, %c0 : index
  %5 = memref.load %arg4[] : memref<i32>
  %6 = arith.addi %5, %c1_i32 : i32
  %7 = arith.extsi %6 : i32 to i64
  %8 = arith.index_cast %7 : i64 to index
  %9 = arith.cmpi sgt, %8, %c0 : index
  %10 = arith.select %9, %8, %c0 : index
  %11 = memref.load %arg4[] : memref<i32>
  %12 = arith.extsi %11 : i32 to i64
  %13 = arith.index_cast %12 : i64 to index
  %14 = arith.cmpi sgt, %13, %c0 : index
  %15 = arith.select %14, %13, %c0 : index
  %16 = memref.load %arg3[] : memref<i32>
  %17 = arith.extsi %16 : i32 to i64
  %18 = arith.index_cast %17 : i64 to index
  %19 = arith.cmpi sgt, %18, %c0 : index
  %20 = arith.select %19, %18, %c0 : index
  memref.store %cst_1, %alloca_3[] : memref<f64>
  %21 = arith.index_cast %c1_i32 : i32 to index
  %22 = memref.load %arg3[] : memref<i32>
  %23 = arith.index_cast %22 : i32 to index
  %24 = arith.index_cast %21 : index to i32
  %25 = arith.subi %23, %21 : index
  %26 = arith.addi %25, %c1_0 : index
  %27 = arith.divsi %26, %c1_0 : index
  cf.br ^bb1(%21, %24, %27 : index, i32, index)
^bb1(%28: index, %29: i32, %30: index):  // 2 preds: ^bb0, ^bb7
  %c0_5 = arith.constant 0 : index
  %31 = arith.cmpi sgt, %30, %c0_5 : index
  cf.cond_br %31, ^bb2, ^bb8
^bb2:  // pred: ^bb1
  memref.store %29, %alloca[] : memref<i32>
  %32 = memref.load %arg4[] : memref<i32>
  %33 = arith.addi %32, %c1_i32 overflow<nsw> : i32
  %34 = arith.extsi %33 : i32 to i64
  %35 = arith.index_cast %34 : i64 to index
  %36 = arith.subi %35, %c1 : index
  %37 = memref.load %arg0[%36] : memref<?xf64>
  memref.store %37, %alloca_4[] : memref<f64>
  %38 = arith.index_cast %c1_i32 : i32 to index
  %39 = memref.load %arg4[] : memref<i32>
  %40 = arith.index_cast %39 : i32 to index
  %41 = arith.index_cast %38 : index to i32
  %42 = arith.subi %40, %38 : index
  %43 = arith.addi %42, %c1_0 : index
  %44 = arith.divsi %43, %c1_0 : index
  cf.br ^bb3(%38, %41, %44 : index, i32, index)
^bb3(%45: index, %46: i32, %47: index):  // 2 preds: ^bb2, ^bb4
  %c0_6 = arith.constant 0 : index
  %48 = arith.cmpi sgt, %47, %c0_6 : index
  cf.cond_br %48, ^bb4, ^bb5
^bb4:  // pred: ^bb3
  memref.store %46, %alloca_2[] : memref<i32>
  %49 = memref.load %alloca_4[] : memref<f64>
  %50 = memref.load %alloca_2[] : memref<i32>
  %51 = arith.extsi %50 : i32 to i64
  %52 = arith.index_cast %51 : i64 to index
  %53 = arith.subi %52, %c1 : index
  %54 = memref.load %arg0[%53] : memref<?xf64>
  %55 = memref.load %alloca_2[] : memref<i32>
  %56 = arith.extsi %55 : i32 to i64
  %57 = memref.load %alloca[] : memref<i32>
  %58 = arith.extsi %57 : i32 to i64
  %59 = arith.index_cast %56 : i64 to index
  %60 = arith.subi %59, %c1 : index
  %61 = arith.index_cast %58 : i64 to index
  %62 = arith.subi %61, %c1 : index
  %63 = arith.muli %62, %15 : index
  %64 = arith.addi %60, %63 : index
  %65 = memref.load %arg1[%64] : memref<?xf64>
  %66 = arith.mulf %54, %65 fastmath<contract> : f64
  %67 = arith.addf %49, %66 fastmath<contract> : f64
  memref.store %67, %alloca_4[] : memref<f64>
  %68 = arith.index_cast %c1_0 : index to i32
  %69 = memref.load %alloca_2[] : memref<i32>
  %70 = arith.addi %69, %68 overflow<nsw> : i32
  %71 = arith.addi %45, %c1_0 overflow<nsw> : index
  %c1_7 = arith.constant 1 : index
  %72 = arith.subi %47, %c1_7 : index
  cf.br ^bb3(%71, %70, %72 : index, i32, index)
^bb5:  // pred: ^bb3
  memref.store %46, %alloca_2[] : memref<i32>
  %73 = memref.load %alloca[] : memref<i32>
  %74 = arith.extsi %73 : i32 to i64
  %75 = arith.index_cast %74 : i64 to index
  %76 = arith.subi %75, %c1 : index
  %77 = memref.load %arg2[%76] : memref<?xi32>
  %78 = arith.cmpi ne, %77, %c0_i32 : i32
  cf.cond_br %78, ^bb6, ^bb7
^bb6:  // pred: ^bb5
  %79 = memref.load %alloca_4[] : memref<f64>
  %80 = arith.negf %79 fastmath<contract> : f64
  memref.store %80, %alloca_4[] : memref<f64>
  cf.br ^bb7
^bb7:  // 2 preds: ^bb5, ^bb6
  %81 = memref.load %alloca_3[] : memref<f64>
  %82 = memref.load %alloca_4[] : memref<f64>
  %83 = math.exp %82 fastmath<contract> : f64
  %84 = arith.addf %83, %cst fastmath<contract> : f64
  %85 = math.log %84 fastmath<contract> : f64
  %86 = arith.addf %81, %85 fastmath<contract> : f64
  memref.store %86, %alloca_3[] : memref<f64>
  %87 = arith.index_cast %c1_0 : index to i32
  %88 = memref.load %alloca[] : memref<i32>
  %89 = arith.addi %88, %87 overflow<nsw> : i32
  %90 = arith.addi %28, %c1_0 overflow<nsw> : index
  %c1_8 = arith.constant 1 : index
  %91 = arith.subi %30, %c1_8 : index
  cf.br ^bb1(%90, %89, %91 : index, i32, index)
^bb8:  // pred: ^bb1
  memref.store %29, %alloca[] : memref<i32>
  %92 = memref.load %alloca_3[] : memref<f64>
  %93 = memref.load %arg3[] : memref<i32>
  %94 = arith.sitofp %93 : i32 to f64
  %95 = arith.divf %92, %94 fastmath<contract> : f64
  memref.store %95, %alloca_3[] : memref<f64>
  %96 = memref.load %alloca_3[] : memref<f64>
  return %96 : f64
}
