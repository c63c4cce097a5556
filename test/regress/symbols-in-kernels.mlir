// Attributes that nobody knows may name symbols, which there may be or not; outlining of kernels crashed on those.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(2,)' 0 0
// RUN: ad-opt run %s --entry=f --input=%t.npy --target=gpu-emulate | FileCheck %s
// RUN: ad-opt %s --ad-optimize --ad-make-kernels --ad-lower-to-kernels | FileCheck %s --check-prefix=KERNELS
// CHECK: [2.0, 2.0]
// KERNELS: gpu.func
// KERNELS: note.text = "@nope"
func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {
  %p = soac.map ins(%x : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %m = math.exp %e {note.of = @nope} : f64
    %n = math.exp %e {note.of = [@f, {a = @nope}], note.text = "@nope"} : f64
    %s = arith.addf %m, %n {note.of = @f} : f64
    soac.yield %s : f64
  }
  return %p : tensor<?xf64>
}
