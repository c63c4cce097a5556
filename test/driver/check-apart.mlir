// `check` looks at what the entry needs: what another function has that cannot be differentiated or lowered is not its
// business. Buffers among the arguments are named, because they are not checked. The name may have MLIR's @.
// RUN: %python %S/Inputs/npy.py %t.npy '<f8' '(2,)' 0.5 2
// RUN: ad-opt check %s --entry=@square --input=0.5 --input=%t.npy | FileCheck %s
// RUN: ad-opt check %s --entry=square --input=0.5 --input=%t.npy --engine=interpreter | FileCheck %s
// RUN: not ad-opt check %s --entry=chain --input=0.5 --input=1 --input=2 2>&1 | FileCheck %s --check-prefix=CHAIN
// CHECK: argument type jvp vs differences vjp vs jvp
// CHECK-NEXT: 0 f64 {{.*}} ok
// CHECK-NEXT: 1 memref<?xf64> not checked: a buffer
// CHECK-NEXT: results
func.func @square(%x: f64, %scale: memref<?xf64>) -> f64 {
  %c1 = arith.constant 1 : index
  %s = memref.load %scale[%c1] : memref<?xf64>
  %xx = arith.mulf %x, %x : f64
  %y = arith.mulf %xx, %s : f64
  return %y : f64
}
// A chain of closures as long as the loop runs.
func.func private @scale(%a: f64, %x: f64) -> f64 {
  %y = arith.mulf %a, %x : f64
  return %y : f64
}
func.func private @compose(%f: !ad.closure<(f64) -> f64>, %x: f64) -> f64 {
  %y = ad.call %f(%x) : !ad.closure<(f64) -> f64>
  return %y : f64
}
func.func @chain(%a: f64, %n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = ad.closure @scale(%a) : (f64) -> !ad.closure<(f64) -> f64>
  %g = scf.for %i = %c0 to %n step %c1 iter_args(%h = %f) -> !ad.closure<(f64) -> f64> {
    // CHAIN: [[#@LINE+1]]:{{[0-9]+}}: error: 'ad.closure' op captures a function that may be of its own kind
    %k = ad.closure @compose(%h) : (!ad.closure<(f64) -> f64>) -> !ad.closure<(f64) -> f64>
    scf.yield %k : !ad.closure<(f64) -> f64>
  }
  %y = ad.call %g(%x) : !ad.closure<(f64) -> f64>
  return %y : f64
}
