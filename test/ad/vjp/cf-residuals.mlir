// What blocks keep is a choice: results, or what they are computed from, or what costs least. The numbers are the same [Z16].
// RUN: ad-opt %s --ad-differentiate=residuals=store --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,STORE
// RUN: ad-opt %s --ad-differentiate=residuals=recompute --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,RECOMPUTE
// RUN: ad-opt %s --ad-differentiate --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,MIXED
// RUN: ad-opt %s --ad-differentiate=residuals=store -o %t.store.mlir
// RUN: ad-opt %s --ad-differentiate=residuals=recompute -o %t.recompute.mlir
// RUN: ad-opt %s --ad-differentiate=residuals=mixed -o %t.mixed.mlir
// RUN: ad-opt run %t.store.mlir --entry=slope --input=0.7 --input=5 > %t.store
// RUN: ad-opt run %t.recompute.mlir --entry=slope --input=0.7 --input=5 > %t.recompute
// RUN: ad-opt run %t.mixed.mlir --entry=slope --input=0.7 --input=5 > %t.mixed
// RUN: diff %t.store %t.recompute && diff %t.store %t.mixed
// RUN: ad-opt run %t.store.mlir --entry=slope --input=0.7 --input=0 | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %t.recompute.mlir --entry=slope --input=0.7 --input=0 | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %t.store.mlir --entry=second --input=0.7 --input=5 | FileCheck %s --check-prefix=SECOND
// RUN: ad-opt run %t.recompute.mlir --entry=second --input=0.7 --input=5 | FileCheck %s --check-prefix=SECOND
// RUN: ad-opt run %t.mixed.mlir --entry=second --input=0.7 --input=5 | FileCheck %s --check-prefix=SECOND
// RUN: not ad-opt %s --ad-differentiate=residuals=all 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: error: 'builtin.module' op 'residuals' must be store, recompute or mixed, not 'all'

// The first block of an iteration computes what the second one uses: a sum, its square, and a sine of that.
func.func private @f(%x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r0 = arith.constant 1.0 : f64
  cf.br ^header(%r0, %n : f64, index)
^header(%r: f64, %k: index):
  %more = arith.cmpi sgt, %k, %zero : index
  cf.cond_br %more, ^first, ^exit
^first:
  %s = arith.addf %r, %x : f64
  %t = arith.mulf %s, %s : f64
  %u = math.sin %t : f64
  %big = arith.cmpf ogt, %s, %r : f64
  cf.cond_br %big, ^second, ^third
^second:
  %v = arith.mulf %u, %t : f64
  cf.br ^last(%v : f64)
^third:
  cf.br ^last(%u : f64)
^last(%w: f64):
  %k1 = arith.subi %k, %one : index
  cf.br ^header(%w, %k1 : f64, index)
^exit:
  return %r : f64
}
// CHECK-LABEL: func.func private @f.vjp_0(
// Of the first block t and s, of the second u and t, and whether it ran.
// STORE: ad.tape_create : !ad.tape<f64, f64>
// STORE-NEXT: ad.tape_create : !ad.tape<i1>
// STORE-NEXT: ad.tape_create : !ad.tape<f64, f64>
// For both blocks what the iteration began with.
// RECOMPUTE: ad.tape_create : !ad.tape<f64>
// RECOMPUTE-NEXT: ad.tape_create : !ad.tape<i1>
// RECOMPUTE-NEXT: ad.tape_create : !ad.tape<f64>
// What the first block computes from r is cheap, but a sine is not.
// MIXED: ad.tape_create : !ad.tape<i1>
// MIXED-NEXT: ad.tape_create : !ad.tape<f64>
// MIXED-NEXT: ad.tape_create : !ad.tape<f64, f64>
// CHECK-NOT: ad.tape_create
// The sine for the second block once more.
// RECOMPUTE: ad.tape_pop
// RECOMPUTE: ad.tape_pop
// RECOMPUTE: math.sin
// CHECK: return
func.func @slope(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @f(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %r#1 : f64
}
// NONE: 0.0
// SECOND: 1631179.87469799
func.func @second(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @slope(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %r#1 : f64
}
