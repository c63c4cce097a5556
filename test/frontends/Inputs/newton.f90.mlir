// What flang 22.1.8 makes of newton.f90 without optimisation, written by fir_to_memref.py.
func.func @_QPnewton(%arg0: memref<f64>, %arg1: memref<f64>) -> f64 {
  %c1 = arith.constant 1 : index
  %cst = arith.constant 3.000000e+00 : f64
  %alloca = memref.alloca() : memref<f64>
  %alloca_0 = memref.alloca() : memref<f64>
  %0 = memref.load %arg0[] : memref<f64>
  memref.store %0, %alloca_0[] : memref<f64>
  %1 = memref.load %arg0[] : memref<f64>
  memref.store %1, %alloca[] : memref<f64>
  cf.br ^bb1
^bb1:  // 2 preds: ^bb0, ^bb2
  %2 = memref.load %alloca[] : memref<f64>
  %3 = math.absf %2 fastmath<contract> : f64
  %4 = memref.load %arg1[] : memref<f64>
  %5 = arith.cmpf oge, %3, %4 fastmath<contract> : f64
  cf.cond_br %5, ^bb2, ^bb3
^bb2:  // pred: ^bb1
  %6 = memref.load %alloca_0[] : memref<f64>
  %7 = memref.load %alloca_0[] : memref<f64>
  %8 = arith.mulf %6, %7 fastmath<contract> : f64
  %9 = memref.load %alloca_0[] : memref<f64>
  %10 = arith.mulf %8, %9 fastmath<contract> : f64
  %11 = memref.load %arg0[] : memref<f64>
  %12 = arith.subf %10, %11 fastmath<contract> : f64
  %13 = memref.load %alloca_0[] : memref<f64>
  %14 = arith.mulf %13, %cst fastmath<contract> : f64
  %15 = memref.load %alloca_0[] : memref<f64>
  %16 = arith.mulf %14, %15 fastmath<contract> : f64
  %17 = arith.divf %12, %16 fastmath<contract> : f64
  memref.store %17, %alloca[] : memref<f64>
  %18 = memref.load %alloca_0[] : memref<f64>
  %19 = memref.load %alloca[] : memref<f64>
  %20 = arith.subf %18, %19 fastmath<contract> : f64
  memref.store %20, %alloca_0[] : memref<f64>
  cf.br ^bb1
^bb3:  // pred: ^bb1
  %21 = memref.load %alloca_0[] : memref<f64>
  return %21 : f64
}
