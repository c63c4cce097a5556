// What clang 22.1.8 reads in choice.c, written by c_to_memref.py.
func.func @choice(%arg0: f64, %arg1: i32) -> f64 {
  %1 = memref.alloca() : memref<1xf64>
  %3 = memref.alloca() : memref<1xi32>
  %5 = memref.alloca() : memref<1xf64>
  %6 = memref.alloca() : memref<1xf64>
  %2 = arith.constant 0 : index
  memref.store %arg0, %1[%2] : memref<1xf64>
  %4 = arith.constant 0 : index
  memref.store %arg1, %3[%4] : memref<1xi32>
  %7 = arith.constant 0 : index
  %8 = memref.load %1[%7] : memref<1xf64>
  %9 = arith.constant 0 : index
  memref.store %8, %6[%9] : memref<1xf64>
  %10 = arith.constant 0 : index
  %11 = memref.load %3[%10] : memref<1xi32>
  cf.switch %11 : i32, [default: ^bb1, 0: ^bb3, 1: ^bb4, 2: ^bb5, 5: ^bb6]
^bb3:
  %12 = arith.constant 0 : index
  %13 = memref.load %1[%12] : memref<1xf64>
  %14 = math.tanh %13 : f64
  %15 = arith.constant 0 : index
  memref.store %14, %5[%15] : memref<1xf64>
  cf.br ^end
^bb4:
  %16 = arith.constant 0 : index
  %17 = memref.load %6[%16] : memref<1xf64>
  %18 = arith.constant 0 : index
  %19 = memref.load %6[%18] : memref<1xf64>
  %20 = arith.mulf %17, %19 : f64
  %21 = arith.constant 0 : index
  memref.store %20, %6[%21] : memref<1xf64>
  cf.br ^bb5
^bb5:
  %22 = arith.constant 0 : index
  %23 = memref.load %6[%22] : memref<1xf64>
  %24 = math.sin %23 : f64
  %25 = arith.constant 0 : index
  memref.store %24, %6[%25] : memref<1xf64>
  cf.br ^bb2
^bb6:
  %26 = arith.constant 0 : index
  %27 = memref.load %1[%26] : memref<1xf64>
  %28 = arith.constant 0 : i32
  %29 = arith.sitofp %28 : i32 to f64
  %30 = arith.cmpf ogt, %27, %29 : f64
  cf.cond_br %30, ^bb7, ^bb8
^bb7:
  %31 = arith.constant 0 : index
  %32 = memref.load %1[%31] : memref<1xf64>
  cf.br ^bb9(%32 : f64)
^bb8:
  %33 = arith.constant 0.01 : f64
  %34 = arith.constant 0 : index
  %35 = memref.load %1[%34] : memref<1xf64>
  %36 = arith.mulf %33, %35 : f64
  cf.br ^bb9(%36 : f64)
^bb9(%37: f64):
  %38 = arith.constant 0 : index
  memref.store %37, %6[%38] : memref<1xf64>
  cf.br ^bb2
^bb1:
  %39 = arith.constant 1 : i32
  %40 = arith.sitofp %39 : i32 to f64
  %41 = arith.constant 1 : i32
  %42 = arith.sitofp %41 : i32 to f64
  %43 = arith.constant 0 : index
  %44 = memref.load %6[%43] : memref<1xf64>
  %45 = arith.negf %44 : f64
  %46 = math.exp %45 : f64
  %47 = arith.addf %42, %46 : f64
  %48 = arith.divf %40, %47 : f64
  %49 = arith.constant 0 : index
  memref.store %48, %6[%49] : memref<1xf64>
  cf.br ^bb2
^bb2:
  %50 = arith.constant 0 : index
  %51 = memref.load %6[%50] : memref<1xf64>
  %52 = arith.constant 0 : index
  %53 = memref.load %1[%52] : memref<1xf64>
  %54 = arith.mulf %51, %53 : f64
  %55 = arith.constant 0 : index
  memref.store %54, %5[%55] : memref<1xf64>
  cf.br ^end
^end:
  %56 = arith.constant 0 : index
  %57 = memref.load %5[%56] : memref<1xf64>
  return %57 : f64
}
