// What clang 22.1.8 reads in runge_kutta.c, written by c_to_memref.py.
func.func @slope(%arg0: memref<?xf64>, %arg1: memref<?xf64>) {
  %1 = arith.constant 1 : i32
  %2 = arith.index_cast %1 : i32 to index
  %3 = memref.load %arg0[%2] : memref<?xf64>
  %4 = arith.constant 0 : i32
  %5 = arith.index_cast %4 : i32 to index
  memref.store %3, %arg1[%5] : memref<?xf64>
  %6 = arith.constant 0 : i32
  %7 = arith.index_cast %6 : i32 to index
  %8 = memref.load %arg0[%7] : memref<?xf64>
  %9 = math.sin %8 : f64
  %10 = arith.negf %9 : f64
  %11 = arith.constant 0.1 : f64
  %12 = arith.constant 1 : i32
  %13 = arith.index_cast %12 : i32 to index
  %14 = memref.load %arg0[%13] : memref<?xf64>
  %15 = arith.mulf %11, %14 : f64
  %16 = arith.subf %10, %15 : f64
  %17 = arith.constant 1 : i32
  %18 = arith.index_cast %17 : i32 to index
  memref.store %16, %arg1[%18] : memref<?xf64>
  cf.br ^end
^end:
  return
}
func.func @runge_kutta(%arg0: memref<?xf64>, %arg1: f64, %arg2: i32) {
  %1 = memref.alloca() : memref<1xf64>
  %3 = memref.alloca() : memref<1xi32>
  %5 = memref.alloca() : memref<4x2xf64>
  %6 = memref.alloca() : memref<2xf64>
  %7 = memref.alloca() : memref<2xf64>
  %14 = memref.alloca() : memref<1xi32>
  %21 = memref.alloca() : memref<1xf64>
  %42 = memref.alloca() : memref<1xi32>
  %102 = memref.alloca() : memref<1xi32>
  %2 = arith.constant 0 : index
  memref.store %arg1, %1[%2] : memref<1xf64>
  %4 = arith.constant 0 : index
  memref.store %arg2, %3[%4] : memref<1xi32>
  cf.br ^bb1
^bb1:
  %8 = arith.constant 0 : index
  %9 = memref.load %3[%8] : memref<1xi32>
  %10 = arith.constant 1 : i32
  %11 = arith.subi %9, %10 overflow<nsw> : i32
  memref.store %11, %3[%8] : memref<1xi32>
  %12 = arith.constant 0 : i32
  %13 = arith.cmpi sgt, %9, %12 : i32
  cf.cond_br %13, ^bb2, ^bb4
^bb2:
  %15 = arith.constant 0 : i32
  %16 = arith.constant 0 : index
  memref.store %15, %14[%16] : memref<1xi32>
  cf.br ^bb5
^bb5:
  %17 = arith.constant 0 : index
  %18 = memref.load %14[%17] : memref<1xi32>
  %19 = arith.constant 4 : i32
  %20 = arith.cmpi slt, %18, %19 : i32
  cf.cond_br %20, ^bb6, ^bb8
^bb6:
  %22 = arith.constant 0 : index
  %23 = memref.load %14[%22] : memref<1xi32>
  %24 = arith.constant 0 : i32
  %25 = arith.cmpi eq, %23, %24 : i32
  cf.cond_br %25, ^bb9, ^bb10
^bb9:
  %26 = arith.constant 0 : i32
  %27 = arith.sitofp %26 : i32 to f64
  cf.br ^bb11(%27 : f64)
^bb10:
  %28 = arith.constant 0 : index
  %29 = memref.load %14[%28] : memref<1xi32>
  %30 = arith.constant 3 : i32
  %31 = arith.cmpi eq, %29, %30 : i32
  cf.cond_br %31, ^bb12, ^bb13
^bb12:
  %32 = arith.constant 0 : index
  %33 = memref.load %1[%32] : memref<1xf64>
  cf.br ^bb14(%33 : f64)
^bb13:
  %34 = arith.constant 0 : index
  %35 = memref.load %1[%34] : memref<1xf64>
  %36 = arith.constant 2 : i32
  %37 = arith.sitofp %36 : i32 to f64
  %38 = arith.divf %35, %37 : f64
  cf.br ^bb14(%38 : f64)
^bb14(%39: f64):
  cf.br ^bb11(%39 : f64)
^bb11(%40: f64):
  %41 = arith.constant 0 : index
  memref.store %40, %21[%41] : memref<1xf64>
  %43 = arith.constant 0 : i32
  %44 = arith.constant 0 : index
  memref.store %43, %42[%44] : memref<1xi32>
  cf.br ^bb15
^bb15:
  %45 = arith.constant 0 : index
  %46 = memref.load %42[%45] : memref<1xi32>
  %47 = arith.constant 2 : i32
  %48 = arith.cmpi slt, %46, %47 : i32
  cf.cond_br %48, ^bb16, ^bb18
^bb16:
  %49 = arith.constant 0 : index
  %50 = memref.load %42[%49] : memref<1xi32>
  %51 = arith.index_cast %50 : i32 to index
  %52 = memref.load %arg0[%51] : memref<?xf64>
  %53 = arith.constant 0 : index
  %54 = memref.load %21[%53] : memref<1xf64>
  %55 = arith.constant 0 : index
  %56 = memref.load %14[%55] : memref<1xi32>
  %57 = arith.constant 0 : i32
  %58 = arith.cmpi sgt, %56, %57 : i32
  cf.cond_br %58, ^bb19, ^bb20
^bb19:
  %59 = arith.constant 0 : index
  %60 = memref.load %14[%59] : memref<1xi32>
  %61 = arith.constant 1 : i32
  %62 = arith.subi %60, %61 overflow<nsw> : i32
  %63 = arith.index_cast %62 : i32 to index
  %64 = arith.constant 0 : index
  %65 = memref.load %42[%64] : memref<1xi32>
  %66 = arith.index_cast %65 : i32 to index
  %67 = memref.load %5[%63, %66] : memref<4x2xf64>
  cf.br ^bb21(%67 : f64)
^bb20:
  %68 = arith.constant 0 : i32
  %69 = arith.sitofp %68 : i32 to f64
  cf.br ^bb21(%69 : f64)
^bb21(%70: f64):
  %71 = arith.mulf %54, %70 : f64
  %72 = arith.addf %52, %71 : f64
  %73 = arith.constant 0 : index
  %74 = memref.load %42[%73] : memref<1xi32>
  %75 = arith.index_cast %74 : i32 to index
  memref.store %72, %6[%75] : memref<2xf64>
  cf.br ^bb17
^bb17:
  %76 = arith.constant 0 : index
  %77 = memref.load %42[%76] : memref<1xi32>
  %78 = arith.constant 1 : i32
  %79 = arith.addi %77, %78 overflow<nsw> : i32
  memref.store %79, %42[%76] : memref<1xi32>
  cf.br ^bb15
^bb18:
  %80 = memref.cast %6 : memref<2xf64> to memref<?xf64>
  %81 = memref.cast %7 : memref<2xf64> to memref<?xf64>
  func.call @slope(%80, %81) : (memref<?xf64>, memref<?xf64>) -> ()
  %82 = arith.constant 0 : i32
  %83 = arith.index_cast %82 : i32 to index
  %84 = memref.load %7[%83] : memref<2xf64>
  %85 = arith.constant 0 : index
  %86 = memref.load %14[%85] : memref<1xi32>
  %87 = arith.index_cast %86 : i32 to index
  %88 = arith.constant 0 : i32
  %89 = arith.index_cast %88 : i32 to index
  memref.store %84, %5[%87, %89] : memref<4x2xf64>
  %90 = arith.constant 1 : i32
  %91 = arith.index_cast %90 : i32 to index
  %92 = memref.load %7[%91] : memref<2xf64>
  %93 = arith.constant 0 : index
  %94 = memref.load %14[%93] : memref<1xi32>
  %95 = arith.index_cast %94 : i32 to index
  %96 = arith.constant 1 : i32
  %97 = arith.index_cast %96 : i32 to index
  memref.store %92, %5[%95, %97] : memref<4x2xf64>
  cf.br ^bb7
^bb7:
  %98 = arith.constant 0 : index
  %99 = memref.load %14[%98] : memref<1xi32>
  %100 = arith.constant 1 : i32
  %101 = arith.addi %99, %100 overflow<nsw> : i32
  memref.store %101, %14[%98] : memref<1xi32>
  cf.br ^bb5
^bb8:
  %103 = arith.constant 0 : i32
  %104 = arith.constant 0 : index
  memref.store %103, %102[%104] : memref<1xi32>
  cf.br ^bb22
^bb22:
  %105 = arith.constant 0 : index
  %106 = memref.load %102[%105] : memref<1xi32>
  %107 = arith.constant 2 : i32
  %108 = arith.cmpi slt, %106, %107 : i32
  cf.cond_br %108, ^bb23, ^bb25
^bb23:
  %109 = arith.constant 0 : index
  %110 = memref.load %1[%109] : memref<1xf64>
  %111 = arith.constant 6 : i32
  %112 = arith.sitofp %111 : i32 to f64
  %113 = arith.divf %110, %112 : f64
  %114 = arith.constant 0 : i32
  %115 = arith.index_cast %114 : i32 to index
  %116 = arith.constant 0 : index
  %117 = memref.load %102[%116] : memref<1xi32>
  %118 = arith.index_cast %117 : i32 to index
  %119 = memref.load %5[%115, %118] : memref<4x2xf64>
  %120 = arith.constant 2 : i32
  %121 = arith.sitofp %120 : i32 to f64
  %122 = arith.constant 1 : i32
  %123 = arith.index_cast %122 : i32 to index
  %124 = arith.constant 0 : index
  %125 = memref.load %102[%124] : memref<1xi32>
  %126 = arith.index_cast %125 : i32 to index
  %127 = memref.load %5[%123, %126] : memref<4x2xf64>
  %128 = arith.mulf %121, %127 : f64
  %129 = arith.addf %119, %128 : f64
  %130 = arith.constant 2 : i32
  %131 = arith.sitofp %130 : i32 to f64
  %132 = arith.constant 2 : i32
  %133 = arith.index_cast %132 : i32 to index
  %134 = arith.constant 0 : index
  %135 = memref.load %102[%134] : memref<1xi32>
  %136 = arith.index_cast %135 : i32 to index
  %137 = memref.load %5[%133, %136] : memref<4x2xf64>
  %138 = arith.mulf %131, %137 : f64
  %139 = arith.addf %129, %138 : f64
  %140 = arith.constant 3 : i32
  %141 = arith.index_cast %140 : i32 to index
  %142 = arith.constant 0 : index
  %143 = memref.load %102[%142] : memref<1xi32>
  %144 = arith.index_cast %143 : i32 to index
  %145 = memref.load %5[%141, %144] : memref<4x2xf64>
  %146 = arith.addf %139, %145 : f64
  %147 = arith.mulf %113, %146 : f64
  %148 = arith.constant 0 : index
  %149 = memref.load %102[%148] : memref<1xi32>
  %150 = arith.index_cast %149 : i32 to index
  %151 = memref.load %arg0[%150] : memref<?xf64>
  %152 = arith.addf %151, %147 : f64
  memref.store %152, %arg0[%150] : memref<?xf64>
  cf.br ^bb24
^bb24:
  %153 = arith.constant 0 : index
  %154 = memref.load %102[%153] : memref<1xi32>
  %155 = arith.constant 1 : i32
  %156 = arith.addi %154, %155 overflow<nsw> : i32
  memref.store %156, %102[%153] : memref<1xi32>
  cf.br ^bb22
^bb25:
  cf.br ^bb3
^bb3:
  cf.br ^bb1
^bb4:
  cf.br ^end
^end:
  return
}
