// Two results of a switch may be one array, which must not be overwritten through one of them while the other is read.
// RUN: %python %S/../driver/Inputs/npy.py %t.a.npy '<f8' '(3,)' 1 2 3
// RUN: %python %S/../driver/Inputs/npy.py %t.b.npy '<f8' '(3,)' 10 20 30
// DEFINE: %{arrays} = --input=%t.a.npy --input=%t.b.npy
// RUN: ad-opt run %s --entry=f --input=0 %{arrays} | FileCheck %s --check-prefix=ZERO
// RUN: ad-opt run %s --entry=f --input=1 %{arrays} | FileCheck %s --check-prefix=ONE
// RUN: ad-opt run %s --entry=f --input=2 %{arrays} | FileCheck %s --check-prefix=TWO
// RUN: ad-opt %s --lower-array-choices | FileCheck %s
// CHECK-NOT: scf.index_switch
// CHECK-COUNT-3: scf.if
// CHECK-NOT: scf.if

// ZERO: [10.0, 20.0, 30.0]
// ZERO-NEXT: [1.0, 2.0, 3.0]
// ONE: [11.0, 22.0, 33.0]
// ONE-NEXT: [2.0, 4.0, 6.0]
// TWO: [20.0, 40.0, 60.0]
// TWO-NEXT: [3.0, 6.0, 9.0]

func.func @f(%c: index, %a: tensor<?xf64>, %b: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %i0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f64
  %n = tensor.dim %a, %i0 : tensor<?xf64>
  %w:2 = scf.index_switch %c -> tensor<?xf64>, tensor<?xf64>
  case 0 {
    %e = tensor.empty(%n) : tensor<?xf64>
    %zeros = linalg.fill ins(%z : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
    scf.yield %zeros, %a : tensor<?xf64>, tensor<?xf64>
  }
  default {
    %e = arith.addf %a, %a : tensor<?xf64>
    %g = arith.addf %e, %a : tensor<?xf64>
    scf.yield %g, %b : tensor<?xf64>, tensor<?xf64>
  }
  %v:3 = scf.index_switch %c -> tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
  case 1 {
    %e = tensor.empty(%n) : tensor<?xf64>
    %zeros = linalg.fill ins(%z : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
    %g = arith.addf %a, %a : tensor<?xf64>
    scf.yield %g, %zeros, %a : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
  }
  default {
    scf.yield %w#0, %w#0, %w#1 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
  }
  %p:2 = scf.index_switch %c -> tensor<?xf64>, tensor<?xf64>
  case 0 {
    %t = arith.addf %v#1, %v#2 : tensor<?xf64>
    scf.yield %v#0, %t : tensor<?xf64>, tensor<?xf64>
  }
  default {
    scf.yield %v#2, %v#0 : tensor<?xf64>, tensor<?xf64>
  }
  %u = arith.addf %p#0, %b : tensor<?xf64>
  return %u, %p#1 : tensor<?xf64>, tensor<?xf64>
}
