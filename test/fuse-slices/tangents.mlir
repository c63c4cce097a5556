// A tangent has the sizes of what it is one of, as requests take for granted and `ad-check-sizes` asserts: both arrays of a step are
// made by one kernel (F45).
// RUN: %python %S/../bench/Inputs/random_npy.py %t.u.npy '<f8' '(20, 30)' -1 1
// RUN: %python %S/../bench/Inputs/random_npy.py %t.v.npy '<f8' '(20, 30)' -1 1 2
// RUN: %python %S/../bench/Inputs/random_npy.py %t.w.npy '<f8' '(20, 31)' -1 1 3
// RUN: ad-opt run %s --entry=tangent --input=%t.u.npy --input=%t.v.npy --input=10 > %t.cpu
// RUN: ad-opt run %s --entry=tangent --input=%t.u.npy --input=%t.v.npy --input=10 --target=gpu-emulate --repeat=1 > %t.gpu 2> %t.launches
// RUN: %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-12
// A launch for each step, and a copy of each argument.
// RUN: FileCheck %s --check-prefix=LAUNCHES < %t.launches
// LAUNCHES: "launches":12,
// RUN: not ad-opt run %s --entry=tangent --input=%t.u.npy --input=%t.w.npy --input=10 --target=gpu-emulate 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: sizes do not match: dimension 1 of argument 1 and dimension 1 of argument 0 have to be equal

#all = affine_map<(i, j) -> (i, j)>
func.func private @steps(%u: tensor<?x?xf64>, %steps: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %u, %c0 : tensor<?x?xf64>
  %k = tensor.dim %u, %c1 : tensor<?x?xf64>
  %m = arith.subi %n, %c2 : index
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%v = %u) -> tensor<?x?xf64> {
    %up = tensor.extract_slice %v[0, 0] [%m, %k] [1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
    %down = tensor.extract_slice %v[2, 0] [%m, %k] [1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
    %e = tensor.empty(%m, %k) : tensor<?x?xf64>
    %new = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
        ins(%up, %down : tensor<?x?xf64>, tensor<?x?xf64>) outs(%e : tensor<?x?xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %x = arith.mulf %a, %b : f64
      linalg.yield %x : f64
    } -> tensor<?x?xf64>
    %w = tensor.insert_slice %new into %v[1, 0] [%m, %k] [1, 1] : tensor<?x?xf64> into tensor<?x?xf64>
    scf.yield %w : tensor<?x?xf64>
  }
  return %r : tensor<?x?xf64>
}
func.func @tangent(%u: tensor<?x?xf64>, %v: tensor<?x?xf64>, %steps: index) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %y, %d = ad.jvp @steps(%u, %steps) seed(%v) {wrt = array<i64: 0>} : (tensor<?x?xf64>, index), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %y, %d : tensor<?x?xf64>, tensor<?x?xf64>
}
