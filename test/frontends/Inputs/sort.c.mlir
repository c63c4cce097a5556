// What clang 22.1.8 reads in sort.c, written by c_to_memref.py.
func.func @sort(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: i32) -> f64 {
  %1 = memref.alloca() : memref<1xi32>
  %3 = memref.alloca() : memref<1xf64>
  %4 = memref.alloca() : memref<1xf64>
  %8 = memref.alloca() : memref<1xi32>
  %27 = memref.alloca() : memref<1xf64>
  %53 = memref.alloca() : memref<1xi32>
  %2 = arith.constant 0 : index
  memref.store %arg2, %1[%2] : memref<1xi32>
  %5 = arith.constant 0 : i32
  %6 = arith.sitofp %5 : i32 to f64
  %7 = arith.constant 0 : index
  memref.store %6, %4[%7] : memref<1xf64>
  cf.br ^bb1
^bb1:
  %9 = arith.constant 1 : i32
  %10 = arith.constant 0 : index
  memref.store %9, %8[%10] : memref<1xi32>
  cf.br ^bb2
^bb2:
  %11 = arith.constant 0 : index
  %12 = memref.load %8[%11] : memref<1xi32>
  %13 = arith.constant 0 : index
  %14 = memref.load %1[%13] : memref<1xi32>
  %15 = arith.cmpi slt, %12, %14 : i32
  cf.cond_br %15, ^bb3, ^bb5
^bb3:
  %16 = arith.constant 0 : index
  %17 = memref.load %8[%16] : memref<1xi32>
  %18 = arith.constant 1 : i32
  %19 = arith.subi %17, %18 overflow<nsw> : i32
  %20 = arith.index_cast %19 : i32 to index
  %21 = memref.load %arg0[%20] : memref<?xf64>
  %22 = arith.constant 0 : index
  %23 = memref.load %8[%22] : memref<1xi32>
  %24 = arith.index_cast %23 : i32 to index
  %25 = memref.load %arg0[%24] : memref<?xf64>
  %26 = arith.cmpf ogt, %21, %25 : f64
  cf.cond_br %26, ^bb6, ^bb7
^bb6:
  %28 = arith.constant 0 : index
  %29 = memref.load %8[%28] : memref<1xi32>
  %30 = arith.index_cast %29 : i32 to index
  %31 = memref.load %arg0[%30] : memref<?xf64>
  %32 = arith.constant 0 : index
  memref.store %31, %27[%32] : memref<1xf64>
  %33 = arith.constant 0 : index
  %34 = memref.load %8[%33] : memref<1xi32>
  %35 = arith.constant 1 : i32
  %36 = arith.subi %34, %35 overflow<nsw> : i32
  %37 = arith.index_cast %36 : i32 to index
  %38 = memref.load %arg0[%37] : memref<?xf64>
  %39 = arith.constant 0 : index
  %40 = memref.load %8[%39] : memref<1xi32>
  %41 = arith.index_cast %40 : i32 to index
  memref.store %38, %arg0[%41] : memref<?xf64>
  %42 = arith.constant 0 : index
  %43 = memref.load %27[%42] : memref<1xf64>
  %44 = arith.constant 0 : index
  %45 = memref.load %8[%44] : memref<1xi32>
  %46 = arith.constant 1 : i32
  %47 = arith.subi %45, %46 overflow<nsw> : i32
  %48 = arith.index_cast %47 : i32 to index
  memref.store %43, %arg0[%48] : memref<?xf64>
  cf.br ^bb1
^bb7:
  cf.br ^bb4
^bb4:
  %49 = arith.constant 0 : index
  %50 = memref.load %8[%49] : memref<1xi32>
  %51 = arith.constant 1 : i32
  %52 = arith.addi %50, %51 overflow<nsw> : i32
  memref.store %52, %8[%49] : memref<1xi32>
  cf.br ^bb2
^bb5:
  %54 = arith.constant 0 : i32
  %55 = arith.constant 0 : index
  memref.store %54, %53[%55] : memref<1xi32>
  cf.br ^bb8
^bb8:
  %56 = arith.constant 0 : index
  %57 = memref.load %53[%56] : memref<1xi32>
  %58 = arith.constant 0 : index
  %59 = memref.load %1[%58] : memref<1xi32>
  %60 = arith.cmpi slt, %57, %59 : i32
  cf.cond_br %60, ^bb9, ^bb11
^bb9:
  %61 = arith.constant 0 : index
  %62 = memref.load %53[%61] : memref<1xi32>
  %63 = arith.index_cast %62 : i32 to index
  %64 = memref.load %arg1[%63] : memref<?xf64>
  %65 = arith.constant 0 : index
  %66 = memref.load %53[%65] : memref<1xi32>
  %67 = arith.index_cast %66 : i32 to index
  %68 = memref.load %arg0[%67] : memref<?xf64>
  %69 = arith.mulf %64, %68 : f64
  %70 = arith.constant 0 : index
  %71 = memref.load %53[%70] : memref<1xi32>
  %72 = arith.index_cast %71 : i32 to index
  %73 = memref.load %arg0[%72] : memref<?xf64>
  %74 = arith.mulf %69, %73 : f64
  %75 = arith.constant 0 : index
  %76 = memref.load %4[%75] : memref<1xf64>
  %77 = arith.addf %76, %74 : f64
  memref.store %77, %4[%75] : memref<1xf64>
  cf.br ^bb10
^bb10:
  %78 = arith.constant 0 : index
  %79 = memref.load %53[%78] : memref<1xi32>
  %80 = arith.constant 1 : i32
  %81 = arith.addi %79, %80 overflow<nsw> : i32
  memref.store %81, %53[%78] : memref<1xi32>
  cf.br ^bb8
^bb11:
  %82 = arith.constant 0 : index
  %83 = memref.load %4[%82] : memref<1xf64>
  %84 = arith.constant 0 : index
  memref.store %83, %3[%84] : memref<1xf64>
  cf.br ^end
^end:
  %85 = arith.constant 0 : index
  %86 = memref.load %3[%85] : memref<1xf64>
  return %86 : f64
}
