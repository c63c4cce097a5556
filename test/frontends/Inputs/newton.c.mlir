// What clang 22.1.8 reads in newton.c, written by c_to_memref.py.
func.func @newton(%arg0: f64, %arg1: f64) -> f64 {
  %1 = memref.alloca() : memref<1xf64>
  %3 = memref.alloca() : memref<1xf64>
  %5 = memref.alloca() : memref<1xf64>
  %6 = memref.alloca() : memref<1xf64>
  %10 = memref.alloca() : memref<1xf64>
  %2 = arith.constant 0 : index
  memref.store %arg0, %1[%2] : memref<1xf64>
  %4 = arith.constant 0 : index
  memref.store %arg1, %3[%4] : memref<1xf64>
  %7 = arith.constant 0 : index
  %8 = memref.load %1[%7] : memref<1xf64>
  %9 = arith.constant 0 : index
  memref.store %8, %6[%9] : memref<1xf64>
  cf.br ^bb1
^bb1:
  cf.br ^bb2
^bb2:
  %11 = arith.constant 0 : index
  %12 = memref.load %6[%11] : memref<1xf64>
  %13 = arith.constant 0 : index
  %14 = memref.load %6[%13] : memref<1xf64>
  %15 = arith.mulf %12, %14 : f64
  %16 = arith.constant 0 : index
  %17 = memref.load %6[%16] : memref<1xf64>
  %18 = arith.mulf %15, %17 : f64
  %19 = arith.constant 0 : index
  %20 = memref.load %1[%19] : memref<1xf64>
  %21 = arith.subf %18, %20 : f64
  %22 = arith.constant 3 : i32
  %23 = arith.sitofp %22 : i32 to f64
  %24 = arith.constant 0 : index
  %25 = memref.load %6[%24] : memref<1xf64>
  %26 = arith.mulf %23, %25 : f64
  %27 = arith.constant 0 : index
  %28 = memref.load %6[%27] : memref<1xf64>
  %29 = arith.mulf %26, %28 : f64
  %30 = arith.divf %21, %29 : f64
  %31 = arith.constant 0 : index
  memref.store %30, %10[%31] : memref<1xf64>
  %32 = arith.constant 0 : index
  %33 = memref.load %10[%32] : memref<1xf64>
  %34 = arith.constant 0 : index
  %35 = memref.load %6[%34] : memref<1xf64>
  %36 = arith.subf %35, %33 : f64
  memref.store %36, %6[%34] : memref<1xf64>
  %37 = arith.constant 0 : index
  %38 = memref.load %10[%37] : memref<1xf64>
  %39 = math.absf %38 : f64
  %40 = arith.constant 0 : index
  %41 = memref.load %3[%40] : memref<1xf64>
  %42 = arith.cmpf olt, %39, %41 : f64
  cf.cond_br %42, ^bb5, ^bb6
^bb5:
  cf.br ^bb4
^bb6:
  cf.br ^bb3
^bb3:
  cf.br ^bb1
^bb4:
  %43 = arith.constant 0 : index
  %44 = memref.load %6[%43] : memref<1xf64>
  %45 = arith.constant 0 : index
  memref.store %44, %5[%45] : memref<1xf64>
  cf.br ^end
^end:
  %46 = arith.constant 0 : index
  %47 = memref.load %5[%46] : memref<1xf64>
  return %47 : f64
}
