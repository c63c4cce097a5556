// Arrays as the buffers that programs of front ends take, and what is in them afterwards.

func.func private @buffer(%x: tensor<?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %m = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %a = tensor.extract %x[%i] : tensor<?xf64>
    memref.store %a, %m[%i] : memref<?xf64>
  }
  return %m : memref<?xf64>
}

func.func private @array(%m: memref<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  %none = tensor.empty(%n) : tensor<?xf64>
  %x = scf.for %i = %c0 to %n step %c1 iter_args(%v = %none) -> (tensor<?xf64>) {
    %a = memref.load %m[%i] : memref<?xf64>
    %w = tensor.insert %a into %v[%i] : tensor<?xf64>
    scf.yield %w : tensor<?xf64>
  }
  return %x : tensor<?xf64>
}

// Fortran passes numbers by their addresses.
func.func private @number(%x: f64) -> memref<f64> {
  %m = memref.alloc() : memref<f64>
  memref.store %x, %m[] : memref<f64>
  return %m : memref<f64>
}

func.func private @integer(%n: i32) -> memref<i32> {
  %m = memref.alloc() : memref<i32>
  memref.store %n, %m[] : memref<i32>
  return %m : memref<i32>
}

func.func private @integers(%x: tensor<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %m = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %a = tensor.extract %x[%i] : tensor<?xi32>
    memref.store %a, %m[%i] : memref<?xi32>
  }
  return %m : memref<?xi32>
}
