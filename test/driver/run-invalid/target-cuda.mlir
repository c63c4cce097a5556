// Without a driver nothing is compiled, and the error says what is missing.
// RUN: rm -rf %t.out
// RUN: not env AD_CUDA_DRIVER=%t.none.so ad-opt run %s --entry=f --input=1 --target=cuda --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not ad-opt run %s --entry=f --input=1 --target=cuda --threads=2 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not test -e %t.out

// CHECK: error: --target=cuda needs an NVIDIA GPU and its driver: the CUDA driver {{.*}} cannot be loaded
// THREADS: error: --threads=2 is for --target=cpu only
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
