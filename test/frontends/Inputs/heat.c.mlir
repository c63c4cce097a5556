// What clang 22.1.8 reads in heat.c, written by c_to_memref.py.
func.func @step(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: i32, %arg3: f64) {
  %1 = memref.alloca() : memref<1xi32>
  %3 = memref.alloca() : memref<1xf64>
  %5 = memref.alloca() : memref<1xi32>
  %2 = arith.constant 0 : index
  memref.store %arg2, %1[%2] : memref<1xi32>
  %4 = arith.constant 0 : index
  memref.store %arg3, %3[%4] : memref<1xf64>
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
  %13 = arith.constant 0 : index
  %14 = memref.load %5[%13] : memref<1xi32>
  %15 = arith.constant 0 : i32
  %16 = arith.cmpi eq, %14, %15 : i32
  cf.cond_br %16, ^bb7, ^bb8
^bb7:
  %17 = arith.constant true
  cf.br ^bb9(%17 : i1)
^bb8:
  %18 = arith.constant 0 : index
  %19 = memref.load %5[%18] : memref<1xi32>
  %20 = arith.constant 0 : index
  %21 = memref.load %1[%20] : memref<1xi32>
  %22 = arith.constant 1 : i32
  %23 = arith.subi %21, %22 overflow<nsw> : i32
  %24 = arith.cmpi eq, %19, %23 : i32
  cf.br ^bb9(%24 : i1)
^bb9(%25: i1):
  cf.cond_br %25, ^bb5, ^bb6
^bb5:
  %26 = arith.constant 0 : index
  %27 = memref.load %5[%26] : memref<1xi32>
  %28 = arith.index_cast %27 : i32 to index
  %29 = memref.load %arg0[%28] : memref<?xf64>
  %30 = arith.constant 0 : index
  %31 = memref.load %5[%30] : memref<1xi32>
  %32 = arith.index_cast %31 : i32 to index
  memref.store %29, %arg1[%32] : memref<?xf64>
  cf.br ^bb3
^bb6:
  %33 = arith.constant 0 : index
  %34 = memref.load %5[%33] : memref<1xi32>
  %35 = arith.index_cast %34 : i32 to index
  %36 = memref.load %arg0[%35] : memref<?xf64>
  %37 = arith.constant 0 : index
  %38 = memref.load %3[%37] : memref<1xf64>
  %39 = arith.constant 0 : index
  %40 = memref.load %5[%39] : memref<1xi32>
  %41 = arith.index_cast %40 : i32 to index
  %42 = memref.load %arg0[%41] : memref<?xf64>
  %43 = arith.mulf %38, %42 : f64
  %44 = arith.constant 0 : index
  %45 = memref.load %5[%44] : memref<1xi32>
  %46 = arith.constant 1 : i32
  %47 = arith.subi %45, %46 overflow<nsw> : i32
  %48 = arith.index_cast %47 : i32 to index
  %49 = memref.load %arg0[%48] : memref<?xf64>
  %50 = arith.constant 2 : i32
  %51 = arith.sitofp %50 : i32 to f64
  %52 = arith.constant 0 : index
  %53 = memref.load %5[%52] : memref<1xi32>
  %54 = arith.index_cast %53 : i32 to index
  %55 = memref.load %arg0[%54] : memref<?xf64>
  %56 = arith.mulf %51, %55 : f64
  %57 = arith.subf %49, %56 : f64
  %58 = arith.constant 0 : index
  %59 = memref.load %5[%58] : memref<1xi32>
  %60 = arith.constant 1 : i32
  %61 = arith.addi %59, %60 overflow<nsw> : i32
  %62 = arith.index_cast %61 : i32 to index
  %63 = memref.load %arg0[%62] : memref<?xf64>
  %64 = arith.addf %57, %63 : f64
  %65 = arith.mulf %43, %64 : f64
  %66 = arith.addf %36, %65 : f64
  %67 = arith.constant 0 : index
  %68 = memref.load %5[%67] : memref<1xi32>
  %69 = arith.index_cast %68 : i32 to index
  memref.store %66, %arg1[%69] : memref<?xf64>
  cf.br ^bb3
^bb3:
  %70 = arith.constant 0 : index
  %71 = memref.load %5[%70] : memref<1xi32>
  %72 = arith.constant 1 : i32
  %73 = arith.addi %71, %72 overflow<nsw> : i32
  memref.store %73, %5[%70] : memref<1xi32>
  cf.br ^bb1
^bb4:
  cf.br ^end
^end:
  return
}
func.func @heat(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: i32, %arg3: i32, %arg4: f64) {
  %1 = memref.alloca() : memref<1xi32>
  %3 = memref.alloca() : memref<1xi32>
  %5 = memref.alloca() : memref<1xf64>
  %7 = memref.alloca() : memref<1xi32>
  %19 = memref.alloca() : memref<1xi32>
  %2 = arith.constant 0 : index
  memref.store %arg2, %1[%2] : memref<1xi32>
  %4 = arith.constant 0 : index
  memref.store %arg3, %3[%4] : memref<1xi32>
  %6 = arith.constant 0 : index
  memref.store %arg4, %5[%6] : memref<1xf64>
  %8 = arith.constant 0 : i32
  %9 = arith.constant 0 : index
  memref.store %8, %7[%9] : memref<1xi32>
  cf.br ^bb1
^bb1:
  %10 = arith.constant 0 : index
  %11 = memref.load %7[%10] : memref<1xi32>
  %12 = arith.constant 0 : index
  %13 = memref.load %3[%12] : memref<1xi32>
  %14 = arith.cmpi slt, %11, %13 : i32
  cf.cond_br %14, ^bb2, ^bb4
^bb2:
  %15 = arith.constant 0 : index
  %16 = memref.load %1[%15] : memref<1xi32>
  %17 = arith.constant 0 : index
  %18 = memref.load %5[%17] : memref<1xf64>
  func.call @step(%arg0, %arg1, %16, %18) : (memref<?xf64>, memref<?xf64>, i32, f64) -> ()
  %20 = arith.constant 0 : i32
  %21 = arith.constant 0 : index
  memref.store %20, %19[%21] : memref<1xi32>
  cf.br ^bb5
^bb5:
  %22 = arith.constant 0 : index
  %23 = memref.load %19[%22] : memref<1xi32>
  %24 = arith.constant 0 : index
  %25 = memref.load %1[%24] : memref<1xi32>
  %26 = arith.cmpi slt, %23, %25 : i32
  cf.cond_br %26, ^bb6, ^bb8
^bb6:
  %27 = arith.constant 0 : index
  %28 = memref.load %19[%27] : memref<1xi32>
  %29 = arith.index_cast %28 : i32 to index
  %30 = memref.load %arg1[%29] : memref<?xf64>
  %31 = arith.constant 0 : index
  %32 = memref.load %19[%31] : memref<1xi32>
  %33 = arith.index_cast %32 : i32 to index
  memref.store %30, %arg0[%33] : memref<?xf64>
  cf.br ^bb7
^bb7:
  %34 = arith.constant 0 : index
  %35 = memref.load %19[%34] : memref<1xi32>
  %36 = arith.constant 1 : i32
  %37 = arith.addi %35, %36 overflow<nsw> : i32
  memref.store %37, %19[%34] : memref<1xi32>
  cf.br ^bb5
^bb8:
  cf.br ^bb3
^bb3:
  %38 = arith.constant 0 : index
  %39 = memref.load %7[%38] : memref<1xi32>
  %40 = arith.constant 1 : i32
  %41 = arith.addi %39, %40 overflow<nsw> : i32
  memref.store %41, %7[%38] : memref<1xi32>
  cf.br ^bb1
^bb4:
  cf.br ^end
^end:
  return
}
