// Loops between blocks: a counter in place of a record of edges, a tape of what each iteration needs, and nothing if it needs
// nothing; x accumulates, r is a new one in each iteration [Z07, Z14, Z30, Z31, Z35]. The number of iterations has no gradient [Z34].
// RUN: ad-opt %s --ad-differentiate --canonicalize --cse | FileCheck %s
// Upstream's passes work on the result as on any other code [Z32].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --sccp --symbol-dce | FileCheck %s --check-prefix=STOCK
// STOCK-NOT: private
// STOCK: func.func @pow_vjp(
// STOCK: ad.tape_create : !ad.tape<f64>
// STOCK-NOT: ad.tape_create
// STOCK: func.func @sum_vjp(
// STOCK-NOT: ad.tape_create
// STOCK-NOT: call

func.func private @pow(%x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r0 = arith.constant 1.0 : f64
  cf.br ^header(%r0, %n : f64, index)
^header(%r: f64, %k: index):
  %more = arith.cmpi sgt, %k, %zero : index
  cf.cond_br %more, ^body, ^exit
^body:
  %r1 = arith.mulf %r, %x : f64
  %k1 = arith.subi %k, %one : index
  cf.br ^header(%r1, %k1 : f64, index)
^exit:
  return %r : f64
}
// CHECK-LABEL: func.func private @pow.vjp_0(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f64, %{{[a-z0-9]+}}: index, %[[SEED:[a-z0-9]+]]: f64)
// CHECK-DAG: %[[F0:.*]] = arith.constant 0.000000e+00
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[TAPE:.*]] = ad.tape_create : !ad.tape<f64>
// CHECK: ^[[HEADER:[a-z0-9]+]](%[[R:.*]]: f64, %{{.*}}: index, %[[TRIPS:.*]]: index):
// CHECK: cf.cond_br %{{.*}}, ^[[BODY:[a-z0-9]+]], ^[[BACK:[a-z0-9]+]](%[[SEED]], %[[F0]], %[[TRIPS]] : f64, f64, index)
// CHECK: ^[[BODY]]:
// CHECK: %[[R1:.*]] = arith.mulf %[[R]], %[[X]]
// CHECK: %[[MORE:.*]] = arith.addi %[[TRIPS]], %[[C1]]
// CHECK: ad.tape_push %[[TAPE]], %[[R]] : !ad.tape<f64>
// CHECK: cf.br ^[[HEADER]](%[[R1]], %{{.*}}, %[[MORE]] : f64, index, index)
// CHECK: ^[[BODY_BACK:[a-z0-9]+]]:
// CHECK: %[[POPPED:.*]] = ad.tape_pop %[[TAPE]]
// CHECK: %[[NEXT:.*]] = arith.mulf %[[R_BAR:.*]], %[[X]]
// CHECK: %[[TERM:.*]] = arith.mulf %[[R_BAR]], %[[POPPED]]
// CHECK: %[[SUM:.*]] = arith.addf %[[X_BAR:.*]], %[[TERM]]
// CHECK: cf.br ^[[BACK]](%[[NEXT]], %[[SUM]], %[[LESS:.*]] : f64, f64, index)
// CHECK: ^[[BACK]](%[[R_BAR]]: f64, %[[X_BAR]]: f64, %[[LEFT:.*]]: index):
// CHECK: %[[AGAIN:.*]] = arith.cmpi ne, %[[LEFT]], %[[C0]]
// CHECK: %[[LESS]] = arith.subi %[[LEFT]], %[[C1]]
// CHECK: cf.cond_br %[[AGAIN]], ^[[BODY_BACK]], ^[[END:[a-z0-9]+]]
// CHECK: ^[[END]]:
// CHECK-NEXT: ad.tape_free %[[TAPE]]
// CHECK-NEXT: return %[[R]], %[[X_BAR]]
func.func @pow_vjp(%x: f64, %n: index, %r_bar: f64) -> f64 {
  %r:2 = ad.vjp @pow(%x, %n) seed(%r_bar) : (f64, index), (f64) -> (f64, f64)
  return %r#1 : f64
}

func.func private @sum(%x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r0 = arith.constant 1.0 : f64
  cf.br ^header(%r0, %n : f64, index)
^header(%r: f64, %k: index):
  %more = arith.cmpi sgt, %k, %zero : index
  cf.cond_br %more, ^body, ^exit
^body:
  %r1 = arith.addf %r, %x : f64
  %k1 = arith.subi %k, %one : index
  cf.br ^header(%r1, %k1 : f64, index)
^exit:
  return %r : f64
}
// CHECK-LABEL: func.func private @sum.vjp_0(
// CHECK-NOT: ad.tape
// CHECK: arith.addf
// CHECK: %[[X_BAR:.*]] = arith.addf
// CHECK: cf.br ^{{.*}}(%[[X_BAR]], %{{.*}} : f64, index)
// CHECK-NOT: ad.tape
func.func @sum_vjp(%x: f64, %n: index, %r_bar: f64) -> f64 {
  %r:2 = ad.vjp @sum(%x, %n) seed(%r_bar) : (f64, index), (f64) -> (f64, f64)
  return %r#1 : f64
}
