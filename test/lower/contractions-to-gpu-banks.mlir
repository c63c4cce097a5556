// Threads write to tiles for tensor cores, and read them, from as many banks as there are (F49): 576 requests of subgroups read 32
// numbers of f64, which takes two turns each, and 96 write 64, which takes four.
// RUN: %python %S/../bench/Inputs/random_npy.py %t.a.npy '<f8' '(64,48)' -1 1 1
// RUN: %python %S/../bench/Inputs/random_npy.py %t.b.npy '<f8' '(64,48)' -1 1 2
// RUN: ad-opt run %s --entry=product --input=%t.a.npy --input=%t.b.npy > %t.cpu
// RUN: ad-opt run %s --entry=product --input=%t.a.npy --input=%t.b.npy --target=gpu-emulate --tensor-cores=f64 --emulate-report=%t.json > %t.gpu
// RUN: %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-13
// RUN: FileCheck %s --input-file=%t.json
//
// Where rows do not begin at multiples of 16 bytes, 192 requests write 32 numbers, 8 summands of 4 rows each, which takes four turns
// in place of two: rows are as far apart as reading them wants it.
// RUN: %python %S/../bench/Inputs/random_npy.py %t.a.npy '<f8' '(64,47)' -1 1 1
// RUN: %python %S/../bench/Inputs/random_npy.py %t.b.npy '<f8' '(64,47)' -1 1 2
// RUN: ad-opt run %s --entry=product --input=%t.a.npy --input=%t.b.npy > %t.cpu
// RUN: ad-opt run %s --entry=product --input=%t.a.npy --input=%t.b.npy --target=gpu-emulate --tensor-cores=f64 --emulate-report=%t.json > %t.gpu
// RUN: %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-13
// RUN: FileCheck %s --input-file=%t.json --check-prefix=NARROW
//
// CHECK: "shared_requests": 672,
// CHECK: "shared_turns": 1536,
// NARROW: "shared_requests": 768,
// NARROW: "shared_turns": 1920,
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
