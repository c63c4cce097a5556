// What clang 22.1.8 reads in bodies.c, written by c_to_memref.py.
func.func @pull(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: memref<?xf64>, %arg3: memref<?xf64>) {
  %1 = memref.alloca() : memref<1xf64>
  %10 = memref.alloca() : memref<1xf64>
  %19 = memref.alloca() : memref<1xf64>
  %2 = arith.constant 0 : i32
  %3 = arith.index_cast %2 : i32 to index
  %4 = memref.load %arg1[%3] : memref<?xf64>
  %5 = arith.constant 0 : i32
  %6 = arith.index_cast %5 : i32 to index
  %7 = memref.load %arg0[%6] : memref<?xf64>
  %8 = arith.subf %4, %7 : f64
  %9 = arith.constant 0 : index
  memref.store %8, %1[%9] : memref<1xf64>
  %11 = arith.constant 1 : i32
  %12 = arith.index_cast %11 : i32 to index
  %13 = memref.load %arg1[%12] : memref<?xf64>
  %14 = arith.constant 1 : i32
  %15 = arith.index_cast %14 : i32 to index
  %16 = memref.load %arg0[%15] : memref<?xf64>
  %17 = arith.subf %13, %16 : f64
  %18 = arith.constant 0 : index
  memref.store %17, %10[%18] : memref<1xf64>
  %20 = arith.constant 0 : index
  %21 = memref.load %1[%20] : memref<1xf64>
  %22 = arith.constant 0 : index
  %23 = memref.load %1[%22] : memref<1xf64>
  %24 = arith.mulf %21, %23 : f64
  %25 = arith.constant 0 : index
  %26 = memref.load %10[%25] : memref<1xf64>
  %27 = arith.constant 0 : index
  %28 = memref.load %10[%27] : memref<1xf64>
  %29 = arith.mulf %26, %28 : f64
  %30 = arith.addf %24, %29 : f64
  %31 = arith.constant 0.01 : f64
  %32 = arith.addf %30, %31 : f64
  %33 = math.sqrt %32 : f64
  %34 = arith.constant 0 : index
  memref.store %33, %19[%34] : memref<1xf64>
  %35 = arith.constant 0 : index
  %36 = memref.load %1[%35] : memref<1xf64>
  %37 = arith.constant 0 : index
  %38 = memref.load %19[%37] : memref<1xf64>
  %39 = arith.constant 0 : index
  %40 = memref.load %19[%39] : memref<1xf64>
  %41 = arith.mulf %38, %40 : f64
  %42 = arith.constant 0 : index
  %43 = memref.load %19[%42] : memref<1xf64>
  %44 = arith.mulf %41, %43 : f64
  %45 = arith.divf %36, %44 : f64
  %46 = arith.constant 0 : index
  memref.store %45, %arg2[%46] : memref<?xf64>
  %47 = arith.constant 0 : index
  %48 = memref.load %10[%47] : memref<1xf64>
  %49 = arith.constant 0 : index
  %50 = memref.load %19[%49] : memref<1xf64>
  %51 = arith.constant 0 : index
  %52 = memref.load %19[%51] : memref<1xf64>
  %53 = arith.mulf %50, %52 : f64
  %54 = arith.constant 0 : index
  %55 = memref.load %19[%54] : memref<1xf64>
  %56 = arith.mulf %53, %55 : f64
  %57 = arith.divf %48, %56 : f64
  %58 = arith.constant 0 : index
  memref.store %57, %arg3[%58] : memref<?xf64>
  cf.br ^end
^end:
  return
}
func.func @bodies(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: memref<?xf64>, %arg3: i32, %arg4: f64) {
  %1 = memref.alloca() : memref<1xi32>
  %3 = memref.alloca() : memref<1xf64>
  %5 = memref.alloca() : memref<1xi32>
  %13 = memref.alloca() : memref<1xi32>
  %21 = memref.alloca() : memref<2xf64>
  %38 = memref.alloca() : memref<2xf64>
  %55 = memref.alloca() : memref<1xf64>
  %56 = memref.alloca() : memref<1xf64>
  %112 = memref.alloca() : memref<1xi32>
  %2 = arith.constant 0 : index
  memref.store %arg3, %1[%2] : memref<1xi32>
  %4 = arith.constant 0 : index
  memref.store %arg4, %3[%4] : memref<1xf64>
  %6 = arith.constant 0 : i32
  %7 = arith.constant 0 : index
  memref.store %6, %5[%7] : memref<1xi32>
  cf.br ^bb1
^bb1:
  %8 = arith.constant 0 : index
  %9 = memref.load %5[%8] : memref<1xi32>
  %10 = arith.constant 0 : index
  %11 = memref.load %1[%10] : memref<1xi32>
  %12 = arith.cmpi slt, %9, %11 : i32
  cf.cond_br %12, ^bb2, ^bb4
^bb2:
  %14 = arith.constant 0 : i32
  %15 = arith.constant 0 : index
  memref.store %14, %13[%15] : memref<1xi32>
  cf.br ^bb5
^bb5:
  %16 = arith.constant 0 : index
  %17 = memref.load %13[%16] : memref<1xi32>
  %18 = arith.constant 0 : index
  %19 = memref.load %1[%18] : memref<1xi32>
  %20 = arith.cmpi slt, %17, %19 : i32
  cf.cond_br %20, ^bb6, ^bb8
^bb6:
  %22 = arith.constant 2 : i32
  %23 = arith.constant 0 : index
  %24 = memref.load %5[%23] : memref<1xi32>
  %25 = arith.muli %22, %24 overflow<nsw> : i32
  %26 = arith.index_cast %25 : i32 to index
  %27 = memref.load %arg0[%26] : memref<?xf64>
  %28 = arith.constant 0 : index
  memref.store %27, %21[%28] : memref<2xf64>
  %29 = arith.constant 2 : i32
  %30 = arith.constant 0 : index
  %31 = memref.load %5[%30] : memref<1xi32>
  %32 = arith.muli %29, %31 overflow<nsw> : i32
  %33 = arith.constant 1 : i32
  %34 = arith.addi %32, %33 overflow<nsw> : i32
  %35 = arith.index_cast %34 : i32 to index
  %36 = memref.load %arg0[%35] : memref<?xf64>
  %37 = arith.constant 1 : index
  memref.store %36, %21[%37] : memref<2xf64>
  %39 = arith.constant 2 : i32
  %40 = arith.constant 0 : index
  %41 = memref.load %13[%40] : memref<1xi32>
  %42 = arith.muli %39, %41 overflow<nsw> : i32
  %43 = arith.index_cast %42 : i32 to index
  %44 = memref.load %arg0[%43] : memref<?xf64>
  %45 = arith.constant 0 : index
  memref.store %44, %38[%45] : memref<2xf64>
  %46 = arith.constant 2 : i32
  %47 = arith.constant 0 : index
  %48 = memref.load %13[%47] : memref<1xi32>
  %49 = arith.muli %46, %48 overflow<nsw> : i32
  %50 = arith.constant 1 : i32
  %51 = arith.addi %49, %50 overflow<nsw> : i32
  %52 = arith.index_cast %51 : i32 to index
  %53 = memref.load %arg0[%52] : memref<?xf64>
  %54 = arith.constant 1 : index
  memref.store %53, %38[%54] : memref<2xf64>
  %57 = arith.constant 0 : index
  %58 = memref.load %5[%57] : memref<1xi32>
  %59 = arith.constant 0 : index
  %60 = memref.load %13[%59] : memref<1xi32>
  %61 = arith.cmpi eq, %58, %60 : i32
  cf.cond_br %61, ^bb9, ^bb10
^bb9:
  cf.br ^bb7
^bb10:
  %62 = arith.constant 0 : index
  %63 = arith.constant 0 : index
  %64 = memref.cast %21 : memref<2xf64> to memref<?xf64>
  %65 = memref.cast %38 : memref<2xf64> to memref<?xf64>
  %66 = memref.cast %55 : memref<1xf64> to memref<?xf64>
  %67 = memref.cast %56 : memref<1xf64> to memref<?xf64>
  func.call @pull(%64, %65, %66, %67) : (memref<?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>) -> ()
  %68 = arith.constant 0 : index
  %69 = memref.load %3[%68] : memref<1xf64>
  %70 = arith.constant 0 : index
  %71 = memref.load %13[%70] : memref<1xi32>
  %72 = arith.index_cast %71 : i32 to index
  %73 = memref.load %arg2[%72] : memref<?xf64>
  %74 = arith.mulf %69, %73 : f64
  %75 = arith.constant 0 : index
  %76 = memref.load %55[%75] : memref<1xf64>
  %77 = arith.mulf %74, %76 : f64
  %78 = arith.constant 2 : i32
  %79 = arith.constant 0 : index
  %80 = memref.load %5[%79] : memref<1xi32>
  %81 = arith.muli %78, %80 overflow<nsw> : i32
  %82 = arith.index_cast %81 : i32 to index
  %83 = memref.load %arg1[%82] : memref<?xf64>
  %84 = arith.addf %83, %77 : f64
  memref.store %84, %arg1[%82] : memref<?xf64>
  %85 = arith.constant 0 : index
  %86 = memref.load %3[%85] : memref<1xf64>
  %87 = arith.constant 0 : index
  %88 = memref.load %13[%87] : memref<1xi32>
  %89 = arith.index_cast %88 : i32 to index
  %90 = memref.load %arg2[%89] : memref<?xf64>
  %91 = arith.mulf %86, %90 : f64
  %92 = arith.constant 0 : index
  %93 = memref.load %56[%92] : memref<1xf64>
  %94 = arith.mulf %91, %93 : f64
  %95 = arith.constant 2 : i32
  %96 = arith.constant 0 : index
  %97 = memref.load %5[%96] : memref<1xi32>
  %98 = arith.muli %95, %97 overflow<nsw> : i32
  %99 = arith.constant 1 : i32
  %100 = arith.addi %98, %99 overflow<nsw> : i32
  %101 = arith.index_cast %100 : i32 to index
  %102 = memref.load %arg1[%101] : memref<?xf64>
  %103 = arith.addf %102, %94 : f64
  memref.store %103, %arg1[%101] : memref<?xf64>
  cf.br ^bb7
^bb7:
  %104 = arith.constant 0 : index
  %105 = memref.load %13[%104] : memref<1xi32>
  %106 = arith.constant 1 : i32
  %107 = arith.addi %105, %106 overflow<nsw> : i32
  memref.store %107, %13[%104] : memref<1xi32>
  cf.br ^bb5
^bb8:
  cf.br ^bb3
^bb3:
  %108 = arith.constant 0 : index
  %109 = memref.load %5[%108] : memref<1xi32>
  %110 = arith.constant 1 : i32
  %111 = arith.addi %109, %110 overflow<nsw> : i32
  memref.store %111, %5[%108] : memref<1xi32>
  cf.br ^bb1
^bb4:
  %113 = arith.constant 0 : i32
  %114 = arith.constant 0 : index
  memref.store %113, %112[%114] : memref<1xi32>
  cf.br ^bb11
^bb11:
  %115 = arith.constant 0 : index
  %116 = memref.load %112[%115] : memref<1xi32>
  %117 = arith.constant 2 : i32
  %118 = arith.constant 0 : index
  %119 = memref.load %1[%118] : memref<1xi32>
  %120 = arith.muli %117, %119 overflow<nsw> : i32
  %121 = arith.cmpi slt, %116, %120 : i32
  cf.cond_br %121, ^bb12, ^bb14
^bb12:
  %122 = arith.constant 0 : index
  %123 = memref.load %3[%122] : memref<1xf64>
  %124 = arith.constant 0 : index
  %125 = memref.load %112[%124] : memref<1xi32>
  %126 = arith.index_cast %125 : i32 to index
  %127 = memref.load %arg1[%126] : memref<?xf64>
  %128 = arith.mulf %123, %127 : f64
  %129 = arith.constant 0 : index
  %130 = memref.load %112[%129] : memref<1xi32>
  %131 = arith.index_cast %130 : i32 to index
  %132 = memref.load %arg0[%131] : memref<?xf64>
  %133 = arith.addf %132, %128 : f64
  memref.store %133, %arg0[%131] : memref<?xf64>
  cf.br ^bb13
^bb13:
  %134 = arith.constant 0 : index
  %135 = memref.load %112[%134] : memref<1xi32>
  %136 = arith.constant 1 : i32
  %137 = arith.addi %135, %136 overflow<nsw> : i32
  memref.store %137, %112[%134] : memref<1xi32>
  cf.br ^bb11
^bb14:
  cf.br ^end
^end:
  return
}
