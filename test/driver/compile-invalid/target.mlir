// Targets that there are no libraries for, and processors that nobody has.
// RUN: rm -rf %t && mkdir %t
// RUN: not ad-opt compile %s --target=gpu-emulate -o %t/f.so 2>&1 | FileCheck %s --check-prefix=EMULATE
// RUN: not ad-opt compile %s --target=abacus -o %t/f.so 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not ad-opt compile %s --cpu=abacus -o %t/f.so 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: ls -A %t | count 0

// EMULATE: error: --target=gpu-emulate is for 'ad-opt run' only
// TARGET: error: invalid value 'abacus' for '--target <TARGET>'
// CPU: error: invalid value 'abacus' for '--cpu <CPU>'
// CPU: possible values: native, generic
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
