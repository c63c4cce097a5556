// What flang 22.1.8 makes of runge_kutta.f90 without optimisation, written by fir_to_memref.py.
func.func @_QPslope(%arg0: memref<2xf64>, %arg1: memref<2xf64>) {
  %c1 = arith.constant 1 : index
  %cst = arith.constant 1.000000e-01 : f64
  %c1_0 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = arith.subi %c2, %c1 : index
  %1 = memref.load %arg0[%0] : memref<2xf64>
  %2 = arith.subi %c1_0, %c1 : index
  memref.store %1, %arg1[%2] : memref<2xf64>
  %3 = arith.subi %c1_0, %c1 : index
  %4 = memref.load %arg0[%3] : memref<2xf64>
  %5 = math.sin %4 fastmath<contract> : f64
  %6 = arith.negf %5 fastmath<contract> : f64
  %7 = arith.subi %c2, %c1 : index
  %8 = memref.load %arg0[%7] : memref<2xf64>
  %9 = arith.mulf %8, %cst fastmath<contract> : f64
  %10 = arith.subf %6, %9 fastmath<contract> : f64
  %11 = arith.subi %c2, %c1 : index
  memref.store %10, %arg1[%11] : memref<2xf64>
  return
}
func.func @_QPrunge_kutta(%arg0: memref<2xf64>, %arg1: memref<f64>, %arg2: memref<i32>) {
  %c1 = arith.constant 1 : index
  %cst = arith.constant 6.000000e+00 : f64
  %cst_0 = arith.constant 2.000000e+00 : f64
  %c2_i32 = arith.constant 2 : i32
  %c1_1 = arith.constant 1 : index
  %c1_i32 = arith.constant 1 : i32
  %c2 = arith.constant 2 : index
  %alloca = memref.alloca() : memref<2xf64>
  %alloca_2 = memref.alloca() : memref<i32>
  %alloca_3 = memref.alloca() : memref<2xf64>
  %alloca_4 = memref.alloca() : memref<2xf64>
  %alloca_5 = memref.alloca() : memref<2xf64>
  %alloca_6 = memref.alloca() : memref<2xf64>
  %alloca_7 = memref.alloca() : memref<i32>
  %0 = arith.index_cast %c1_i32 : i32 to index
  %1 = memref.load %arg2[] : memref<i32>
  %2 = arith.index_cast %1 : i32 to index
  %3 = arith.index_cast %0 : index to i32
  %4 = arith.subi %2, %0 : index
  %5 = arith.addi %4, %c1_1 : index
  %6 = arith.divsi %5, %c1_1 : index
  cf.br ^bb1(%0, %3, %6 : index, i32, index)
^bb1(%7: index, %8: i32, %9: index):  // 2 preds: ^bb0, ^bb14
  %c0 = arith.constant 0 : index
  %10 = arith.cmpi sgt, %9, %c0 : index
  cf.cond_br %10, ^bb2, ^bb15
^bb2:  // pred: ^bb1
  memref.store %8, %alloca_7[] : memref<i32>
  call @_QPslope(%arg0, %alloca_3) : (memref<2xf64>, memref<2xf64>) -> ()
  %11 = arith.index_cast %c1_i32 : i32 to index
  %12 = arith.index_cast %c2_i32 : i32 to index
  %13 = arith.index_cast %11 : index to i32
  %14 = arith.subi %12, %11 : index
  %15 = arith.addi %14, %c1_1 : index
  %16 = arith.divsi %15, %c1_1 : index
  cf.br ^bb3(%11, %13, %16 : index, i32, index)
^bb3(%17: index, %18: i32, %19: index):  // 2 preds: ^bb2, ^bb4
  %c0_8 = arith.constant 0 : index
  %20 = arith.cmpi sgt, %19, %c0_8 : index
  cf.cond_br %20, ^bb4, ^bb5
^bb4:  // pred: ^bb3
  memref.store %18, %alloca_2[] : memref<i32>
  %21 = memref.load %alloca_2[] : memref<i32>
  %22 = arith.extsi %21 : i32 to i64
  %23 = arith.index_cast %22 : i64 to index
  %24 = arith.subi %23, %c1 : index
  %25 = memref.load %arg0[%24] : memref<2xf64>
  %26 = memref.load %arg1[] : memref<f64>
  %27 = arith.divf %26, %cst_0 fastmath<contract> : f64
  %28 = memref.load %alloca_2[] : memref<i32>
  %29 = arith.extsi %28 : i32 to i64
  %30 = arith.index_cast %29 : i64 to index
  %31 = arith.subi %30, %c1 : index
  %32 = memref.load %alloca_3[%31] : memref<2xf64>
  %33 = arith.mulf %27, %32 fastmath<contract> : f64
  %34 = arith.addf %25, %33 fastmath<contract> : f64
  %35 = memref.load %alloca_2[] : memref<i32>
  %36 = arith.extsi %35 : i32 to i64
  %37 = arith.index_cast %36 : i64 to index
  %38 = arith.subi %37, %c1 : index
  memref.store %34, %alloca[%38] : memref<2xf64>
  %39 = arith.index_cast %c1_1 : index to i32
  %40 = memref.load %alloca_2[] : memref<i32>
  %41 = arith.addi %40, %39 overflow<nsw> : i32
  %42 = arith.addi %17, %c1_1 overflow<nsw> : index
  %c1_9 = arith.constant 1 : index
  %43 = arith.subi %19, %c1_9 : index
  cf.br ^bb3(%42, %41, %43 : index, i32, index)
^bb5:  // pred: ^bb3
  memref.store %18, %alloca_2[] : memref<i32>
  call @_QPslope(%alloca, %alloca_4) : (memref<2xf64>, memref<2xf64>) -> ()
  %44 = arith.index_cast %c1_i32 : i32 to index
  %45 = arith.index_cast %c2_i32 : i32 to index
  %46 = arith.index_cast %44 : index to i32
  %47 = arith.subi %45, %44 : index
  %48 = arith.addi %47, %c1_1 : index
  %49 = arith.divsi %48, %c1_1 : index
  cf.br ^bb6(%44, %46, %49 : index, i32, index)
^bb6(%50: index, %51: i32, %52: index):  // 2 preds: ^bb5, ^bb7
  %c0_10 = arith.constant 0 : index
  %53 = arith.cmpi sgt, %52, %c0_10 : index
  cf.cond_br %53, ^bb7, ^bb8
^bb7:  // pred: ^bb6
  memref.store %51, %alloca_2[] : memref<i32>
  %54 = memref.load %alloca_2[] : memref<i32>
  %55 = arith.extsi %54 : i32 to i64
  %56 = arith.index_cast %55 : i64 to index
  %57 = arith.subi %56, %c1 : index
  %58 = memref.load %arg0[%57] : memref<2xf64>
  %59 = memref.load %arg1[] : memref<f64>
  %60 = arith.divf %59, %cst_0 fastmath<contract> : f64
  %61 = memref.load %alloca_2[] : memref<i32>
  %62 = arith.extsi %61 : i32 to i64
  %63 = arith.index_cast %62 : i64 to index
  %64 = arith.subi %63, %c1 : index
  %65 = memref.load %alloca_4[%64] : memref<2xf64>
  %66 = arith.mulf %60, %65 fastmath<contract> : f64
  %67 = arith.addf %58, %66 fastmath<contract> : f64
  %68 = memref.load %alloca_2[] : memref<i32>
  %69 = arith.extsi %68 : i32 to i64
  %70 = arith.index_cast %69 : i64 to index
  %71 = arith.subi %70, %c1 : index
  memref.store %67, %alloca[%71] : memref<2xf64>
  %72 = arith.index_cast %c1_1 : index to i32
  %73 = memref.load %alloca_2[] : memref<i32>
  %74 = arith.addi %73, %72 overflow<nsw> : i32
  %75 = arith.addi %50, %c1_1 overflow<nsw> : index
  %c1_11 = arith.constant 1 : index
  %76 = arith.subi %52, %c1_11 : index
  cf.br ^bb6(%75, %74, %76 : index, i32, index)
^bb8:  // pred: ^bb6
  memref.store %51, %alloca_2[] : memref<i32>
  call @_QPslope(%alloca, %alloca_5) : (memref<2xf64>, memref<2xf64>) -> ()
  %77 = arith.index_cast %c1_i32 : i32 to index
  %78 = arith.index_cast %c2_i32 : i32 to index
  %79 = arith.index_cast %77 : index to i32
  %80 = arith.subi %78, %77 : index
  %81 = arith.addi %80, %c1_1 : index
  %82 = arith.divsi %81, %c1_1 : index
  cf.br ^bb9(%77, %79, %82 : index, i32, index)
^bb9(%83: index, %84: i32, %85: index):  // 2 preds: ^bb8, ^bb10
  %c0_12 = arith.constant 0 : index
  %86 = arith.cmpi sgt, %85, %c0_12 : index
  cf.cond_br %86, ^bb10, ^bb11
^bb10:  // pred: ^bb9
  memref.store %84, %alloca_2[] : memref<i32>
  %87 = memref.load %alloca_2[] : memref<i32>
  %88 = arith.extsi %87 : i32 to i64
  %89 = arith.index_cast %88 : i64 to index
  %90 = arith.subi %89, %c1 : index
  %91 = memref.load %arg0[%90] : memref<2xf64>
  %92 = memref.load %arg1[] : memref<f64>
  %93 = memref.load %alloca_2[] : memref<i32>
  %94 = arith.extsi %93 : i32 to i64
  %95 = arith.index_cast %94 : i64 to index
  %96 = arith.subi %95, %c1 : index
  %97 = memref.load %alloca_5[%96] : memref<2xf64>
  %98 = arith.mulf %92, %97 fastmath<contract> : f64
  %99 = arith.addf %91, %98 fastmath<contract> : f64
  %100 = memref.load %alloca_2[] : memref<i32>
  %101 = arith.extsi %100 : i32 to i64
  %102 = arith.index_cast %101 : i64 to index
  %103 = arith.subi %102, %c1 : index
  memref.store %99, %alloca[%103] : memref<2xf64>
  %104 = arith.index_cast %c1_1 : index to i32
  %105 = memref.load %alloca_2[] : memref<i32>
  %106 = arith.addi %105, %104 overflow<nsw> : i32
  %107 = arith.addi %83, %c1_1 overflow<nsw> : index
  %c1_13 = arith.constant 1 : index
  %108 = arith.subi %85, %c1_13 : index
  cf.br ^bb9(%107, %106, %108 : index, i32, index)
^bb11:  // pred: ^bb9
  memref.store %84, %alloca_2[] : memref<i32>
  call @_QPslope(%alloca, %alloca_6) : (memref<2xf64>, memref<2xf64>) -> ()
  %109 = arith.index_cast %c1_i32 : i32 to index
  %110 = arith.index_cast %c2_i32 : i32 to index
  %111 = arith.index_cast %109 : index to i32
  %112 = arith.subi %110, %109 : index
  %113 = arith.addi %112, %c1_1 : index
  %114 = arith.divsi %113, %c1_1 : index
  cf.br ^bb12(%109, %111, %114 : index, i32, index)
^bb12(%115: index, %116: i32, %117: index):  // 2 preds: ^bb11, ^bb13
  %c0_14 = arith.constant 0 : index
  %118 = arith.cmpi sgt, %117, %c0_14 : index
  cf.cond_br %118, ^bb13, ^bb14
^bb13:  // pred: ^bb12
  memref.store %116, %alloca_2[] : memref<i32>
  %119 = memref.load %alloca_2[] : memref<i32>
  %120 = arith.extsi %119 : i32 to i64
  %121 = arith.index_cast %120 : i64 to index
  %122 = arith.subi %121, %c1 : index
  %123 = memref.load %arg0[%122] : memref<2xf64>
  %124 = memref.load %arg1[] : memref<f64>
  %125 = arith.divf %124, %cst fastmath<contract> : f64
  %126 = memref.load %alloca_2[] : memref<i32>
  %127 = arith.extsi %126 : i32 to i64
  %128 = arith.index_cast %127 : i64 to index
  %129 = arith.subi %128, %c1 : index
  %130 = memref.load %alloca_3[%129] : memref<2xf64>
  %131 = memref.load %alloca_2[] : memref<i32>
  %132 = arith.extsi %131 : i32 to i64
  %133 = arith.index_cast %132 : i64 to index
  %134 = arith.subi %133, %c1 : index
  %135 = memref.load %alloca_4[%134] : memref<2xf64>
  %136 = arith.mulf %135, %cst_0 fastmath<contract> : f64
  %137 = arith.addf %130, %136 fastmath<contract> : f64
  %138 = memref.load %alloca_2[] : memref<i32>
  %139 = arith.extsi %138 : i32 to i64
  %140 = arith.index_cast %139 : i64 to index
  %141 = arith.subi %140, %c1 : index
  %142 = memref.load %alloca_5[%141] : memref<2xf64>
  %143 = arith.mulf %142, %cst_0 fastmath<contract> : f64
  %144 = arith.addf %137, %143 fastmath<contract> : f64
  %145 = memref.load %alloca_2[] : memref<i32>
  %146 = arith.extsi %145 : i32 to i64
  %147 = arith.index_cast %146 : i64 to index
  %148 = arith.subi %147, %c1 : index
  %149 = memref.load %alloca_6[%148] : memref<2xf64>
  %150 = arith.addf %144, %149 fastmath<contract> : f64
  %151 = arith.mulf %125, %150 fastmath<contract> : f64
  %152 = arith.addf %123, %151 fastmath<contract> : f64
  %153 = memref.load %alloca_2[] : memref<i32>
  %154 = arith.extsi %153 : i32 to i64
  %155 = arith.index_cast %154 : i64 to index
  %156 = arith.subi %155, %c1 : index
  memref.store %152, %arg0[%156] : memref<2xf64>
  %157 = arith.index_cast %c1_1 : index to i32
  %158 = memref.load %alloca_2[] : memref<i32>
  %159 = arith.addi %158, %157 overflow<nsw> : i32
  %160 = arith.addi %115, %c1_1 overflow<nsw> : index
  %c1_15 = arith.constant 1 : index
  %161 = arith.subi %117, %c1_15 : index
  cf.br ^bb12(%160, %159, %161 : index, i32, index)
^bb14:  // pred: ^bb12
  memref.store %116, %alloca_2[] : memref<i32>
  %162 = arith.index_cast %c1_1 : index to i32
  %163 = memref.load %alloca_7[] : memref<i32>
  %164 = arith.addi %163, %162 overflow<nsw> : i32
  %165 = arith.addi %7, %c1_1 overflow<nsw> : index
  %c1_16 = arith.constant 1 : index
  %166 = arith.subi %9, %c1_16 : index
  cf.br ^bb1(%165, %164, %166 : index, i32, index)
^bb15:  // pred: ^bb1
  memref.store %8, %alloca_7[] : memref<i32>
  return
}
