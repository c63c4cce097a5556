// What clang 22.1.8 reads in logistic.c, written by c_to_memref.py.
func.func @logistic(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: memref<?xi32>, %arg3: i32, %arg4: i32) -> f64 {
  %1 = memref.alloca() : memref<1xi32>
  %3 = memref.alloca() : memref<1xi32>
  %5 = memref.alloca() : memref<1xf64>
  %6 = memref.alloca() : memref<1xf64>
  %10 = memref.alloca() : memref<1xi32>
  %18 = memref.alloca() : memref<1xf64>
  %24 = memref.alloca() : memref<1xi32>
  %2 = arith.constant 0 : index
  memref.store %arg3, %1[%2] : memref<1xi32>
  %4 = arith.constant 0 : index
  memref.store %arg4, %3[%4] : memref<1xi32>
  %7 = arith.constant 0 : i32
  %8 = arith.sitofp %7 : i32 to f64
  %9 = arith.constant 0 : index
  memref.store %8, %6[%9] : memref<1xf64>
  %11 = arith.constant 0 : i32
  %12 = arith.constant 0 : index
  memref.store %11, %10[%12] : memref<1xi32>
  cf.br ^bb1
^bb1:
  %13 = arith.constant 0 : index
  %14 = memref.load %10[%13] : memref<1xi32>
  %15 = arith.constant 0 : index
  %16 = memref.load %1[%15] : memref<1xi32>
  %17 = arith.cmpi slt, %14, %16 : i32
  cf.cond_br %17, ^bb2, ^bb4
^bb2:
  %19 = arith.constant 0 : index
  %20 = memref.load %3[%19] : memref<1xi32>
  %21 = arith.index_cast %20 : i32 to index
  %22 = memref.load %arg0[%21] : memref<?xf64>
  %23 = arith.constant 0 : index
  memref.store %22, %18[%23] : memref<1xf64>
  %25 = arith.constant 0 : i32
  %26 = arith.constant 0 : index
  memref.store %25, %24[%26] : memref<1xi32>
  cf.br ^bb5
^bb5:
  %27 = arith.constant 0 : index
  %28 = memref.load %24[%27] : memref<1xi32>
  %29 = arith.constant 0 : index
  %30 = memref.load %3[%29] : memref<1xi32>
  %31 = arith.cmpi slt, %28, %30 : i32
  cf.cond_br %31, ^bb6, ^bb8
^bb6:
  %32 = arith.constant 0 : index
  %33 = memref.load %24[%32] : memref<1xi32>
  %34 = arith.index_cast %33 : i32 to index
  %35 = memref.load %arg0[%34] : memref<?xf64>
  %36 = arith.constant 0 : index
  %37 = memref.load %10[%36] : memref<1xi32>
  %38 = arith.constant 0 : index
  %39 = memref.load %3[%38] : memref<1xi32>
  %40 = arith.muli %37, %39 overflow<nsw> : i32
  %41 = arith.constant 0 : index
  %42 = memref.load %24[%41] : memref<1xi32>
  %43 = arith.addi %40, %42 overflow<nsw> : i32
  %44 = arith.index_cast %43 : i32 to index
  %45 = memref.load %arg1[%44] : memref<?xf64>
  %46 = arith.mulf %35, %45 : f64
  %47 = arith.constant 0 : index
  %48 = memref.load %18[%47] : memref<1xf64>
  %49 = arith.addf %48, %46 : f64
  memref.store %49, %18[%47] : memref<1xf64>
  cf.br ^bb7
^bb7:
  %50 = arith.constant 0 : index
  %51 = memref.load %24[%50] : memref<1xi32>
  %52 = arith.constant 1 : i32
  %53 = arith.addi %51, %52 overflow<nsw> : i32
  memref.store %53, %24[%50] : memref<1xi32>
  cf.br ^bb5
^bb8:
  %54 = arith.constant 0 : index
  %55 = memref.load %10[%54] : memref<1xi32>
  %56 = arith.index_cast %55 : i32 to index
  %57 = memref.load %arg2[%56] : memref<?xi32>
  %58 = arith.constant 0 : i32
  %59 = arith.cmpi ne, %57, %58 : i32
  cf.cond_br %59, ^bb9, ^bb10
^bb9:
  %60 = arith.constant 0 : index
  %61 = memref.load %18[%60] : memref<1xf64>
  %62 = arith.negf %61 : f64
  cf.br ^bb11(%62 : f64)
^bb10:
  %63 = arith.constant 0 : index
  %64 = memref.load %18[%63] : memref<1xf64>
  cf.br ^bb11(%64 : f64)
^bb11(%65: f64):
  %66 = math.exp %65 : f64
  %67 = math.log1p %66 : f64
  %68 = arith.constant 0 : index
  %69 = memref.load %6[%68] : memref<1xf64>
  %70 = arith.addf %69, %67 : f64
  memref.store %70, %6[%68] : memref<1xf64>
  cf.br ^bb3
^bb3:
  %71 = arith.constant 0 : index
  %72 = memref.load %10[%71] : memref<1xi32>
  %73 = arith.constant 1 : i32
  %74 = arith.addi %72, %73 overflow<nsw> : i32
  memref.store %74, %10[%71] : memref<1xi32>
  cf.br ^bb1
^bb4:
  %75 = arith.constant 0 : index
  %76 = memref.load %6[%75] : memref<1xf64>
  %77 = arith.constant 0 : index
  %78 = memref.load %1[%77] : memref<1xi32>
  %79 = arith.sitofp %78 : i32 to f64
  %80 = arith.divf %76, %79 : f64
  %81 = arith.constant 0 : index
  memref.store %80, %5[%81] : memref<1xf64>
  cf.br ^end
^end:
  %82 = arith.constant 0 : index
  %83 = memref.load %5[%82] : memref<1xf64>
  return %83 : f64
}
