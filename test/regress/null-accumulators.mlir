// The Hessian of a forward algorithm over samples, times a direction: a map over samples with a loop in it, whose states are
// multiplied by a matrix that all share. The accumulator that a derivative of a loop does not want goes through what accumulates
// the next state, and comes out as a result of that.
// RUN: %python %S/../bench/Inputs/random_npy.py %t.a.npy '<f8' '(4,4)' 0 1
// RUN: %python %S/../bench/Inputs/random_npy.py %t.p.npy '<f8' '(4,)' 0 1 2
// RUN: %python %S/../bench/Inputs/random_npy.py %t.d.npy '<f8' '(4,4)' 0 1 3
// DEFINE: %{run} = ad-opt run %s --input=3 --input=5 --input=%t.a.npy --input=%t.p.npy --input=%t.d.npy
// RUN: %{run} --entry=forward_over_reverse > %t.fr
// RUN: %{run} --entry=reverse_over_reverse > %t.rr
// RUN: %{run} --entry=reverse_over_forward > %t.rf
// RUN: %{run} --entry=forward_over_reverse --target=gpu-emulate > %t.gpu
// RUN: %python %S/../bench/Inputs/compare.py %t.fr %t.rr 1e-12
// RUN: %python %S/../bench/Inputs/compare.py %t.fr %t.rf 1e-12
// RUN: %python %S/../bench/Inputs/compare.py %t.fr %t.gpu 1e-12

func.func private @sum(%v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%v : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %s : f64
}

func.func private @likelihood(%n: index, %steps: index, %a: tensor<?x?xf64>, %start: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %states = tensor.dim %start, %c0 : tensor<?xf64>
  %ks = soac.iota %states : tensor<?xindex>
  %is = soac.iota %n : tensor<?xindex>
  %all = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %last = scf.for %t = %c0 to %steps step %c1 iter_args(%p = %start) -> (tensor<?xf64>) {
      %next = soac.map ins(%ks : tensor<?xindex>) (%k: index) -> tensor<?xf64> {
        %products = soac.map ins(%ks, %p : tensor<?xindex>, tensor<?xf64>) (%j: index, %pj: f64) -> tensor<?xf64> {
          %ajk = tensor.extract %a[%j, %k] : tensor<?x?xf64>
          %product = arith.mulf %pj, %ajk : f64
          soac.yield %product : f64
        }
        %s = func.call @sum(%products) : (tensor<?xf64>) -> f64
        soac.yield %s : f64
      }
      scf.yield %next : tensor<?xf64>
    }
    %one = func.call @sum(%last) : (tensor<?xf64>) -> f64
    soac.yield %one : f64
  }
  %s = func.call @sum(%all) : (tensor<?xf64>) -> f64
  return %s : f64
}

func.func private @gradient(%n: index, %steps: index, %a: tensor<?x?xf64>, %start: tensor<?xf64>) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @likelihood(%n, %steps, %a, %start) seed(%one) {wrt = array<i64: 2>} : (index, index, tensor<?x?xf64>, tensor<?xf64>), (f64) -> (f64, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}
func.func private @along(%n: index, %steps: index, %a: tensor<?x?xf64>, %start: tensor<?xf64>, %d: tensor<?x?xf64>) -> f64 {
  %r:2 = ad.jvp @likelihood(%n, %steps, %a, %start) seed(%d) {wrt = array<i64: 2>} : (index, index, tensor<?x?xf64>, tensor<?xf64>), (tensor<?x?xf64>) -> (f64, f64)
  return %r#1 : f64
}

func.func @forward_over_reverse(%n: index, %steps: index, %a: tensor<?x?xf64>, %start: tensor<?xf64>, %d: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r:2 = ad.jvp @gradient(%n, %steps, %a, %start) seed(%d) {wrt = array<i64: 2>} : (index, index, tensor<?x?xf64>, tensor<?xf64>), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}
func.func @reverse_over_reverse(%n: index, %steps: index, %a: tensor<?x?xf64>, %start: tensor<?xf64>, %d: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r:2 = ad.vjp @gradient(%n, %steps, %a, %start) seed(%d) {wrt = array<i64: 2>} : (index, index, tensor<?x?xf64>, tensor<?xf64>), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}
func.func @reverse_over_forward(%n: index, %steps: index, %a: tensor<?x?xf64>, %start: tensor<?xf64>, %d: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @along(%n, %steps, %a, %start, %d) seed(%one) {wrt = array<i64: 2>} : (index, index, tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>), (f64) -> (f64, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}
