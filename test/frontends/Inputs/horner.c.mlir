// What clang 22.1.8 reads in horner.c, written by c_to_memref.py.
func.func @horner(%arg0: memref<?xf64>, %arg1: i32, %arg2: f64) -> f64 {
  %1 = memref.alloca() : memref<1xi32>
  %3 = memref.alloca() : memref<1xf64>
  %5 = memref.alloca() : memref<1xf64>
  %6 = memref.alloca() : memref<1xf64>
  %10 = memref.alloca() : memref<1xi32>
  %2 = arith.constant 0 : index
  memref.store %arg1, %1[%2] : memref<1xi32>
  %4 = arith.constant 0 : index
  memref.store %arg2, %3[%4] : memref<1xf64>
  %7 = arith.constant 0 : i32
  %8 = arith.sitofp %7 : i32 to f64
  %9 = arith.constant 0 : index
  memref.store %8, %6[%9] : memref<1xf64>
  %11 = arith.constant 0 : index
  %12 = memref.load %1[%11] : memref<1xi32>
  %13 = arith.constant 1 : i32
  %14 = arith.subi %12, %13 overflow<nsw> : i32
  %15 = arith.constant 0 : index
  memref.store %14, %10[%15] : memref<1xi32>
  cf.br ^bb1
^bb1:
  %16 = arith.constant 0 : index
  %17 = memref.load %10[%16] : memref<1xi32>
  %18 = arith.constant 0 : i32
  %19 = arith.cmpi sge, %17, %18 : i32
  cf.cond_br %19, ^bb2, ^bb4
^bb2:
  %20 = arith.constant 0 : index
  %21 = memref.load %6[%20] : memref<1xf64>
  %22 = arith.constant 0 : index
  %23 = memref.load %3[%22] : memref<1xf64>
  %24 = arith.mulf %21, %23 : f64
  %25 = arith.constant 0 : index
  %26 = memref.load %10[%25] : memref<1xi32>
  %27 = arith.index_cast %26 : i32 to index
  %28 = memref.load %arg0[%27] : memref<?xf64>
  %29 = arith.addf %24, %28 : f64
  %30 = arith.constant 0 : index
  memref.store %29, %6[%30] : memref<1xf64>
  cf.br ^bb3
^bb3:
  %31 = arith.constant 0 : index
  %32 = memref.load %10[%31] : memref<1xi32>
  %33 = arith.constant 1 : i32
  %34 = arith.subi %32, %33 overflow<nsw> : i32
  memref.store %34, %10[%31] : memref<1xi32>
  cf.br ^bb1
^bb4:
  %35 = arith.constant 0 : index
  %36 = memref.load %6[%35] : memref<1xf64>
  %37 = arith.constant 0 : index
  memref.store %36, %5[%37] : memref<1xf64>
  cf.br ^end
^end:
  %38 = arith.constant 0 : index
  %39 = memref.load %5[%38] : memref<1xf64>
  return %39 : f64
}
