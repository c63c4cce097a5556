// What flang 22.1.8 makes of heat.f90 without optimisation, written by fir_to_memref.py.
func.func @_QPstep(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: memref<i32>, %arg3: memref<f64>) {
  %c1 = arith.constant 1 : index
  %cst = arith.constant 2.000000e+00 : f64
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %alloca = memref.alloca() : memref<i32>
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
  %10 = memref.load %arg2[] : memref<i32>
  memref.store %10, %alloca[] : memref<i32>
  memref.store %c1_i32, %alloca_0[] : memref<i32>
  cf.br ^bb1
^bb1:  // 2 preds: ^bb0, ^bb5
  %11 = memref.load %alloca[] : memref<i32>
  %12 = arith.cmpi sgt, %11, %c0_i32 : i32
  cf.cond_br %12, ^bb2, ^bb6
^bb2:  // pred: ^bb1
  %13 = memref.load %alloca_0[] : memref<i32>
  %14 = arith.cmpi eq, %13, %c1_i32 : i32
  %15 = memref.load %alloca_0[] : memref<i32>
  %16 = memref.load %arg2[] : memref<i32>
  %17 = arith.cmpi eq, %15, %16 : i32
  %18 = arith.ori %14, %17 : i1
  cf.cond_br %18, ^bb3, ^bb4
^bb3:  // pred: ^bb2
  %19 = memref.load %alloca_0[] : memref<i32>
  %20 = arith.extsi %19 : i32 to i64
  %21 = arith.index_cast %20 : i64 to index
  %22 = arith.subi %21, %c1 : index
  %23 = memref.load %arg0[%22] : memref<?xf64>
  %24 = memref.load %alloca_0[] : memref<i32>
  %25 = arith.extsi %24 : i32 to i64
  %26 = arith.index_cast %25 : i64 to index
  %27 = arith.subi %26, %c1 : index
  memref.store %23, %arg1[%27] : memref<?xf64>
  cf.br ^bb5
^bb4:  // pred: ^bb2
  %28 = memref.load %alloca_0[] : memref<i32>
  %29 = arith.extsi %28 : i32 to i64
  %30 = arith.index_cast %29 : i64 to index
  %31 = arith.subi %30, %c1 : index
  %32 = memref.load %arg0[%31] : memref<?xf64>
  %33 = memref.load %arg3[] : memref<f64>
  %34 = memref.load %alloca_0[] : memref<i32>
  %35 = arith.extsi %34 : i32 to i64
  %36 = arith.index_cast %35 : i64 to index
  %37 = arith.subi %36, %c1 : index
  %38 = memref.load %arg0[%37] : memref<?xf64>
  %39 = arith.mulf %33, %38 fastmath<contract> : f64
  %40 = memref.load %alloca_0[] : memref<i32>
  %41 = arith.subi %40, %c1_i32 overflow<nsw> : i32
  %42 = arith.extsi %41 : i32 to i64
  %43 = arith.index_cast %42 : i64 to index
  %44 = arith.subi %43, %c1 : index
  %45 = memref.load %arg0[%44] : memref<?xf64>
  %46 = memref.load %alloca_0[] : memref<i32>
  %47 = arith.extsi %46 : i32 to i64
  %48 = arith.index_cast %47 : i64 to index
  %49 = arith.subi %48, %c1 : index
  %50 = memref.load %arg0[%49] : memref<?xf64>
  %51 = arith.mulf %50, %cst fastmath<contract> : f64
  %52 = arith.subf %45, %51 fastmath<contract> : f64
  %53 = memref.load %alloca_0[] : memref<i32>
  %54 = arith.addi %53, %c1_i32 overflow<nsw> : i32
  %55 = arith.extsi %54 : i32 to i64
  %56 = arith.index_cast %55 : i64 to index
  %57 = arith.subi %56, %c1 : index
  %58 = memref.load %arg0[%57] : memref<?xf64>
  %59 = arith.addf %52, %58 fastmath<contract> : f64
  %60 = arith.mulf %39, %59 fastmath<contract> : f64
  %61 = arith.addf %32, %60 fastmath<contract> : f64
  %62 = memref.load %alloca_0[] : memref<i32>
  %63 = arith.extsi %62 : i32 to i64
  %64 = arith.index_cast %63 : i64 to index
  %65 = arith.subi %64, %c1 : index
  memref.store %61, %arg1[%65] : memref<?xf64>
  cf.br ^bb5
^bb5:  // 2 preds: ^bb3, ^bb4
  %66 = memref.load %alloca[] : memref<i32>
  %67 = arith.subi %66, %c1_i32 : i32
  memref.store %67, %alloca[] : memref<i32>
  %68 = memref.load %alloca_0[] : memref<i32>
  %69 = arith.addi %68, %c1_i32 overflow<nsw> : i32
  memref.store %69, %alloca_0[] : memref<i32>
  cf.br ^bb1
^bb6:  // pred: ^bb1
  return
}
func.func @_QPheat(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: memref<i32>, %arg3: memref<i32>, %arg4: memref<f64>) {
  %c1 = arith.constant 1 : index
  %c1_0 = arith.constant 1 : index
  %c1_i32 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %alloca = memref.alloca() : memref<i32>
  %alloca_1 = memref.alloca() : memref<i32>
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
  %10 = arith.index_cast %c1_i32 : i32 to index
  %11 = memref.load %arg3[] : memref<i32>
  %12 = arith.index_cast %11 : i32 to index
  %13 = arith.index_cast %10 : index to i32
  %14 = arith.subi %12, %10 : index
  %15 = arith.addi %14, %c1_0 : index
  %16 = arith.divsi %15, %c1_0 : index
  cf.br ^bb1(%10, %13, %16 : index, i32, index)
^bb1(%17: index, %18: i32, %19: index):  // 2 preds: ^bb0, ^bb5
  %c0_2 = arith.constant 0 : index
  %20 = arith.cmpi sgt, %19, %c0_2 : index
  cf.cond_br %20, ^bb2, ^bb6
^bb2:  // pred: ^bb1
  memref.store %18, %alloca_1[] : memref<i32>
  call @_QPstep(%arg0, %arg1, %arg2, %arg4) : (memref<?xf64>, memref<?xf64>, memref<i32>, memref<f64>) -> ()
  %21 = arith.index_cast %c1_i32 : i32 to index
  %22 = memref.load %arg2[] : memref<i32>
  %23 = arith.index_cast %22 : i32 to index
  %24 = arith.index_cast %21 : index to i32
  %25 = arith.subi %23, %21 : index
  %26 = arith.addi %25, %c1_0 : index
  %27 = arith.divsi %26, %c1_0 : index
  cf.br ^bb3(%21, %24, %27 : index, i32, index)
^bb3(%28: index, %29: i32, %30: index):  // 2 preds: ^bb2, ^bb4
  %c0_3 = arith.constant 0 : index
  %31 = arith.cmpi sgt, %30, %c0_3 : index
  cf.cond_br %31, ^bb4, ^bb5
^bb4:  // pred: ^bb3
  memref.store %29, %alloca[] : memref<i32>
  %32 = memref.load %alloca[] : memref<i32>
  %33 = arith.extsi %32 : i32 to i64
  %34 = arith.index_cast %33 : i64 to index
  %35 = arith.subi %34, %c1 : index
  %36 = memref.load %arg1[%35] : memref<?xf64>
  %37 = memref.load %alloca[] : memref<i32>
  %38 = arith.extsi %37 : i32 to i64
  %39 = arith.index_cast %38 : i64 to index
  %40 = arith.subi %39, %c1 : index
  memref.store %36, %arg0[%40] : memref<?xf64>
  %41 = arith.index_cast %c1_0 : index to i32
  %42 = memref.load %alloca[] : memref<i32>
  %43 = arith.addi %42, %41 overflow<nsw> : i32
  %44 = arith.addi %28, %c1_0 overflow<nsw> : index
  %c1_4 = arith.constant 1 : index
  %45 = arith.subi %30, %c1_4 : index
  cf.br ^bb3(%44, %43, %45 : index, i32, index)
^bb5:  // pred: ^bb3
  memref.store %29, %alloca[] : memref<i32>
  %46 = arith.index_cast %c1_0 : index to i32
  %47 = memref.load %alloca_1[] : memref<i32>
  %48 = arith.addi %47, %46 overflow<nsw> : i32
  %49 = arith.addi %17, %c1_0 overflow<nsw> : index
  %c1_5 = arith.constant 1 : index
  %50 = arith.subi %19, %c1_5 : index
  cf.br ^bb1(%49, %48, %50 : index, i32, index)
^bb6:  // pred: ^bb1
  memref.store %18, %alloca_1[] : memref<i32>
  return
}
