// Tensor cores of a processor that has none, of a kind that nobody has, and none beside some.
// RUN: not ad-opt run %s --entry=f --input=1 --tensor-cores=f64 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not ad-opt run %s --entry=f --input=1 --target=gpu-emulate --tensor-cores=f64,f8 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not ad-opt run %s --entry=f --input=1 --target=gpu-emulate --tensor-cores=tf32,none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=f --input=1 --tensor-cores=none | FileCheck %s
// RUN: not ad-opt compile %s --tensor-cores=tf32 -o %t.so 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: --tensor-cores is for --target=cuda and --target=gpu-emulate only
// KIND: error: invalid value 'f8' for '--tensor-cores <KINDS>'
// KIND: possible values: none, f64, tf32, f16, bf16
// NONE: error: --tensor-cores has none beside others
// CHECK: 1.0
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
