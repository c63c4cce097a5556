// What clang 22.1.8 reads in interpolate.c, written by c_to_memref.py.
func.func @interpolate(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: i32, %arg3: f64) -> f64 {
  %1 = memref.alloca() : memref<1xi32>
  %3 = memref.alloca() : memref<1xf64>
  %5 = memref.alloca() : memref<1xf64>
  %6 = memref.alloca() : memref<1xi32>
  %55 = memref.alloca() : memref<1xf64>
  %2 = arith.constant 0 : index
  memref.store %arg2, %1[%2] : memref<1xi32>
  %4 = arith.constant 0 : index
  memref.store %arg3, %3[%4] : memref<1xf64>
  %7 = arith.constant 0 : i32
  %8 = arith.constant 0 : index
  memref.store %7, %6[%8] : memref<1xi32>
  %9 = arith.constant 0 : index
  %10 = memref.load %3[%9] : memref<1xf64>
  %11 = arith.constant 0 : i32
  %12 = arith.index_cast %11 : i32 to index
  %13 = memref.load %arg0[%12] : memref<?xf64>
  %14 = arith.cmpf ole, %10, %13 : f64
  cf.cond_br %14, ^bb1, ^bb2
^bb1:
  %15 = arith.constant 0 : i32
  %16 = arith.index_cast %15 : i32 to index
  %17 = memref.load %arg1[%16] : memref<?xf64>
  %18 = arith.constant 0 : index
  memref.store %17, %5[%18] : memref<1xf64>
  cf.br ^end
^bb2:
  cf.br ^bb3
^bb3:
  %19 = arith.constant 0 : index
  %20 = memref.load %6[%19] : memref<1xi32>
  %21 = arith.constant 0 : index
  %22 = memref.load %1[%21] : memref<1xi32>
  %23 = arith.constant 1 : i32
  %24 = arith.subi %22, %23 overflow<nsw> : i32
  %25 = arith.cmpi slt, %20, %24 : i32
  cf.cond_br %25, ^bb7, ^bb8
^bb7:
  %26 = arith.constant 0 : index
  %27 = memref.load %6[%26] : memref<1xi32>
  %28 = arith.constant 1 : i32
  %29 = arith.addi %27, %28 overflow<nsw> : i32
  %30 = arith.index_cast %29 : i32 to index
  %31 = memref.load %arg0[%30] : memref<?xf64>
  %32 = arith.constant 0 : index
  %33 = memref.load %3[%32] : memref<1xf64>
  %34 = arith.cmpf olt, %31, %33 : f64
  cf.br ^bb9(%34 : i1)
^bb8:
  %35 = arith.constant false
  cf.br ^bb9(%35 : i1)
^bb9(%36: i1):
  cf.cond_br %36, ^bb4, ^bb6
^bb4:
  %37 = arith.constant 0 : index
  %38 = memref.load %6[%37] : memref<1xi32>
  %39 = arith.constant 1 : i32
  %40 = arith.addi %38, %39 overflow<nsw> : i32
  memref.store %40, %6[%37] : memref<1xi32>
  cf.br ^bb5
^bb5:
  cf.br ^bb3
^bb6:
  %41 = arith.constant 0 : index
  %42 = memref.load %6[%41] : memref<1xi32>
  %43 = arith.constant 0 : index
  %44 = memref.load %1[%43] : memref<1xi32>
  %45 = arith.constant 1 : i32
  %46 = arith.subi %44, %45 overflow<nsw> : i32
  %47 = arith.cmpi eq, %42, %46 : i32
  cf.cond_br %47, ^bb10, ^bb11
^bb10:
  %48 = arith.constant 0 : index
  %49 = memref.load %1[%48] : memref<1xi32>
  %50 = arith.constant 1 : i32
  %51 = arith.subi %49, %50 overflow<nsw> : i32
  %52 = arith.index_cast %51 : i32 to index
  %53 = memref.load %arg1[%52] : memref<?xf64>
  %54 = arith.constant 0 : index
  memref.store %53, %5[%54] : memref<1xf64>
  cf.br ^end
^bb11:
  %56 = arith.constant 0 : index
  %57 = memref.load %3[%56] : memref<1xf64>
  %58 = arith.constant 0 : index
  %59 = memref.load %6[%58] : memref<1xi32>
  %60 = arith.index_cast %59 : i32 to index
  %61 = memref.load %arg0[%60] : memref<?xf64>
  %62 = arith.subf %57, %61 : f64
  %63 = arith.constant 0 : index
  %64 = memref.load %6[%63] : memref<1xi32>
  %65 = arith.constant 1 : i32
  %66 = arith.addi %64, %65 overflow<nsw> : i32
  %67 = arith.index_cast %66 : i32 to index
  %68 = memref.load %arg0[%67] : memref<?xf64>
  %69 = arith.constant 0 : index
  %70 = memref.load %6[%69] : memref<1xi32>
  %71 = arith.index_cast %70 : i32 to index
  %72 = memref.load %arg0[%71] : memref<?xf64>
  %73 = arith.subf %68, %72 : f64
  %74 = arith.divf %62, %73 : f64
  %75 = arith.constant 0 : index
  memref.store %74, %55[%75] : memref<1xf64>
  %76 = arith.constant 1 : i32
  %77 = arith.sitofp %76 : i32 to f64
  %78 = arith.constant 0 : index
  %79 = memref.load %55[%78] : memref<1xf64>
  %80 = arith.subf %77, %79 : f64
  %81 = arith.constant 0 : index
  %82 = memref.load %6[%81] : memref<1xi32>
  %83 = arith.index_cast %82 : i32 to index
  %84 = memref.load %arg1[%83] : memref<?xf64>
  %85 = arith.mulf %80, %84 : f64
  %86 = arith.constant 0 : index
  %87 = memref.load %55[%86] : memref<1xf64>
  %88 = arith.constant 0 : index
  %89 = memref.load %6[%88] : memref<1xi32>
  %90 = arith.constant 1 : i32
  %91 = arith.addi %89, %90 overflow<nsw> : i32
  %92 = arith.index_cast %91 : i32 to index
  %93 = memref.load %arg1[%92] : memref<?xf64>
  %94 = arith.mulf %87, %93 : f64
  %95 = arith.addf %85, %94 : f64
  %96 = arith.constant 0 : index
  memref.store %95, %5[%96] : memref<1xf64>
  cf.br ^end
^end:
  %97 = arith.constant 0 : index
  %98 = memref.load %5[%97] : memref<1xf64>
  return %98 : f64
}
