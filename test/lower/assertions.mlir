// An assertion that fails calls the C library's function for that, with what it is and where. Equal ones share a function.
// RUN: ad-opt %s --lower-assertions --mlir-print-debuginfo | FileCheck %s

module {
  // A name that is taken.
  func.func private @ad.assert.0()

  // CHECK-LABEL: func.func @f(
  // CHECK-SAME: %[[C:.*]]: i1 {{.*}}, %[[D:.*]]: i1
  // CHECK: %[[NOT:.*]] = arith.xori %[[C]], %true
  // CHECK: scf.if %[[NOT]] {
  // CHECK-NEXT: call @ad.assert.1() : () -> ()
  // CHECK-NEXT: } else {
  // CHECK-NEXT: }
  // CHECK: scf.if
  // CHECK-NEXT: call @ad.assert.1()
  // CHECK: scf.if
  // CHECK-NEXT: call @ad.assert.2()
  // CHECK-NOT: cf.assert
  // CHECK: return
  func.func @f(%c: i1, %d: i1) {
    cf.assert %c, "first" loc("a.py":3:5)
    cf.assert %d, "first" loc(fused["f", callsite("g"("a.py":3:7) at "b.py":8:1)])
    cf.assert %d, "second" loc(unknown)
    return
  }

  // The device has its own way.
  gpu.module @kernels {
    // CHECK: gpu.func @k(
    // CHECK-NEXT: cf.assert
    gpu.func @k(%c: i1) kernel {
      cf.assert %c, "in a kernel"
      gpu.return
    }
  }
}

// CHECK: func.func private @__assert_fail(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr)
// CHECK-NEXT: llvm.mlir.global internal constant @ad.assert.1.m("first\00")
// CHECK-NEXT: llvm.mlir.global internal constant @ad.assert.1.f("a.py\00")
// CHECK-NEXT: llvm.mlir.global internal constant @ad.assert.1.n("f\00")
// CHECK-NEXT: func.func private @ad.assert.1() attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["cold", "noinline", "noreturn"]}
// CHECK: arith.constant 3 : i32
// CHECK: call @__assert_fail(
// CHECK: llvm.mlir.global internal constant @ad.assert.2.m("second\00")
// CHECK: llvm.mlir.global internal constant @ad.assert.2.f("<unknown>\00")
