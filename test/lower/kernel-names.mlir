// Kernels that outlining names after their function have names of their own. A function that a kernel calls keeps its name,
// and so does a kernel beside another one. Characters that a device does not take are replaced in all names of functions.
// RUN: ad-opt %s --lower-kernel-names | FileCheck %s

// CHECK: gpu.module @f_kernel {
// CHECK: gpu.func @f_kernel(
// CHECK: gpu.module @f_kernel_1 {
// CHECK: gpu.func @f_kernel_1(
// CHECK: gpu.module @taken {
// CHECK: gpu.func @g(
// CHECK: gpu.module @several {
// CHECK: gpu.func @one(
// CHECK: gpu.func @other(
// CHECK: gpu.module @"a-b.c_kernel" {
// CHECK: func.func private @my_sum__(
// CHECK: func.func private @my_sum(
// CHECK: gpu.func @a_b_c_kernel(
// CHECK: call @my_sum__(
// CHECK: call @my_sum(
// CHECK: gpu.module @"1f_kernel" {
// CHECK: func.func private @my_sum__(
// CHECK: gpu.func @_1f_kernel(
// CHECK: call @my_sum__(
// CHECK: func.func @my_sum_(
// CHECK: gpu.launch_func @f_kernel::@f_kernel
// CHECK: gpu.launch_func @f_kernel_1::@f_kernel_1
// CHECK: gpu.launch_func @taken::@g
// CHECK: gpu.launch_func @several::@one
// CHECK: gpu.launch_func @"a-b.c_kernel"::@a_b_c_kernel
// CHECK: gpu.launch_func @"1f_kernel"::@_1f_kernel
module attributes {gpu.container_module} {
  gpu.module @f_kernel {
    gpu.func @f_kernel() kernel { gpu.return }
  }
  gpu.module @f_kernel_1 {
    gpu.func @f_kernel() kernel { gpu.return }
  }
  gpu.module @taken {
    func.func private @taken()
    gpu.func @g() kernel {
      func.call @taken() : () -> ()
      gpu.return
    }
  }
  gpu.module @several {
    gpu.func @one() kernel { gpu.return }
    gpu.func @other() kernel { gpu.return }
  }
  gpu.module @"a-b.c_kernel" {
    func.func private @"my-sum"()
    func.func private @my_sum()
    gpu.func @"a-b.c_kernel"() kernel {
      func.call @"my-sum"() : () -> ()
      func.call @my_sum() : () -> ()
      gpu.return
    }
  }
  // The copies of a function have one name, which no other function has.
  gpu.module @"1f_kernel" {
    func.func private @"my-sum"()
    gpu.func @"1f_kernel"() kernel {
      func.call @"my-sum"() : () -> ()
      gpu.return
    }
  }
  func.func @my_sum_() { return }
  func.func @f(%n: index) {
    gpu.launch_func @f_kernel::@f_kernel blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @f_kernel_1::@f_kernel blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @taken::@g blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @several::@one blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @"a-b.c_kernel"::@"a-b.c_kernel" blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @"1f_kernel"::@"1f_kernel" blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}
