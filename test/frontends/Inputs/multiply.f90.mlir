// What flang 22.1.8 makes of multiply.f90 without optimisation, written by fir_to_memref.py.
func.func @_QPmultiply(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: memref<?xf64>, %arg3: memref<i32>) {
  %c1 = arith.constant 1 : index
  %cst = arith.constant 0.000000e+00 : f64
  %c1_0 = arith.constant 1 : index
  %c1_i32 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %alloca = memref.alloca() : memref<i32>
  %alloca_1 = memref.alloca() : memref<i32>
  %alloca_2 = memref.alloca() : memref<i32>
  %0 = memref.load %arg3[] : memref<i32>
  %1 = arith.extsi %0 : i32 to i64
  %2 = arith.index_cast %1 : i64 to index
  %3 = arith.cmpi sgt, %2, %c0 : index
  %4 = arith.select %3, %2, %c0 : index
  %5 = memref.load %arg3[] : memref<i32>
  %6 = arith.extsi %5 : i32 to i64
  %7 = arith.index_cast %6 : i64 to index
  %8 = arith.cmpi sgt, %7, %c0 : index
  %9 = arith.select %8, %7, %c0 : index
  %10 = memref.load %arg3[] : memref<i32>
  %11 = arith.extsi %10 : i32 to i64
  %12 = arith.index_cast %11 : i64 to index
  %13 = arith.cmpi sgt, %12, %c0 : index
  %14 = arith.select %13, %12, %c0 : index
  %15 = memref.load %arg3[] : memref<i32>
  %16 = arith.extsi %15 : i32 to i64
  %17 = arith.index_cast %16 : i64 to index
  %18 = arith.cmpi sgt, %17, %c0 : index
  %19 = arith.select %18, %17, %c0 : index
  %20 = memref.load %arg3[] : memref<i32>
  %21 = arith.extsi %20 : i32 to i64
  %22 = arith.index_cast %21 : i64 to index
  %23 = arith.cmpi sgt, %22, %c0 : index
  %24 = arith.select %23, %22, %c0 : index
  %25 = memref.load %arg3[] : memref<i32>
  %26 = arith.extsi %25 : i32 to i64
  %27 = arith.index_cast %26 : i64 to index
  %28 = arith.cmpi sgt, %27, %c0 : index
  %29 = arith.select %28, %27, %c0 : index
  %30 = arith.index_cast %c1_i32 : i32 to index
  %31 = memref.load %arg3[] : memref<i32>
  %32 = arith.index_cast %31 : i32 to index
  %33 = arith.index_cast %30 : index to i32
  %34 = arith.subi %32, %30 : index
  %35 = arith.addi %34, %c1_0 : index
  %36 = arith.divsi %35, %c1_0 : index
  cf.br ^bb1(%30, %33, %36 : index, i32, index)
^bb1(%37: index, %38: i32, %39: index):  // 2 preds: ^bb0, ^bb11
  %c0_3 = arith.constant 0 : index
  %40 = arith.cmpi sgt, %39, %c0_3 : index
  cf.cond_br %40, ^bb2, ^bb12
^bb2:  // pred: ^bb1
  memref.store %38, %alloca_1[] : memref<i32>
  %41 = arith.index_cast %c1_i32 : i32 to index
  %42 = memref.load %arg3[] : memref<i32>
  %43 = arith.index_cast %42 : i32 to index
  %44 = arith.index_cast %41 : index to i32
  %45 = arith.subi %43, %41 : index
  %46 = arith.addi %45, %c1_0 : index
  %47 = arith.divsi %46, %c1_0 : index
  cf.br ^bb3(%41, %44, %47 : index, i32, index)
^bb3(%48: index, %49: i32, %50: index):  // 2 preds: ^bb2, ^bb4
  %c0_4 = arith.constant 0 : index
  %51 = arith.cmpi sgt, %50, %c0_4 : index
  cf.cond_br %51, ^bb4, ^bb5
^bb4:  // pred: ^bb3
  memref.store %49, %alloca[] : memref<i32>
  %52 = memref.load %alloca[] : memref<i32>
  %53 = arith.extsi %52 : i32 to i64
  %54 = memref.load %alloca_1[] : memref<i32>
  %55 = arith.extsi %54 : i32 to i64
  %56 = arith.index_cast %53 : i64 to index
  %57 = arith.subi %56, %c1 : index
  %58 = arith.index_cast %55 : i64 to index
  %59 = arith.subi %58, %c1 : index
  %60 = arith.muli %59, %24 : index
  %61 = arith.addi %57, %60 : index
  memref.store %cst, %arg2[%61] : memref<?xf64>
  %62 = arith.index_cast %c1_0 : index to i32
  %63 = memref.load %alloca[] : memref<i32>
  %64 = arith.addi %63, %62 overflow<nsw> : i32
  %65 = arith.addi %48, %c1_0 overflow<nsw> : index
  %c1_5 = arith.constant 1 : index
  %66 = arith.subi %50, %c1_5 : index
  cf.br ^bb3(%65, %64, %66 : index, i32, index)
^bb5:  // pred: ^bb3
  memref.store %49, %alloca[] : memref<i32>
  %67 = arith.index_cast %c1_i32 : i32 to index
  %68 = memref.load %arg3[] : memref<i32>
  %69 = arith.index_cast %68 : i32 to index
  %70 = arith.index_cast %67 : index to i32
  %71 = arith.subi %69, %67 : index
  %72 = arith.addi %71, %c1_0 : index
  %73 = arith.divsi %72, %c1_0 : index
  cf.br ^bb6(%67, %70, %73 : index, i32, index)
^bb6(%74: index, %75: i32, %76: index):  // 2 preds: ^bb5, ^bb10
  %c0_6 = arith.constant 0 : index
  %77 = arith.cmpi sgt, %76, %c0_6 : index
  cf.cond_br %77, ^bb7, ^bb11
^bb7:  // pred: ^bb6
  memref.store %75, %alloca_2[] : memref<i32>
  %78 = arith.index_cast %c1_i32 : i32 to index
  %79 = memref.load %arg3[] : memref<i32>
  %80 = arith.index_cast %79 : i32 to index
  %81 = arith.index_cast %78 : index to i32
  %82 = arith.subi %80, %78 : index
  %83 = arith.addi %82, %c1_0 : index
  %84 = arith.divsi %83, %c1_0 : index
  cf.br ^bb8(%78, %81, %84 : index, i32, index)
^bb8(%85: index, %86: i32, %87: index):  // 2 preds: ^bb7, ^bb9
  %c0_7 = arith.constant 0 : index
  %88 = arith.cmpi sgt, %87, %c0_7 : index
  cf.cond_br %88, ^bb9, ^bb10
^bb9:  // pred: ^bb8
  memref.store %86, %alloca[] : memref<i32>
  %89 = memref.load %alloca[] : memref<i32>
  %90 = arith.extsi %89 : i32 to i64
  %91 = memref.load %alloca_1[] : memref<i32>
  %92 = arith.extsi %91 : i32 to i64
  %93 = arith.index_cast %90 : i64 to index
  %94 = arith.subi %93, %c1 : index
  %95 = arith.index_cast %92 : i64 to index
  %96 = arith.subi %95, %c1 : index
  %97 = arith.muli %96, %24 : index
  %98 = arith.addi %94, %97 : index
  %99 = memref.load %arg2[%98] : memref<?xf64>
  %100 = memref.load %alloca[] : memref<i32>
  %101 = arith.extsi %100 : i32 to i64
  %102 = memref.load %alloca_2[] : memref<i32>
  %103 = arith.extsi %102 : i32 to i64
  %104 = arith.index_cast %101 : i64 to index
  %105 = arith.subi %104, %c1 : index
  %106 = arith.index_cast %103 : i64 to index
  %107 = arith.subi %106, %c1 : index
  %108 = arith.muli %107, %4 : index
  %109 = arith.addi %105, %108 : index
  %110 = memref.load %arg0[%109] : memref<?xf64>
  %111 = memref.load %alloca_2[] : memref<i32>
  %112 = arith.extsi %111 : i32 to i64
  %113 = memref.load %alloca_1[] : memref<i32>
  %114 = arith.extsi %113 : i32 to i64
  %115 = arith.index_cast %112 : i64 to index
  %116 = arith.subi %115, %c1 : index
  %117 = arith.index_cast %114 : i64 to index
  %118 = arith.subi %117, %c1 : index
  %119 = arith.muli %118, %14 : index
  %120 = arith.addi %116, %119 : index
  %121 = memref.load %arg1[%120] : memref<?xf64>
  %122 = arith.mulf %110, %121 fastmath<contract> : f64
  %123 = arith.addf %99, %122 fastmath<contract> : f64
  %124 = memref.load %alloca[] : memref<i32>
  %125 = arith.extsi %124 : i32 to i64
  %126 = memref.load %alloca_1[] : memref<i32>
  %127 = arith.extsi %126 : i32 to i64
  %128 = arith.index_cast %125 : i64 to index
  %129 = arith.subi %128, %c1 : index
  %130 = arith.index_cast %127 : i64 to index
  %131 = arith.subi %130, %c1 : index
  %132 = arith.muli %131, %24 : index
  %133 = arith.addi %129, %132 : index
  memref.store %123, %arg2[%133] : memref<?xf64>
  %134 = arith.index_cast %c1_0 : index to i32
  %135 = memref.load %alloca[] : memref<i32>
  %136 = arith.addi %135, %134 overflow<nsw> : i32
  %137 = arith.addi %85, %c1_0 overflow<nsw> : index
  %c1_8 = arith.constant 1 : index
  %138 = arith.subi %87, %c1_8 : index
  cf.br ^bb8(%137, %136, %138 : index, i32, index)
^bb10:  // pred: ^bb8
  memref.store %86, %alloca[] : memref<i32>
  %139 = arith.index_cast %c1_0 : index to i32
  %140 = memref.load %alloca_2[] : memref<i32>
  %141 = arith.addi %140, %139 overflow<nsw> : i32
  %142 = arith.addi %74, %c1_0 overflow<nsw> : index
  %c1_9 = arith.constant 1 : index
  %143 = arith.subi %76, %c1_9 : index
  cf.br ^bb6(%142, %141, %143 : index, i32, index)
^bb11:  // pred: ^bb6
  memref.store %75, %alloca_2[] : memref<i32>
  %144 = arith.index_cast %c1_0 : index to i32
  %145 = memref.load %alloca_1[] : memref<i32>
  %146 = arith.addi %145, %144 overflow<nsw> : i32
  %147 = arith.addi %37, %c1_0 overflow<nsw> : index
  %c1_10 = arith.constant 1 : index
  %148 = arith.subi %39, %c1_10 : index
  cf.br ^bb1(%147, %146, %148 : index, i32, index)
^bb12:  // pred: ^bb1
  memref.store %38, %alloca_1[] : memref<i32>
  return
}
