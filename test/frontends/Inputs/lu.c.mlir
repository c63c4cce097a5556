// What clang 22.1.8 reads in lu.c, written by c_to_memref.py.
func.func @lu(%arg0: memref<?xf64>, %arg1: i32) {
  %1 = memref.alloca() : memref<1xi32>
  %3 = memref.alloca() : memref<1xi32>
  %11 = memref.alloca() : memref<1xi32>
  %43 = memref.alloca() : memref<1xi32>
  %2 = arith.constant 0 : index
  memref.store %arg1, %1[%2] : memref<1xi32>
  %4 = arith.constant 0 : i32
  %5 = arith.constant 0 : index
  memref.store %4, %3[%5] : memref<1xi32>
  cf.br ^bb1
^bb1:
  %6 = arith.constant 0 : index
  %7 = memref.load %3[%6] : memref<1xi32>
  %8 = arith.constant 0 : index
  %9 = memref.load %1[%8] : memref<1xi32>
  %10 = arith.cmpi slt, %7, %9 : i32
  cf.cond_br %10, ^bb2, ^bb4
^bb2:
  %12 = arith.constant 0 : index
  %13 = memref.load %3[%12] : memref<1xi32>
  %14 = arith.constant 1 : i32
  %15 = arith.addi %13, %14 overflow<nsw> : i32
  %16 = arith.constant 0 : index
  memref.store %15, %11[%16] : memref<1xi32>
  cf.br ^bb5
^bb5:
  %17 = arith.constant 0 : index
  %18 = memref.load %11[%17] : memref<1xi32>
  %19 = arith.constant 0 : index
  %20 = memref.load %1[%19] : memref<1xi32>
  %21 = arith.cmpi slt, %18, %20 : i32
  cf.cond_br %21, ^bb6, ^bb8
^bb6:
  %22 = arith.constant 0 : index
  %23 = memref.load %3[%22] : memref<1xi32>
  %24 = arith.constant 0 : index
  %25 = memref.load %1[%24] : memref<1xi32>
  %26 = arith.muli %23, %25 overflow<nsw> : i32
  %27 = arith.constant 0 : index
  %28 = memref.load %3[%27] : memref<1xi32>
  %29 = arith.addi %26, %28 overflow<nsw> : i32
  %30 = arith.index_cast %29 : i32 to index
  %31 = memref.load %arg0[%30] : memref<?xf64>
  %32 = arith.constant 0 : index
  %33 = memref.load %11[%32] : memref<1xi32>
  %34 = arith.constant 0 : index
  %35 = memref.load %1[%34] : memref<1xi32>
  %36 = arith.muli %33, %35 overflow<nsw> : i32
  %37 = arith.constant 0 : index
  %38 = memref.load %3[%37] : memref<1xi32>
  %39 = arith.addi %36, %38 overflow<nsw> : i32
  %40 = arith.index_cast %39 : i32 to index
  %41 = memref.load %arg0[%40] : memref<?xf64>
  %42 = arith.divf %41, %31 : f64
  memref.store %42, %arg0[%40] : memref<?xf64>
  %44 = arith.constant 0 : index
  %45 = memref.load %3[%44] : memref<1xi32>
  %46 = arith.constant 1 : i32
  %47 = arith.addi %45, %46 overflow<nsw> : i32
  %48 = arith.constant 0 : index
  memref.store %47, %43[%48] : memref<1xi32>
  cf.br ^bb9
^bb9:
  %49 = arith.constant 0 : index
  %50 = memref.load %43[%49] : memref<1xi32>
  %51 = arith.constant 0 : index
  %52 = memref.load %1[%51] : memref<1xi32>
  %53 = arith.cmpi slt, %50, %52 : i32
  cf.cond_br %53, ^bb10, ^bb12
^bb10:
  %54 = arith.constant 0 : index
  %55 = memref.load %11[%54] : memref<1xi32>
  %56 = arith.constant 0 : index
  %57 = memref.load %1[%56] : memref<1xi32>
  %58 = arith.muli %55, %57 overflow<nsw> : i32
  %59 = arith.constant 0 : index
  %60 = memref.load %3[%59] : memref<1xi32>
  %61 = arith.addi %58, %60 overflow<nsw> : i32
  %62 = arith.index_cast %61 : i32 to index
  %63 = memref.load %arg0[%62] : memref<?xf64>
  %64 = arith.constant 0 : index
  %65 = memref.load %3[%64] : memref<1xi32>
  %66 = arith.constant 0 : index
  %67 = memref.load %1[%66] : memref<1xi32>
  %68 = arith.muli %65, %67 overflow<nsw> : i32
  %69 = arith.constant 0 : index
  %70 = memref.load %43[%69] : memref<1xi32>
  %71 = arith.addi %68, %70 overflow<nsw> : i32
  %72 = arith.index_cast %71 : i32 to index
  %73 = memref.load %arg0[%72] : memref<?xf64>
  %74 = arith.mulf %63, %73 : f64
  %75 = arith.constant 0 : index
  %76 = memref.load %11[%75] : memref<1xi32>
  %77 = arith.constant 0 : index
  %78 = memref.load %1[%77] : memref<1xi32>
  %79 = arith.muli %76, %78 overflow<nsw> : i32
  %80 = arith.constant 0 : index
  %81 = memref.load %43[%80] : memref<1xi32>
  %82 = arith.addi %79, %81 overflow<nsw> : i32
  %83 = arith.index_cast %82 : i32 to index
  %84 = memref.load %arg0[%83] : memref<?xf64>
  %85 = arith.subf %84, %74 : f64
  memref.store %85, %arg0[%83] : memref<?xf64>
  cf.br ^bb11
^bb11:
  %86 = arith.constant 0 : index
  %87 = memref.load %43[%86] : memref<1xi32>
  %88 = arith.constant 1 : i32
  %89 = arith.addi %87, %88 overflow<nsw> : i32
  memref.store %89, %43[%86] : memref<1xi32>
  cf.br ^bb9
^bb12:
  cf.br ^bb7
^bb7:
  %90 = arith.constant 0 : index
  %91 = memref.load %11[%90] : memref<1xi32>
  %92 = arith.constant 1 : i32
  %93 = arith.addi %91, %92 overflow<nsw> : i32
  memref.store %93, %11[%90] : memref<1xi32>
  cf.br ^bb5
^bb8:
  cf.br ^bb3
^bb3:
  %94 = arith.constant 0 : index
  %95 = memref.load %3[%94] : memref<1xi32>
  %96 = arith.constant 1 : i32
  %97 = arith.addi %95, %96 overflow<nsw> : i32
  memref.store %97, %3[%94] : memref<1xi32>
  cf.br ^bb1
^bb4:
  cf.br ^end
^end:
  return
}
