// What flang 22.1.8 makes of lu.f90 without optimisation, written by fir_to_memref.py.
func.func @_QPlu(%arg0: memref<?xf64>, %arg1: memref<i32>) {
  %c1 = arith.constant 1 : index
  %c1_0 = arith.constant 1 : index
  %c1_i32 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %alloca = memref.alloca() : memref<i32>
  %alloca_1 = memref.alloca() : memref<i32>
  %alloca_2 = memref.alloca() : memref<i32>
  %0 = memref.load %arg1[] : memref<i32>
  %1 = arith.extsi %0 : i32 to i64
  %2 = arith.index_cast %1 : i64 to index
  %3 = arith.cmpi sgt, %2, %c0 : index
  %4 = arith.select %3, %2, %c0 : index
  %5 = memref.load %arg1[] : memref<i32>
  %6 = arith.extsi %5 : i32 to i64
  %7 = arith.index_cast %6 : i64 to index
  %8 = arith.cmpi sgt, %7, %c0 : index
  %9 = arith.select %8, %7, %c0 : index
  %10 = arith.index_cast %c1_i32 : i32 to index
  %11 = memref.load %arg1[] : memref<i32>
  %12 = arith.index_cast %11 : i32 to index
  %13 = arith.index_cast %10 : index to i32
  %14 = arith.subi %12, %10 : index
  %15 = arith.addi %14, %c1_0 : index
  %16 = arith.divsi %15, %c1_0 : index
  cf.br ^bb1(%10, %13, %16 : index, i32, index)
^bb1(%17: index, %18: i32, %19: index):  // 2 preds: ^bb0, ^bb11
  %c0_3 = arith.constant 0 : index
  %20 = arith.cmpi sgt, %19, %c0_3 : index
  cf.cond_br %20, ^bb2, ^bb12
^bb2:  // pred: ^bb1
  memref.store %18, %alloca_2[] : memref<i32>
  %21 = memref.load %alloca_2[] : memref<i32>
  %22 = arith.addi %21, %c1_i32 overflow<nsw> : i32
  %23 = arith.index_cast %22 : i32 to index
  %24 = memref.load %arg1[] : memref<i32>
  %25 = arith.index_cast %24 : i32 to index
  %26 = arith.index_cast %23 : index to i32
  %27 = arith.subi %25, %23 : index
  %28 = arith.addi %27, %c1_0 : index
  %29 = arith.divsi %28, %c1_0 : index
  cf.br ^bb3(%23, %26, %29 : index, i32, index)
^bb3(%30: index, %31: i32, %32: index):  // 2 preds: ^bb2, ^bb4
  %c0_4 = arith.constant 0 : index
  %33 = arith.cmpi sgt, %32, %c0_4 : index
  cf.cond_br %33, ^bb4, ^bb5
^bb4:  // pred: ^bb3
  memref.store %31, %alloca[] : memref<i32>
  %34 = memref.load %alloca[] : memref<i32>
  %35 = arith.extsi %34 : i32 to i64
  %36 = memref.load %alloca_2[] : memref<i32>
  %37 = arith.extsi %36 : i32 to i64
  %38 = arith.index_cast %35 : i64 to index
  %39 = arith.subi %38, %c1 : index
  %40 = arith.index_cast %37 : i64 to index
  %41 = arith.subi %40, %c1 : index
  %42 = arith.muli %41, %4 : index
  %43 = arith.addi %39, %42 : index
  %44 = memref.load %arg0[%43] : memref<?xf64>
  %45 = memref.load %alloca_2[] : memref<i32>
  %46 = arith.extsi %45 : i32 to i64
  %47 = memref.load %alloca_2[] : memref<i32>
  %48 = arith.extsi %47 : i32 to i64
  %49 = arith.index_cast %46 : i64 to index
  %50 = arith.subi %49, %c1 : index
  %51 = arith.index_cast %48 : i64 to index
  %52 = arith.subi %51, %c1 : index
  %53 = arith.muli %52, %4 : index
  %54 = arith.addi %50, %53 : index
  %55 = memref.load %arg0[%54] : memref<?xf64>
  %56 = arith.divf %44, %55 fastmath<contract> : f64
  %57 = memref.load %alloca[] : memref<i32>
  %58 = arith.extsi %57 : i32 to i64
  %59 = memref.load %alloca_2[] : memref<i32>
  %60 = arith.extsi %59 : i32 to i64
  %61 = arith.index_cast %58 : i64 to index
  %62 = arith.subi %61, %c1 : index
  %63 = arith.index_cast %60 : i64 to index
  %64 = arith.subi %63, %c1 : index
  %65 = arith.muli %64, %4 : index
  %66 = arith.addi %62, %65 : index
  memref.store %56, %arg0[%66] : memref<?xf64>
  %67 = arith.index_cast %c1_0 : index to i32
  %68 = memref.load %alloca[] : memref<i32>
  %69 = arith.addi %68, %67 overflow<nsw> : i32
  %70 = arith.addi %30, %c1_0 overflow<nsw> : index
  %c1_5 = arith.constant 1 : index
  %71 = arith.subi %32, %c1_5 : index
  cf.br ^bb3(%70, %69, %71 : index, i32, index)
^bb5:  // pred: ^bb3
  memref.store %31, %alloca[] : memref<i32>
  %72 = memref.load %alloca_2[] : memref<i32>
  %73 = arith.addi %72, %c1_i32 overflow<nsw> : i32
  %74 = arith.index_cast %73 : i32 to index
  %75 = memref.load %arg1[] : memref<i32>
  %76 = arith.index_cast %75 : i32 to index
  %77 = arith.index_cast %74 : index to i32
  %78 = arith.subi %76, %74 : index
  %79 = arith.addi %78, %c1_0 : index
  %80 = arith.divsi %79, %c1_0 : index
  cf.br ^bb6(%74, %77, %80 : index, i32, index)
^bb6(%81: index, %82: i32, %83: index):  // 2 preds: ^bb5, ^bb10
  %c0_6 = arith.constant 0 : index
  %84 = arith.cmpi sgt, %83, %c0_6 : index
  cf.cond_br %84, ^bb7, ^bb11
^bb7:  // pred: ^bb6
  memref.store %82, %alloca_1[] : memref<i32>
  %85 = memref.load %alloca_2[] : memref<i32>
  %86 = arith.addi %85, %c1_i32 overflow<nsw> : i32
  %87 = arith.index_cast %86 : i32 to index
  %88 = memref.load %arg1[] : memref<i32>
  %89 = arith.index_cast %88 : i32 to index
  %90 = arith.index_cast %87 : index to i32
  %91 = arith.subi %89, %87 : index
  %92 = arith.addi %91, %c1_0 : index
  %93 = arith.divsi %92, %c1_0 : index
  cf.br ^bb8(%87, %90, %93 : index, i32, index)
^bb8(%94: index, %95: i32, %96: index):  // 2 preds: ^bb7, ^bb9
  %c0_7 = arith.constant 0 : index
  %97 = arith.cmpi sgt, %96, %c0_7 : index
  cf.cond_br %97, ^bb9, ^bb10
^bb9:  // pred: ^bb8
  memref.store %95, %alloca[] : memref<i32>
  %98 = memref.load %alloca[] : memref<i32>
  %99 = arith.extsi %98 : i32 to i64
  %100 = memref.load %alloca_1[] : memref<i32>
  %101 = arith.extsi %100 : i32 to i64
  %102 = arith.index_cast %99 : i64 to index
  %103 = arith.subi %102, %c1 : index
  %104 = arith.index_cast %101 : i64 to index
  %105 = arith.subi %104, %c1 : index
  %106 = arith.muli %105, %4 : index
  %107 = arith.addi %103, %106 : index
  %108 = memref.load %arg0[%107] : memref<?xf64>
  %109 = memref.load %alloca[] : memref<i32>
  %110 = arith.extsi %109 : i32 to i64
  %111 = memref.load %alloca_2[] : memref<i32>
  %112 = arith.extsi %111 : i32 to i64
  %113 = arith.index_cast %110 : i64 to index
  %114 = arith.subi %113, %c1 : index
  %115 = arith.index_cast %112 : i64 to index
  %116 = arith.subi %115, %c1 : index
  %117 = arith.muli %116, %4 : index
  %118 = arith.addi %114, %117 : index
  %119 = memref.load %arg0[%118] : memref<?xf64>
  %120 = memref.load %alloca_2[] : memref<i32>
  %121 = arith.extsi %120 : i32 to i64
  %122 = memref.load %alloca_1[] : memref<i32>
  %123 = arith.extsi %122 : i32 to i64
  %124 = arith.index_cast %121 : i64 to index
  %125 = arith.subi %124, %c1 : index
  %126 = arith.index_cast %123 : i64 to index
  %127 = arith.subi %126, %c1 : index
  %128 = arith.muli %127, %4 : index
  %129 = arith.addi %125, %128 : index
  %130 = memref.load %arg0[%129] : memref<?xf64>
  %131 = arith.mulf %119, %130 fastmath<contract> : f64
  %132 = arith.subf %108, %131 fastmath<contract> : f64
  %133 = memref.load %alloca[] : memref<i32>
  %134 = arith.extsi %133 : i32 to i64
  %135 = memref.load %alloca_1[] : memref<i32>
  %136 = arith.extsi %135 : i32 to i64
  %137 = arith.index_cast %134 : i64 to index
  %138 = arith.subi %137, %c1 : index
  %139 = arith.index_cast %136 : i64 to index
  %140 = arith.subi %139, %c1 : index
  %141 = arith.muli %140, %4 : index
  %142 = arith.addi %138, %141 : index
  memref.store %132, %arg0[%142] : memref<?xf64>
  %143 = arith.index_cast %c1_0 : index to i32
  %144 = memref.load %alloca[] : memref<i32>
  %145 = arith.addi %144, %143 overflow<nsw> : i32
  %146 = arith.addi %94, %c1_0 overflow<nsw> : index
  %c1_8 = arith.constant 1 : index
  %147 = arith.subi %96, %c1_8 : index
  cf.br ^bb8(%146, %145, %147 : index, i32, index)
^bb10:  // pred: ^bb8
  memref.store %95, %alloca[] : memref<i32>
  %148 = arith.index_cast %c1_0 : index to i32
  %149 = memref.load %alloca_1[] : memref<i32>
  %150 = arith.addi %149, %148 overflow<nsw> : i32
  %151 = arith.addi %81, %c1_0 overflow<nsw> : index
  %c1_9 = arith.constant 1 : index
  %152 = arith.subi %83, %c1_9 : index
  cf.br ^bb6(%151, %150, %152 : index, i32, index)
^bb11:  // pred: ^bb6
  memref.store %82, %alloca_1[] : memref<i32>
  %153 = arith.index_cast %c1_0 : index to i32
  %154 = memref.load %alloca_2[] : memref<i32>
  %155 = arith.addi %154, %153 overflow<nsw> : i32
  %156 = arith.addi %17, %c1_0 overflow<nsw> : index
  %c1_10 = arith.constant 1 : index
  %157 = arith.subi %19, %c1_10 : index
  cf.br ^bb1(%156, %155, %157 : index, i32, index)
^bb12:  // pred: ^bb1
  memref.store %18, %alloca_2[] : memref<i32>
  return
}
