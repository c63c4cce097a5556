// What clang 22.1.8 reads in log_sum_exp.c, written by c_to_memref.py.
func.func @log_sum_exp(%arg0: memref<?xf64>, %arg1: i32) -> f64 {
  %1 = memref.alloca() : memref<1xi32>
  %3 = memref.alloca() : memref<1xf64>
  %4 = memref.alloca() : memref<1xf64>
  %9 = memref.alloca() : memref<1xf64>
  %13 = memref.alloca() : memref<1xi32>
  %37 = memref.alloca() : memref<1xi32>
  %2 = arith.constant 0 : index
  memref.store %arg1, %1[%2] : memref<1xi32>
  %5 = arith.constant 0 : i32
  %6 = arith.index_cast %5 : i32 to index
  %7 = memref.load %arg0[%6] : memref<?xf64>
  %8 = arith.constant 0 : index
  memref.store %7, %4[%8] : memref<1xf64>
  %10 = arith.constant 0 : i32
  %11 = arith.sitofp %10 : i32 to f64
  %12 = arith.constant 0 : index
  memref.store %11, %9[%12] : memref<1xf64>
  %14 = arith.constant 1 : i32
  %15 = arith.constant 0 : index
  memref.store %14, %13[%15] : memref<1xi32>
  cf.br ^bb1
^bb1:
  %16 = arith.constant 0 : index
  %17 = memref.load %13[%16] : memref<1xi32>
  %18 = arith.constant 0 : index
  %19 = memref.load %1[%18] : memref<1xi32>
  %20 = arith.cmpi slt, %17, %19 : i32
  cf.cond_br %20, ^bb2, ^bb4
^bb2:
  %21 = arith.constant 0 : index
  %22 = memref.load %13[%21] : memref<1xi32>
  %23 = arith.index_cast %22 : i32 to index
  %24 = memref.load %arg0[%23] : memref<?xf64>
  %25 = arith.constant 0 : index
  %26 = memref.load %4[%25] : memref<1xf64>
  %27 = arith.cmpf ogt, %24, %26 : f64
  cf.cond_br %27, ^bb5, ^bb6
^bb5:
  %28 = arith.constant 0 : index
  %29 = memref.load %13[%28] : memref<1xi32>
  %30 = arith.index_cast %29 : i32 to index
  %31 = memref.load %arg0[%30] : memref<?xf64>
  %32 = arith.constant 0 : index
  memref.store %31, %4[%32] : memref<1xf64>
  cf.br ^bb6
^bb6:
  cf.br ^bb3
^bb3:
  %33 = arith.constant 0 : index
  %34 = memref.load %13[%33] : memref<1xi32>
  %35 = arith.constant 1 : i32
  %36 = arith.addi %34, %35 overflow<nsw> : i32
  memref.store %36, %13[%33] : memref<1xi32>
  cf.br ^bb1
^bb4:
  %38 = arith.constant 0 : i32
  %39 = arith.constant 0 : index
  memref.store %38, %37[%39] : memref<1xi32>
  cf.br ^bb7
^bb7:
  %40 = arith.constant 0 : index
  %41 = memref.load %37[%40] : memref<1xi32>
  %42 = arith.constant 0 : index
  %43 = memref.load %1[%42] : memref<1xi32>
  %44 = arith.cmpi slt, %41, %43 : i32
  cf.cond_br %44, ^bb8, ^bb10
^bb8:
  %45 = arith.constant 0 : index
  %46 = memref.load %37[%45] : memref<1xi32>
  %47 = arith.index_cast %46 : i32 to index
  %48 = memref.load %arg0[%47] : memref<?xf64>
  %49 = arith.constant 0 : index
  %50 = memref.load %4[%49] : memref<1xf64>
  %51 = arith.subf %48, %50 : f64
  %52 = math.exp %51 : f64
  %53 = arith.constant 0 : index
  %54 = memref.load %9[%53] : memref<1xf64>
  %55 = arith.addf %54, %52 : f64
  memref.store %55, %9[%53] : memref<1xf64>
  cf.br ^bb9
^bb9:
  %56 = arith.constant 0 : index
  %57 = memref.load %37[%56] : memref<1xi32>
  %58 = arith.constant 1 : i32
  %59 = arith.addi %57, %58 overflow<nsw> : i32
  memref.store %59, %37[%56] : memref<1xi32>
  cf.br ^bb7
^bb10:
  %60 = arith.constant 0 : index
  %61 = memref.load %4[%60] : memref<1xf64>
  %62 = arith.constant 0 : index
  %63 = memref.load %9[%62] : memref<1xf64>
  %64 = math.log %63 : f64
  %65 = arith.addf %61, %64 : f64
  %66 = arith.constant 0 : index
  memref.store %65, %3[%66] : memref<1xf64>
  cf.br ^end
^end:
  %67 = arith.constant 0 : index
  %68 = memref.load %3[%67] : memref<1xf64>
  return %68 : f64
}
