// What the host has of `affine` loops and of vectors touches the device's memory, too: it is in kernels.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(6,)' 1 2 3 4 5 6
// DEFINE: %{target} = cpu
// DEFINE: %{run} = ad-opt run %s --input=%t.npy --target=%{target}
// DEFINE: %{all} = %{run} --entry=affine | FileCheck %s --check-prefix=AFFINE && %{run} --entry=vectors | FileCheck %s --check-prefix=VECTORS
// RUN: %{all}
// REDEFINE: %{target} = gpu-emulate
// RUN: %{all}

// AFFINE: {{^}}[1.0, 4.0, 6.0, 8.0, 10.0, 1.0]{{$}}
func.func @affine(%x: memref<6xf64>) -> memref<6xf64> {
  affine.parallel (%i) = (1) to (5) {
    %v = affine.load %x[%i] : memref<6xf64>
    %w = arith.addf %v, %v : f64
    affine.store %w, %x[%i] : memref<6xf64>
  }
  affine.for %i = 0 to 1 {
    %v = affine.load %x[%i] : memref<6xf64>
    affine.store %v, %x[%i + 5] : memref<6xf64>
  }
  return %x : memref<6xf64>
}

// VECTORS: {{^}}[1.0, 2.0, 4.0, 6.0, 5.0, 6.0]{{$}}
func.func @vectors(%x: memref<6xf64>) -> memref<6xf64> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %a = vector.load %x[%c0] : memref<6xf64>, vector<2xf64>
  %b = vector.load %x[%c2] : memref<6xf64>, vector<2xf64>
  %s = arith.addf %a, %b : vector<2xf64>
  vector.store %s, %x[%c2] : memref<6xf64>, vector<2xf64>
  return %x : memref<6xf64>
}
