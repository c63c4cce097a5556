// A memory budget splits loops that would save more, and remarks say so (F20, F66).
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-differentiate{memory-budget=1000})' \
// RUN:   --remarks-filter-analyse=ad-differentiate 2>%t.remarks -o %t.mlir
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-differentiate{memory-budget=100})' \
// RUN:   --remarks-filter-analyse=ad-differentiate -o /dev/null 2>&1 | FileCheck %s --check-prefix=LEAST
// RUN: ad-opt %s --ad-differentiate --remarks-filter-analyse=ad-differentiate -o %t.all.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALL
// RUN: ad-opt run %t.all.mlir --entry=fixed_vjp --input=0.5 --input=1.0 | FileCheck %s --check-prefix=FIXED
// RUN: ad-opt run %t.mlir --entry=fixed_vjp --input=0.5 --input=1.0 | FileCheck %s --check-prefix=FIXED
// RUN: ad-opt run %t.all.mlir --entry=dynamic_vjp --input=0.5 --input=1000 --input=1.0 | FileCheck %s --check-prefix=DYNAMIC
// RUN: ad-opt run %t.mlir --entry=dynamic_vjp --input=0.5 --input=1000 --input=1.0 | FileCheck %s --check-prefix=DYNAMIC
// RUN: ad-opt run %t.mlir --entry=dynamic_vjp --input=0.5 --input=0 --input=1.0 | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %t.all.mlir --entry=dynamic_vjp --input=0.5 --input=1000 --input=1.0 --repeat=1 2>%t.all.json
// RUN: ad-opt run %t.mlir --entry=dynamic_vjp --input=0.5 --input=1000 --input=1.0 --repeat=1 2>%t.some.json
// RUN: %python -c "import json, sys; a, s = (json.load(open(f))['peak_bytes'] for f in sys.argv[1:]); assert a >= 8000 and s < 1000, (a, s)" %t.all.json %t.some.json
// NONE: 1.0

// 1000 versions of 8 bytes; three levels of 10 fit.
// REMARK: remark: [Analysis] strip-mined | Category:ad-differentiate
// REMARK-SAME: bytes=512
// REMARK-SAME: executions of the body=3
// REMARK-SAME: factor=32
// REMARK-SAME: levels=2
// REMARK-SAME: why="1000 iterations of 8 bytes exceed the budget of 1000 bytes"
// Where nothing fits, it is the fewest levels of those that need least: 5 of 4 take as much as 10 of 2, in half of the time.
// LEAST: remark: [Analysis] strip-mined | Category:ad-differentiate
// LEAST-SAME: bytes="160, which is the least possible"
// LEAST-SAME: executions of the body=6
// LEAST-SAME: factor=4
// LEAST-SAME: levels=5
// ALL: remark: [Analysis] checkpoints | Category:ad-differentiate
// ALL-SAME: bytes=8000
// ALL-SAME: value 0="f64: saved, because the return sweep reads it"
// ALL-SAME: value 1="f64: not saved: the return sweep does not read it"
// CHECK-LABEL: func.func private @fixed.vjp_0(
// CHECK-COUNT-5: scf.for
// FIXED: 0.00{{[0-9]+}}
func.func @fixed(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (f64, f64) {
    %c = math.sin %a : f64
    %d = arith.addf %b, %c : f64
    scf.yield %c, %d : f64, f64
  }
  return %r#0 : f64
}
func.func @fixed_vjp(%x: f64, %bar: f64) -> f64 {
  %r:2 = ad.vjp @fixed(%x) seed(%bar) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// The factor is found when the program runs.
// REMARK: remark: [Analysis] strip-mined | Category:ad-differentiate
// REMARK-SAME: factor="sqrt(trips) if more than the budget would be saved, else trips"
// ALL: remark: [Analysis] checkpoints | Category:ad-differentiate
// ALL-SAME: bytes="8 * trips"
// CHECK-LABEL: func.func private @dynamic.vjp_0(
// CHECK: math.sqrt
// DYNAMIC: 0.00{{[0-9]+}}
func.func @dynamic(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %c = math.sin %a : f64
    scf.yield %c : f64
  }
  return %r : f64
}
func.func @dynamic_vjp(%x: f64, %n: index, %bar: f64) -> f64 {
  %r:2 = ad.vjp @dynamic(%x, %n) seed(%bar) {wrt = array<i64: 0>} : (f64, index), (f64) -> (f64, f64)
  return %r#1 : f64
}
