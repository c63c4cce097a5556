// Tapes work between blocks, too: what one loop of branches pushes another one pops [Z15].
// RUN: ad-opt %s --ad-lower-buffers-to-llvm | FileCheck %s
// RUN: ad-opt %s --lift-cf-to-scf -o %t.mlir
// RUN: ad-opt run %t.mlir --entry=entry --input=400 --repeat=2 2>/dev/null | FileCheck %s --check-prefix=VALUE

// CHECK-LABEL: llvm.func @entry(
// CHECK: llvm.alloca %{{.*}} x !llvm.struct<(i64, i64, ptr, ptr)>
// CHECK: llvm.call @ad.grow_tape(
// CHECK: llvm.call @ad.grow_tape(
// CHECK: llvm.store %{{.*}}, %{{.*}} : f64, !llvm.ptr
// CHECK: llvm.store %{{.*}}, %{{.*}} : i1, !llvm.ptr
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> f64
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> i1
// CHECK: llvm.call @free(
// CHECK: llvm.call @free(
// CHECK: llvm.return

// The sum of 1 + 1.5 i for i below 400.
// VALUE: 120100.0
func.func @entry(%n: index) -> f64 {
  %x = arith.constant 1.5 : f64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 1.0 : f64
  %none = arith.constant 0.0 : f64
  %t = ad.tape_create : !ad.tape<f64, i1>
  cf.br ^head(%start, %zero : f64, index)
^head(%r: f64, %i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^back(%none, %zero : f64, index)
^body:
  ad.tape_push %t, %r, %more : !ad.tape<f64, i1>
  %p = arith.addf %r, %x : f64
  %j = arith.addi %i, %one : index
  cf.br ^head(%p, %j : f64, index)
^back(%s: f64, %k: index):
  %again = arith.cmpi slt, %k, %n : index
  cf.cond_br %again, ^pop, ^done
^pop:
  %q, %c = ad.tape_pop %t : !ad.tape<f64, i1>
  %d = arith.select %c, %q, %none : f64
  %u = arith.addf %s, %d : f64
  %l = arith.addi %k, %one : index
  cf.br ^back(%u, %l : f64, index)
^done:
  ad.tape_free %t : !ad.tape<f64, i1>
  return %s : f64
}
