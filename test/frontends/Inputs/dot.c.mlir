// What clang 22.1.8 reads in dot.c, written by c_to_memref.py.
func.func @dot(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: i32) -> f64 {
  %1 = memref.alloca() : memref<1xi32>
  %3 = memref.alloca() : memref<1xf64>
  %11 = memref.alloca() : memref<1xf64>
  %15 = memref.alloca() : memref<1xi32>
  %2 = arith.constant 0 : index
  memref.store %arg2, %1[%2] : memref<1xi32>
  %4 = arith.constant 0 : index
  %5 = memref.load %1[%4] : memref<1xi32>
  %6 = arith.constant 0 : i32
  %7 = arith.cmpi sle, %5, %6 : i32
  cf.cond_br %7, ^bb1, ^bb2
^bb1:
  %8 = arith.constant 0 : i32
  %9 = arith.sitofp %8 : i32 to f64
  %10 = arith.constant 0 : index
  memref.store %9, %3[%10] : memref<1xf64>
  cf.br ^end
^bb2:
  %12 = arith.constant 0 : i32
  %13 = arith.sitofp %12 : i32 to f64
  %14 = arith.constant 0 : index
  memref.store %13, %11[%14] : memref<1xf64>
  %16 = arith.constant 0 : i32
  %17 = arith.constant 0 : index
  memref.store %16, %15[%17] : memref<1xi32>
  cf.br ^bb4
^bb3:
  %18 = arith.constant 0 : index
  %19 = memref.load %15[%18] : memref<1xi32>
  %20 = arith.constant 1 : i32
  %21 = arith.addi %19, %20 overflow<nsw> : i32
  memref.store %21, %15[%18] : memref<1xi32>
  %22 = arith.constant 0 : index
  %23 = memref.load %1[%22] : memref<1xi32>
  %24 = arith.cmpi slt, %21, %23 : i32
  cf.cond_br %24, ^bb4, ^bb6
^bb4:
  %25 = arith.constant 0 : index
  %26 = memref.load %15[%25] : memref<1xi32>
  %27 = arith.index_cast %26 : i32 to index
  %28 = memref.load %arg0[%27] : memref<?xf64>
  %29 = arith.constant 0 : index
  %30 = memref.load %15[%29] : memref<1xi32>
  %31 = arith.index_cast %30 : i32 to index
  %32 = memref.load %arg1[%31] : memref<?xf64>
  %33 = arith.mulf %28, %32 : f64
  %34 = arith.constant 0 : index
  %35 = memref.load %11[%34] : memref<1xf64>
  %36 = arith.addf %35, %33 : f64
  memref.store %36, %11[%34] : memref<1xf64>
  cf.br ^bb5
^bb5:
  cf.br ^bb3
^bb6:
  %37 = arith.constant 0 : index
  %38 = memref.load %11[%37] : memref<1xf64>
  %39 = arith.constant 0 : index
  memref.store %38, %3[%39] : memref<1xf64>
  cf.br ^end
^end:
  %40 = arith.constant 0 : index
  %41 = memref.load %3[%40] : memref<1xf64>
  return %41 : f64
}
