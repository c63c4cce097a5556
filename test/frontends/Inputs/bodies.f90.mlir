// What flang 22.1.8 makes of bodies.f90 without optimisation, written by fir_to_memref.py.
func.func @_QPpull(%arg0: memref<2xf64>, %arg1: memref<2xf64>, %arg2: memref<f64>, %arg3: memref<f64>) {
  %c1 = arith.constant 1 : index
  %c3_i32 = arith.constant 3 : i32
  %cst = arith.constant 1.000000e-02 : f64
  %c1_0 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %alloca = memref.alloca() : memref<f64>
  %alloca_1 = memref.alloca() : memref<f64>
  %alloca_2 = memref.alloca() : memref<f64>
  %0 = arith.subi %c1_0, %c1 : index
  %1 = memref.load %arg1[%0] : memref<2xf64>
  %2 = arith.subi %c1_0, %c1 : index
  %3 = memref.load %arg0[%2] : memref<2xf64>
  %4 = arith.subf %1, %3 fastmath<contract> : f64
  memref.store %4, %alloca[] : memref<f64>
  %5 = arith.subi %c2, %c1 : index
  %6 = memref.load %arg1[%5] : memref<2xf64>
  %7 = arith.subi %c2, %c1 : index
  %8 = memref.load %arg0[%7] : memref<2xf64>
  %9 = arith.subf %6, %8 fastmath<contract> : f64
  memref.store %9, %alloca_1[] : memref<f64>
  %10 = memref.load %alloca[] : memref<f64>
  %11 = memref.load %alloca[] : memref<f64>
  %12 = arith.mulf %10, %11 fastmath<contract> : f64
  %13 = memref.load %alloca_1[] : memref<f64>
  %14 = memref.load %alloca_1[] : memref<f64>
  %15 = arith.mulf %13, %14 fastmath<contract> : f64
  %16 = arith.addf %12, %15 fastmath<contract> : f64
  %17 = arith.addf %16, %cst fastmath<contract> : f64
  %18 = math.sqrt %17 fastmath<contract> : f64
  memref.store %18, %alloca_2[] : memref<f64>
  %19 = memref.load %alloca[] : memref<f64>
  %20 = memref.load %alloca_2[] : memref<f64>
  %21 = math.fpowi %20, %c3_i32 fastmath<contract> : f64, i32
  %22 = arith.divf %19, %21 fastmath<contract> : f64
  memref.store %22, %arg2[] : memref<f64>
  %23 = memref.load %alloca_1[] : memref<f64>
  %24 = memref.load %alloca_2[] : memref<f64>
  %25 = math.fpowi %24, %c3_i32 fastmath<contract> : f64, i32
  %26 = arith.divf %23, %25 fastmath<contract> : f64
  memref.store %26, %arg3[] : memref<f64>
  return
}
func.func @_QPbodies(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: memref<?xf64>, %arg3: memref<i32>, %arg4: memref<f64>) {
  %c1 = arith.constant 1 : index
  %c2_i32 = arith.constant 2 : i32
  %true = arith.constant true
  %c1_0 = arith.constant 1 : index
  %c1_i32 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c2_i64 = arith.constant 2 : i64
  %c2 = arith.constant 2 : index
  %alloca = memref.alloca() : memref<2xf64>
  %alloca_1 = memref.alloca() : memref<i32>
  %alloca_2 = memref.alloca() : memref<i32>
  %alloca_3 = memref.alloca() : memref<i32>
  %alloca_4 = memref.alloca() : memref<2xf64>
  %alloca_5 = memref.alloca() : memref<f64>
  %alloca_6 = memref.alloca() : memref<f64>
  %0 = arith.index_cast %c2_i64 : i64 to index
  %1 = arith.cmpi sgt, %0, %c0 : index
  %2 = arith.select %1, %0, %c0 : index
  %3 = memref.load %arg3[] : memref<i32>
  %4 = arith.extsi %3 : i32 to i64
  %5 = arith.index_cast %4 : i64 to index
  %6 = arith.cmpi sgt, %5, %c0 : index
  %7 = arith.select %6, %5, %c0 : index
  %8 = memref.load %arg3[] : memref<i32>
  %9 = arith.extsi %8 : i32 to i64
  %10 = arith.index_cast %9 : i64 to index
  %11 = arith.cmpi sgt, %10, %c0 : index
  %12 = arith.select %11, %10, %c0 : index
  %13 = arith.index_cast %c2_i64 : i64 to index
  %14 = arith.cmpi sgt, %13, %c0 : index
  %15 = arith.select %14, %13, %c0 : index
  %16 = memref.load %arg3[] : memref<i32>
  %17 = arith.extsi %16 : i32 to i64
  %18 = arith.index_cast %17 : i64 to index
  %19 = arith.cmpi sgt, %18, %c0 : index
  %20 = arith.select %19, %18, %c0 : index
  %21 = arith.index_cast %c1_i32 : i32 to index
  %22 = memref.load %arg3[] : memref<i32>
  %23 = arith.index_cast %22 : i32 to index
  %24 = arith.index_cast %21 : index to i32
  %25 = arith.subi %23, %21 : index
  %26 = arith.addi %25, %c1_0 : index
  %27 = arith.divsi %26, %c1_0 : index
  cf.br ^bb1(%21, %24, %27 : index, i32, index)
^bb1(%28: index, %29: i32, %30: index):  // 2 preds: ^bb0, ^bb10
  %c0_7 = arith.constant 0 : index
  %31 = arith.cmpi sgt, %30, %c0_7 : index
  cf.cond_br %31, ^bb2, ^bb11
^bb2:  // pred: ^bb1
  memref.store %29, %alloca_1[] : memref<i32>
  %32 = arith.index_cast %c1_i32 : i32 to index
  %33 = memref.load %arg3[] : memref<i32>
  %34 = arith.index_cast %33 : i32 to index
  %35 = arith.index_cast %32 : index to i32
  %36 = arith.subi %34, %32 : index
  %37 = arith.addi %36, %c1_0 : index
  %38 = arith.divsi %37, %c1_0 : index
  cf.br ^bb3(%32, %35, %38 : index, i32, index)
^bb3(%39: index, %40: i32, %41: index):  // 2 preds: ^bb2, ^bb9
  %c0_8 = arith.constant 0 : index
  %42 = arith.cmpi sgt, %41, %c0_8 : index
  cf.cond_br %42, ^bb4, ^bb10
^bb4:  // pred: ^bb3
  memref.store %40, %alloca_2[] : memref<i32>
  %43 = memref.load %alloca_1[] : memref<i32>
  %44 = memref.load %alloca_2[] : memref<i32>
  %45 = arith.cmpi eq, %43, %44 : i32
  %46 = arith.xori %45, %true : i1
  cf.cond_br %46, ^bb5, ^bb9
^bb5:  // pred: ^bb4
  %47 = arith.index_cast %c1_i32 : i32 to index
  %48 = arith.index_cast %c2_i32 : i32 to index
  %49 = arith.index_cast %47 : index to i32
  %50 = arith.subi %48, %47 : index
  %51 = arith.addi %50, %c1_0 : index
  %52 = arith.divsi %51, %c1_0 : index
  cf.br ^bb6(%47, %49, %52 : index, i32, index)
^bb6(%53: index, %54: i32, %55: index):  // 2 preds: ^bb5, ^bb7
  %c0_9 = arith.constant 0 : index
  %56 = arith.cmpi sgt, %55, %c0_9 : index
  cf.cond_br %56, ^bb7, ^bb8
^bb7:  // pred: ^bb6
  memref.store %54, %alloca_3[] : memref<i32>
  %57 = memref.load %alloca_3[] : memref<i32>
  %58 = arith.extsi %57 : i32 to i64
  %59 = memref.load %alloca_1[] : memref<i32>
  %60 = arith.extsi %59 : i32 to i64
  %61 = arith.index_cast %58 : i64 to index
  %62 = arith.subi %61, %c1 : index
  %63 = arith.index_cast %60 : i64 to index
  %64 = arith.subi %63, %c1 : index
  %65 = arith.muli %64, %2 : index
  %66 = arith.addi %62, %65 : index
  %67 = memref.load %arg0[%66] : memref<?xf64>
  %68 = memref.load %alloca_3[] : memref<i32>
  %69 = arith.extsi %68 : i32 to i64
  %70 = arith.index_cast %69 : i64 to index
  %71 = arith.subi %70, %c1 : index
  memref.store %67, %alloca[%71] : memref<2xf64>
  %72 = memref.load %alloca_3[] : memref<i32>
  %73 = arith.extsi %72 : i32 to i64
  %74 = memref.load %alloca_2[] : memref<i32>
  %75 = arith.extsi %74 : i32 to i64
  %76 = arith.index_cast %73 : i64 to index
  %77 = arith.subi %76, %c1 : index
  %78 = arith.index_cast %75 : i64 to index
  %79 = arith.subi %78, %c1 : index
  %80 = arith.muli %79, %2 : index
  %81 = arith.addi %77, %80 : index
  %82 = memref.load %arg0[%81] : memref<?xf64>
  %83 = memref.load %alloca_3[] : memref<i32>
  %84 = arith.extsi %83 : i32 to i64
  %85 = arith.index_cast %84 : i64 to index
  %86 = arith.subi %85, %c1 : index
  memref.store %82, %alloca_4[%86] : memref<2xf64>
  %87 = arith.index_cast %c1_0 : index to i32
  %88 = memref.load %alloca_3[] : memref<i32>
  %89 = arith.addi %88, %87 overflow<nsw> : i32
  %90 = arith.addi %53, %c1_0 overflow<nsw> : index
  %c1_10 = arith.constant 1 : index
  %91 = arith.subi %55, %c1_10 : index
  cf.br ^bb6(%90, %89, %91 : index, i32, index)
^bb8:  // pred: ^bb6
  memref.store %54, %alloca_3[] : memref<i32>
  call @_QPpull(%alloca, %alloca_4, %alloca_5, %alloca_6) : (memref<2xf64>, memref<2xf64>, memref<f64>, memref<f64>) -> ()
  %92 = memref.load %alloca_1[] : memref<i32>
  %93 = arith.extsi %92 : i32 to i64
  %94 = arith.subi %c1_0, %c1 : index
  %95 = arith.index_cast %93 : i64 to index
  %96 = arith.subi %95, %c1 : index
  %97 = arith.muli %96, %15 : index
  %98 = arith.addi %94, %97 : index
  %99 = memref.load %arg1[%98] : memref<?xf64>
  %100 = memref.load %arg4[] : memref<f64>
  %101 = memref.load %alloca_2[] : memref<i32>
  %102 = arith.extsi %101 : i32 to i64
  %103 = arith.index_cast %102 : i64 to index
  %104 = arith.subi %103, %c1 : index
  %105 = memref.load %arg2[%104] : memref<?xf64>
  %106 = arith.mulf %100, %105 fastmath<contract> : f64
  %107 = memref.load %alloca_5[] : memref<f64>
  %108 = arith.mulf %106, %107 fastmath<contract> : f64
  %109 = arith.addf %99, %108 fastmath<contract> : f64
  %110 = memref.load %alloca_1[] : memref<i32>
  %111 = arith.extsi %110 : i32 to i64
  %112 = arith.subi %c1_0, %c1 : index
  %113 = arith.index_cast %111 : i64 to index
  %114 = arith.subi %113, %c1 : index
  %115 = arith.muli %114, %15 : index
  %116 = arith.addi %112, %115 : index
  memref.store %109, %arg1[%116] : memref<?xf64>
  %117 = memref.load %alloca_1[] : memref<i32>
  %118 = arith.extsi %117 : i32 to i64
  %119 = arith.subi %c2, %c1 : index
  %120 = arith.index_cast %118 : i64 to index
  %121 = arith.subi %120, %c1 : index
  %122 = arith.muli %121, %15 : index
  %123 = arith.addi %119, %122 : index
  %124 = memref.load %arg1[%123] : memref<?xf64>
  %125 = memref.load %arg4[] : memref<f64>
  %126 = memref.load %alloca_2[] : memref<i32>
  %127 = arith.extsi %126 : i32 to i64
  %128 = arith.index_cast %127 : i64 to index
  %129 = arith.subi %128, %c1 : index
  %130 = memref.load %arg2[%129] : memref<?xf64>
  %131 = arith.mulf %125, %130 fastmath<contract> : f64
  %132 = memref.load %alloca_6[] : memref<f64>
  %133 = arith.mulf %131, %132 fastmath<contract> : f64
  %134 = arith.addf %124, %133 fastmath<contract> : f64
  %135 = memref.load %alloca_1[] : memref<i32>
  %136 = arith.extsi %135 : i32 to i64
  %137 = arith.subi %c2, %c1 : index
  %138 = arith.index_cast %136 : i64 to index
  %139 = arith.subi %138, %c1 : index
  %140 = arith.muli %139, %15 : index
  %141 = arith.addi %137, %140 : index
  memref.store %134, %arg1[%141] : memref<?xf64>
  cf.br ^bb9
^bb9:  // 2 preds: ^bb4, ^bb8
  %142 = arith.index_cast %c1_0 : index to i32
  %143 = memref.load %alloca_2[] : memref<i32>
  %144 = arith.addi %143, %142 overflow<nsw> : i32
  %145 = arith.addi %39, %c1_0 overflow<nsw> : index
  %c1_11 = arith.constant 1 : index
  %146 = arith.subi %41, %c1_11 : index
  cf.br ^bb3(%145, %144, %146 : index, i32, index)
^bb10:  // pred: ^bb3
  memref.store %40, %alloca_2[] : memref<i32>
  %147 = arith.index_cast %c1_0 : index to i32
  %148 = memref.load %alloca_1[] : memref<i32>
  %149 = arith.addi %148, %147 overflow<nsw> : i32
  %150 = arith.addi %28, %c1_0 overflow<nsw> : index
  %c1_12 = arith.constant 1 : index
  %151 = arith.subi %30, %c1_12 : index
  cf.br ^bb1(%150, %149, %151 : index, i32, index)
^bb11:  // pred: ^bb1
  memref.store %29, %alloca_1[] : memref<i32>
  %152 = arith.index_cast %c1_i32 : i32 to index
  %153 = memref.load %arg3[] : memref<i32>
  %154 = arith.index_cast %153 : i32 to index
  %155 = arith.index_cast %152 : index to i32
  %156 = arith.subi %154, %152 : index
  %157 = arith.addi %156, %c1_0 : index
  %158 = arith.divsi %157, %c1_0 : index
  cf.br ^bb12(%152, %155, %158 : index, i32, index)
^bb12(%159: index, %160: i32, %161: index):  // 2 preds: ^bb11, ^bb16
  %c0_13 = arith.constant 0 : index
  %162 = arith.cmpi sgt, %161, %c0_13 : index
  cf.cond_br %162, ^bb13, ^bb17
^bb13:  // pred: ^bb12
  memref.store %160, %alloca_1[] : memref<i32>
  %163 = arith.index_cast %c1_i32 : i32 to index
  %164 = arith.index_cast %c2_i32 : i32 to index
  %165 = arith.index_cast %163 : index to i32
  %166 = arith.subi %164, %163 : index
  %167 = arith.addi %166, %c1_0 : index
  %168 = arith.divsi %167, %c1_0 : index
  cf.br ^bb14(%163, %165, %168 : index, i32, index)
^bb14(%169: index, %170: i32, %171: index):  // 2 preds: ^bb13, ^bb15
  %c0_14 = arith.constant 0 : index
  %172 = arith.cmpi sgt, %171, %c0_14 : index
  cf.cond_br %172, ^bb15, ^bb16
^bb15:  // pred: ^bb14
  memref.store %170, %alloca_3[] : memref<i32>
  %173 = memref.load %alloca_3[] : memref<i32>
  %174 = arith.extsi %173 : i32 to i64
  %175 = memref.load %alloca_1[] : memref<i32>
  %176 = arith.extsi %175 : i32 to i64
  %177 = arith.index_cast %174 : i64 to index
  %178 = arith.subi %177, %c1 : index
  %179 = arith.index_cast %176 : i64 to index
  %180 = arith.subi %179, %c1 : index
  %181 = arith.muli %180, %2 : index
  %182 = arith.addi %178, %181 : index
  %183 = memref.load %arg0[%182] : memref<?xf64>
  %184 = memref.load %arg4[] : memref<f64>
  %185 = memref.load %alloca_3[] : memref<i32>
  %186 = arith.extsi %185 : i32 to i64
  %187 = memref.load %alloca_1[] : memref<i32>
  %188 = arith.extsi %187 : i32 to i64
  %189 = arith.index_cast %186 : i64 to index
  %190 = arith.subi %189, %c1 : index
  %191 = arith.index_cast %188 : i64 to index
  %192 = arith.subi %191, %c1 : index
  %193 = arith.muli %192, %15 : index
  %194 = arith.addi %190, %193 : index
  %195 = memref.load %arg1[%194] : memref<?xf64>
  %196 = arith.mulf %184, %195 fastmath<contract> : f64
  %197 = arith.addf %183, %196 fastmath<contract> : f64
  %198 = memref.load %alloca_3[] : memref<i32>
  %199 = arith.extsi %198 : i32 to i64
  %200 = memref.load %alloca_1[] : memref<i32>
  %201 = arith.extsi %200 : i32 to i64
  %202 = arith.index_cast %199 : i64 to index
  %203 = arith.subi %202, %c1 : index
  %204 = arith.index_cast %201 : i64 to index
  %205 = arith.subi %204, %c1 : index
  %206 = arith.muli %205, %2 : index
  %207 = arith.addi %203, %206 : index
  memref.store %197, %arg0[%207] : memref<?xf64>
  %208 = arith.index_cast %c1_0 : index to i32
  %209 = memref.load %alloca_3[] : memref<i32>
  %210 = arith.addi %209, %208 overflow<nsw> : i32
  %211 = arith.addi %169, %c1_0 overflow<nsw> : index
  %c1_15 = arith.constant 1 : index
  %212 = arith.subi %171, %c1_15 : index
  cf.br ^bb14(%211, %210, %212 : index, i32, index)
^bb16:  // pred: ^bb14
  memref.store %170, %alloca_3[] : memref<i32>
  %213 = arith.index_cast %c1_0 : index to i32
  %214 = memref.load %alloca_1[] : memref<i32>
  %215 = arith.addi %214, %213 overflow<nsw> : i32
  %216 = arith.addi %159, %c1_0 overflow<nsw> : index
  %c1_16 = arith.constant 1 : index
  %217 = arith.subi %161, %c1_16 : index
  cf.br ^bb12(%216, %215, %217 : index, i32, index)
^bb17:  // pred: ^bb12
  memref.store %160, %alloca_1[] : memref<i32>
  return
}
