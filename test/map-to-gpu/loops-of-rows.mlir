// A loop in a map that carries arrays of sizes that are known when the program runs, and makes each from others that are as
// large: what a map accumulates and what it makes besides, added up. So what the map makes is as large for each of its
// iterations, which are threads, in place of launches for each sample and step (F45).
// RUN: %python %S/../bench/Inputs/random_npy.py %t.x.npy '<f8' '(17,33)' 0 1
// RUN: ad-opt run %s --entry=gradient --input=%t.x.npy --input=0.2 --input=4 > %t.cpu
// RUN: ad-opt run %s --entry=gradient --input=%t.x.npy --input=0.2 --input=4 --target=gpu-emulate --repeat=1 > %t.gpu 2> %t.report
// RUN: %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-13
// RUN: FileCheck %s < %t.report
// CHECK: "launches":5,

// Diffusion of heat along a line, for each of some samples.
func.func private @sum(%v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%v : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %s : f64
}

func.func private @squares(%xs: tensor<?x?xf64>, %rate: f64, %steps: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %minus_two = arith.constant -2.0 : f64
  %n = tensor.dim %xs, %c1 : tensor<?x?xf64>
  %last = arith.subi %n, %c1 : index
  %is = soac.iota %n : tensor<?xindex>
  %sums = soac.map ins(%xs : tensor<?x?xf64>) (%start: tensor<?xf64>) -> tensor<?xf64> {
    %end = scf.for %t = %c0 to %steps step %c1 iter_args(%x = %start) -> (tensor<?xf64>) {
      %next = soac.map ins(%is, %x : tensor<?xindex>, tensor<?xf64>) (%i: index, %xi: f64) -> tensor<?xf64> {
        %before = arith.subi %i, %c1 : index
        %l = arith.maxsi %before, %c0 : index
        %after = arith.addi %i, %c1 : index
        %r = arith.minsi %after, %last : index
        %xl = tensor.extract %x[%l] : tensor<?xf64>
        %xr = tensor.extract %x[%r] : tensor<?xf64>
        %both = arith.addf %xl, %xr : f64
        %own = arith.mulf %minus_two, %xi : f64
        %curvature = arith.addf %both, %own : f64
        %change = arith.mulf %rate, %curvature : f64
        %new = arith.addf %xi, %change : f64
        soac.yield %new : f64
      }
      scf.yield %next : tensor<?xf64>
    }
    %squares = soac.map ins(%end : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
      %b = arith.mulf %a, %a : f64
      soac.yield %b : f64
    }
    %s = func.call @sum(%squares) : (tensor<?xf64>) -> f64
    soac.yield %s : f64
  }
  %s = func.call @sum(%sums) : (tensor<?xf64>) -> f64
  return %s : f64
}
func.func @gradient(%xs: tensor<?x?xf64>, %rate: f64, %steps: index) -> (tensor<?x?xf64>, f64) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @squares(%xs, %rate, %steps) seed(%one) {wrt = array<i64: 0, 1>} : (tensor<?x?xf64>, f64, index), (f64) -> (f64, tensor<?x?xf64>, f64)
  return %r#1, %r#2 : tensor<?x?xf64>, f64
}
