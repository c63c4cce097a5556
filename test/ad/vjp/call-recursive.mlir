// A function that calls itself has a derivative in two halves: the first one leaves on a tape what the second one reads,
// and the halves call themselves in opposite orders [Z27, Z30, M04, M11].
// RUN: ad-opt %s --ad-differentiate --canonicalize --cse --symbol-dce | FileCheck %s

// x^n. A tape of what the product reads: the power so far and x; of numbers only, without tags. Which way was taken, is a
// bit.
func.func private @pow(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> f64 {
    %one = arith.constant 1.0 : f64
    scf.yield %one : f64
  } else {
    %m = arith.subi %n, %c1 : index
    %p = func.call @pow(%x, %m) : (f64, index) -> f64
    %q = arith.mulf %p, %x : f64
    scf.yield %q : f64
  }
  return %r : f64
}

// CHECK-LABEL: func.func @slope(
// CHECK-NOT: call @pow(
func.func @slope(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @pow(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %r#1 : f64
}

// CHECK-LABEL: func.func private @pow.vjp_0(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[N:[^:]*]]: index, %[[S:[^:]*]]: f64) -> (f64, f64)
// CHECK: %[[T:.*]] = ad.tape_create : !ad.tape<{{.*}}>
// CHECK: %[[Y:.*]] = call @pow.forward_0(%[[X]], %[[N]], %[[T]])
// CHECK: %[[B:.*]] = call @pow.pullback_0(%[[S]], %[[T]])
// CHECK: ad.tape_free %[[T]]
// CHECK: return %[[Y]], %[[B]]

// CHECK-LABEL: func.func private @pow.forward_0(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[N:[^:]*]]: index, %[[T:[^:]*]]: !ad.tape<{{.*}}>) -> f64
// CHECK: ad.tape_push %[[T]], %{{.*}}, %[[X]], %[[R:[^ ]*]] : !ad.tape<i1, f64, f64>
// CHECK-NEXT: return
// CHECK: %[[P:.*]] = call @pow.forward_0(%[[X]], %{{.*}}, %[[T]])
// CHECK: %[[Q:.*]] = arith.mulf %[[P]], %[[X]]
// CHECK: cf.br ^{{.*}}(%[[Q]], %{{.*}}, %[[P]] : f64, i1, f64)

// CHECK-LABEL: func.func private @pow.pullback_0(
// CHECK-SAME: %[[S:[^:]*]]: f64, %[[T:[^:]*]]: !ad.tape<{{.*}}>) -> f64
// CHECK: ad.tape_pop %[[T]]
// CHECK-NOT: @pow.forward
// CHECK: call @pow.pullback_0(%{{.*}}, %[[T]])
