// The cases of a switch are kernels, too.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu)' | FileCheck %s
// RUN: ad-opt run %s --entry=main --input=0 --input=300 --target=gpu-emulate | FileCheck %s --check-prefix=CASE0
// RUN: ad-opt run %s --entry=main --input=1 --input=300 --target=gpu-emulate | FileCheck %s --check-prefix=CASE1
// RUN: ad-opt run %s --entry=main --input=2 --input=300 --target=gpu-emulate | FileCheck %s --check-prefix=OTHER
// CASE0: 44850.0
// CASE1: 89700.0
// OTHER: 0.0

// CHECK-LABEL: func.func @main(
// CHECK: scf.index_switch
// CHECK: case 0 {
// CHECK: scf.forall
// CHECK: case 1 {
// CHECK: scf.forall
// CHECK: default {
func.func @main(%which: index, %n: index) -> f64 {
  %zero = arith.constant 0.0 : f64
  %is = soac.iota %n : tensor<?xindex>
  %result = scf.index_switch %which -> f64
  case 0 {
    %xs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
      %integer = arith.index_cast %i : index to i64
      %x = arith.sitofp %integer : i64 to f64
      soac.yield %x : f64
    }
    %s = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %sum = arith.addf %l, %r : f64
      soac.yield %sum : f64
    }
    scf.yield %s : f64
  }
  case 1 {
    %xs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
      %integer = arith.index_cast %i : index to i64
      %x = arith.sitofp %integer : i64 to f64
      %double = arith.addf %x, %x : f64
      soac.yield %double : f64
    }
    %s = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %sum = arith.addf %l, %r : f64
      soac.yield %sum : f64
    }
    scf.yield %s : f64
  }
  default {
    scf.yield %zero : f64
  }
  return %result : f64
}
