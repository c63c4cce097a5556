// Reductions to which an iteration adds several terms, or from which it subtracts, are sums of one term (F45): by many threads,
// as others are, in place of one thread.
// RUN: ad-opt %s --ad-parallel-structured --canonicalize | FileCheck %s
// RUN: %python %S/../bench/Inputs/random_npy.py %t.x.npy '<f8' '(5000,)' -1 1
// RUN: %python %S/../bench/Inputs/random_npy.py %t.y.npy '<f8' '(5000,)' -1 1 2
// RUN: ad-opt run %s --entry=both --input=%t.x.npy --input=%t.y.npy > %t.cpu
// RUN: ad-opt run %s --entry=both --input=%t.x.npy --input=%t.y.npy --target=gpu-emulate --emulate-report=%t.json > %t.gpu
// RUN: %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-12
// RUN: FileCheck %s --check-prefix=THREADS < %t.json
// THREADS: "threads": {{[0-9][0-9][0-9][0-9]}}

#all = affine_map<(i) -> (i)>
#one = affine_map<(i) -> ()>

// CHECK-LABEL: func.func @both(
// CHECK:       soac.map
// CHECK:         %[[XX:.*]] = arith.mulf
// CHECK:         %[[YY:.*]] = arith.mulf
// CHECK:         %[[SUM:.*]] = arith.addf %[[XX]], %[[YY]]
// CHECK:         arith.subf %[[SUM]], %{{.*}}
// CHECK-NOT:   linalg.generic
// CHECK:       return
func.func @both(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %init = tensor.from_elements %zero : tensor<f64>
  %s, %d = linalg.generic {indexing_maps = [#all, #all, #one, #one], iterator_types = ["reduction"]}
      ins(%x, %y : tensor<?xf64>, tensor<?xf64>) outs(%init, %init : tensor<f64>, tensor<f64>) {
  ^bb0(%a: f64, %b: f64, %o: f64, %p: f64):
    %aa = arith.mulf %a, %a : f64
    %s1 = arith.addf %o, %aa : f64
    %bb = arith.mulf %b, %b : f64
    %s2 = arith.addf %bb, %s1 : f64
    %s3 = arith.subf %s2, %a : f64
    %d1 = arith.subf %p, %b : f64
    linalg.yield %s3, %d1 : f64, f64
  } -> (tensor<f64>, tensor<f64>)
  %t = tensor.extract %s[] : tensor<f64>
  %u = tensor.extract %d[] : tensor<f64>
  return %t, %u : f64, f64
}

// What is made of the sum in another way is no sum.
// CHECK-LABEL: func.func @other(
// CHECK:         linalg.generic
func.func @other(%x: tensor<?xf64>, %init: tensor<f64>) -> tensor<f64> {
  %s = linalg.generic {indexing_maps = [#all, #one], iterator_types = ["reduction"]} ins(%x : tensor<?xf64>) outs(%init : tensor<f64>) {
  ^bb0(%a: f64, %o: f64):
    %q = arith.mulf %a, %o : f64
    %s1 = arith.addf %o, %q : f64
    %s2 = arith.subf %a, %s1 : f64
    linalg.yield %s2 : f64
  } -> tensor<f64>
  return %s : tensor<f64>
}
