// The annotated loop is a nest of blocks of 100 in the derivative, which agrees with finite differences.
// RUN: ad-opt check %examples/loop.mlir --entry=integrate --input=0.5 --input=0.001 --input=1050
// RUN: ad-opt %examples/loop.mlir --ad-optimize | FileCheck %s

// CHECK-LABEL: func.func @gradient(
// CHECK:         arith.ceildivsi %{{.*}}, %c100
// The forward sweep saves one value per block, the return sweep one per iteration of its block.
// CHECK:         %{{.*}}:2 = scf.for {{.*}} -> (f64, tensor<?xf64>)
// CHECK:           scf.for {{.*}} -> (f64) {
// CHECK:         scf.for {{.*}} -> (f64, f64)
// CHECK:           scf.for {{.*}} -> (f64, tensor<?xf64>)
// CHECK:           scf.for {{.*}} -> (f64, f64)
// CHECK:         return
