// Targets that this build does not have, and processors that nobody has.
// RUN: rm -rf %t && mkdir %t
// RUN: not ad-opt compile %s --target=cuda -o %t/f.so 2>&1 | FileCheck %s --check-prefix=CUDA
// RUN: not ad-opt compile %s --target=abacus -o %t/f.so 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not ad-opt compile %s --cpu=abacus -o %t/f.so 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: ls -A %t | count 0

// CUDA: error: --target=cuda is not available in this build; use --target=cpu
// TARGET: error: invalid value 'abacus' for '--target <TARGET>'
// CPU: error: invalid value 'abacus' for '--cpu <CPU>'
// CPU: possible values: native, generic
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
