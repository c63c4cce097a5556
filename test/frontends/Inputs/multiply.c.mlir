// What clang 22.1.8 reads in multiply.c, written by c_to_memref.py.
func.func @multiply(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: memref<?xf64>, %arg3: i32) {
  %1 = memref.alloca() : memref<1xi32>
  %3 = memref.alloca() : memref<1xi32>
  %21 = memref.alloca() : memref<1xi32>
  %29 = memref.alloca() : memref<1xf64>
  %33 = memref.alloca() : memref<1xi32>
  %2 = arith.constant 0 : index
  memref.store %arg3, %1[%2] : memref<1xi32>
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
  %11 = arith.constant 0 : index
  %12 = memref.load %3[%11] : memref<1xi32>
  %13 = arith.constant 0 : index
  %14 = memref.load %1[%13] : memref<1xi32>
  %15 = arith.muli %12, %14 overflow<nsw> : i32
  %16 = arith.index_cast %15 : i32 to index
  %17 = arith.constant 0 : index
  %18 = memref.dim %arg0, %17 : memref<?xf64>
  %19 = arith.subi %18, %16 : index
  %20 = memref.reinterpret_cast %arg0 to offset: [%16], sizes: [%19], strides: [1] : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
  %22 = arith.constant 0 : i32
  %23 = arith.constant 0 : index
  memref.store %22, %21[%23] : memref<1xi32>
  cf.br ^bb5
^bb5:
  %24 = arith.constant 0 : index
  %25 = memref.load %21[%24] : memref<1xi32>
  %26 = arith.constant 0 : index
  %27 = memref.load %1[%26] : memref<1xi32>
  %28 = arith.cmpi slt, %25, %27 : i32
  cf.cond_br %28, ^bb6, ^bb8
^bb6:
  %30 = arith.constant 0 : i32
  %31 = arith.sitofp %30 : i32 to f64
  %32 = arith.constant 0 : index
  memref.store %31, %29[%32] : memref<1xf64>
  %34 = arith.constant 0 : i32
  %35 = arith.constant 0 : index
  memref.store %34, %33[%35] : memref<1xi32>
  cf.br ^bb9
^bb9:
  %36 = arith.constant 0 : index
  %37 = memref.load %33[%36] : memref<1xi32>
  %38 = arith.constant 0 : index
  %39 = memref.load %1[%38] : memref<1xi32>
  %40 = arith.cmpi slt, %37, %39 : i32
  cf.cond_br %40, ^bb10, ^bb12
^bb10:
  %41 = arith.constant 0 : index
  %42 = memref.load %33[%41] : memref<1xi32>
  %43 = arith.index_cast %42 : i32 to index
  %44 = memref.load %20[%43] : memref<?xf64, strided<[1], offset: ?>>
  %45 = arith.constant 0 : index
  %46 = memref.load %33[%45] : memref<1xi32>
  %47 = arith.constant 0 : index
  %48 = memref.load %1[%47] : memref<1xi32>
  %49 = arith.muli %46, %48 overflow<nsw> : i32
  %50 = arith.constant 0 : index
  %51 = memref.load %21[%50] : memref<1xi32>
  %52 = arith.addi %49, %51 overflow<nsw> : i32
  %53 = arith.index_cast %52 : i32 to index
  %54 = memref.load %arg1[%53] : memref<?xf64>
  %55 = arith.mulf %44, %54 : f64
  %56 = arith.constant 0 : index
  %57 = memref.load %29[%56] : memref<1xf64>
  %58 = arith.addf %57, %55 : f64
  memref.store %58, %29[%56] : memref<1xf64>
  cf.br ^bb11
^bb11:
  %59 = arith.constant 0 : index
  %60 = memref.load %33[%59] : memref<1xi32>
  %61 = arith.constant 1 : i32
  %62 = arith.addi %60, %61 overflow<nsw> : i32
  memref.store %62, %33[%59] : memref<1xi32>
  cf.br ^bb9
^bb12:
  %63 = arith.constant 0 : index
  %64 = memref.load %29[%63] : memref<1xf64>
  %65 = arith.constant 0 : index
  %66 = memref.load %3[%65] : memref<1xi32>
  %67 = arith.constant 0 : index
  %68 = memref.load %1[%67] : memref<1xi32>
  %69 = arith.muli %66, %68 overflow<nsw> : i32
  %70 = arith.constant 0 : index
  %71 = memref.load %21[%70] : memref<1xi32>
  %72 = arith.addi %69, %71 overflow<nsw> : i32
  %73 = arith.index_cast %72 : i32 to index
  memref.store %64, %arg2[%73] : memref<?xf64>
  cf.br ^bb7
^bb7:
  %74 = arith.constant 0 : index
  %75 = memref.load %21[%74] : memref<1xi32>
  %76 = arith.constant 1 : i32
  %77 = arith.addi %75, %76 overflow<nsw> : i32
  memref.store %77, %21[%74] : memref<1xi32>
  cf.br ^bb5
^bb8:
  cf.br ^bb3
^bb3:
  %78 = arith.constant 0 : index
  %79 = memref.load %3[%78] : memref<1xi32>
  %80 = arith.constant 1 : i32
  %81 = arith.addi %79, %80 overflow<nsw> : i32
  memref.store %81, %3[%78] : memref<1xi32>
  cf.br ^bb1
^bb4:
  cf.br ^end
^end:
  return
}
