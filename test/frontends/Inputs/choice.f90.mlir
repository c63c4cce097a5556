// What flang 22.1.8 makes of choice.f90 without optimisation, written by fir_to_memref.py.
func.func @_QPchoice(%arg0: memref<f64>, %arg1: memref<i32>) -> f64 {
  %c1 = arith.constant 1 : index
  %cst = arith.constant 1.000000e+00 : f64
  %cst_0 = arith.constant 1.000000e-02 : f64
  %c5_i32 = arith.constant 5 : i32
  %c2_i32 = arith.constant 2 : i32
  %c1_i32 = arith.constant 1 : i32
  %c0_i32 = arith.constant 0 : i32
  %alloca = memref.alloca() : memref<f64>
  %0 = memref.load %arg1[] : memref<i32>
  cf.switch %0 : i32, [
    default: ^bb5,
    0: ^bb1,
    1: ^bb2,
    2: ^bb3,
    5: ^bb4
  ]
^bb1:  // pred: ^bb0
  %1 = memref.load %arg0[] : memref<f64>
  %2 = math.tanh %1 fastmath<contract> : f64
  memref.store %2, %alloca[] : memref<f64>
  cf.br ^bb7
^bb2:  // pred: ^bb0
  %3 = memref.load %arg0[] : memref<f64>
  %4 = memref.load %arg0[] : memref<f64>
  %5 = arith.mulf %3, %4 fastmath<contract> : f64
  %6 = math.sin %5 fastmath<contract> : f64
  memref.store %6, %alloca[] : memref<f64>
  cf.br ^bb6
^bb3:  // pred: ^bb0
  %7 = memref.load %arg0[] : memref<f64>
  %8 = math.sin %7 fastmath<contract> : f64
  memref.store %8, %alloca[] : memref<f64>
  cf.br ^bb6
^bb4:  // pred: ^bb0
  %9 = memref.load %arg0[] : memref<f64>
  %10 = memref.load %arg0[] : memref<f64>
  %11 = arith.mulf %10, %cst_0 fastmath<contract> : f64
  %12 = arith.cmpf ogt, %9, %11 fastmath<contract> : f64
  %13 = arith.select %12, %9, %11 : f64
  memref.store %13, %alloca[] : memref<f64>
  cf.br ^bb6
^bb5:  // pred: ^bb0
  %14 = memref.load %arg0[] : memref<f64>
  %15 = arith.negf %14 fastmath<contract> : f64
  %16 = math.exp %15 fastmath<contract> : f64
  %17 = arith.addf %16, %cst fastmath<contract> : f64
  %18 = arith.divf %cst, %17 fastmath<contract> : f64
  memref.store %18, %alloca[] : memref<f64>
  cf.br ^bb6
^bb6:  // 4 preds: ^bb2, ^bb3, ^bb4, ^bb5
  %19 = memref.load %alloca[] : memref<f64>
  %20 = memref.load %arg0[] : memref<f64>
  %21 = arith.mulf %19, %20 fastmath<contract> : f64
  memref.store %21, %alloca[] : memref<f64>
  cf.br ^bb7
^bb7:  // 2 preds: ^bb1, ^bb6
  %22 = memref.load %alloca[] : memref<f64>
  return %22 : f64
}
