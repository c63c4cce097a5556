// Threads that write columns of a tile for tensor cores to shared memory use as many banks as those that write rows (F49). All 768
// requests of subgroups read or write 32 numbers of f64, which takes two turns each. (Without rows that are moved from
// fragment to fragment it was 1,920 turns in all.)
// RUN: %python %S/../bench/Inputs/random_npy.py %t.a.npy '<f8' '(64,48)' -1 1 1
// RUN: %python %S/../bench/Inputs/random_npy.py %t.b.npy '<f8' '(64,48)' -1 1 2
// RUN: ad-opt run %s --entry=product --input=%t.a.npy --input=%t.b.npy > %t.cpu
// RUN: ad-opt run %s --entry=product --input=%t.a.npy --input=%t.b.npy --target=gpu-emulate --tensor-cores=f64 --emulate-report=%t.json > %t.gpu
// RUN: %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-13
// RUN: FileCheck %s --input-file=%t.json
//
// The same where rows do not begin at multiples of 16 bytes.
// RUN: %python %S/../bench/Inputs/random_npy.py %t.a.npy '<f8' '(64,47)' -1 1 1
// RUN: %python %S/../bench/Inputs/random_npy.py %t.b.npy '<f8' '(64,47)' -1 1 2
// RUN: ad-opt run %s --entry=product --input=%t.a.npy --input=%t.b.npy > %t.cpu
// RUN: ad-opt run %s --entry=product --input=%t.a.npy --input=%t.b.npy --target=gpu-emulate --tensor-cores=f64 --emulate-report=%t.json > %t.gpu
// RUN: %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-13
// RUN: FileCheck %s --input-file=%t.json
//
// CHECK: "shared_requests": 768,
// CHECK: "shared_turns": 1536,
func.func @product(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %a, %c0 : tensor<?x?xf64>
  %m = tensor.dim %b, %c0 : tensor<?x?xf64>
  %e = tensor.empty(%n, %m) : tensor<?x?xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%z : tensor<?x?xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %p = arith.mulf %x, %y : f64
    %s = arith.addf %o, %p : f64
    linalg.yield %s : f64
  } -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}
