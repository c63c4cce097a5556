// Of kernels with equal texts, the first is launched in the place of the others, also where modules have several, and
// where names are no plain ones. What differs is left: a constant, what a block shares, how many threads are known, a
// function that is called, an assertion that says where it is. Modules without kernels stay, too.
// RUN: ad-opt %s --ad-merge-kernels | FileCheck %s

// CHECK: gpu.module @f_kernel {
// CHECK-NOT: gpu.module @g_kernel {
// CHECK: gpu.module @constant {
// CHECK: gpu.module @threads {
// CHECK: gpu.module @shared {
// CHECK: gpu.module @two {
// CHECK-NOT: gpu.module @"two more"
// CHECK: gpu.module @calls {
// CHECK: gpu.module @calls_other {
// CHECK: gpu.module @asserts {
// CHECK: gpu.module @asserts_elsewhere {
// CHECK: gpu.module @functions {
// CHECK: gpu.module @more_functions {
// CHECK: func.func @f(
// CHECK-NEXT: gpu.launch_func @f_kernel::@f_kernel {{.*}} args(%[[A:.*]] : memref<?xf64>)
// CHECK-NEXT: gpu.launch_func @f_kernel::@f_kernel {{.*}} args(%[[B:.*]] : memref<?xf64>)
// CHECK-NEXT: gpu.launch_func @constant::@k
// CHECK-NEXT: gpu.launch_func @threads::@k
// CHECK-NEXT: gpu.launch_func @shared::@k
// CHECK-NEXT: gpu.launch_func @two::@one
// CHECK-NEXT: gpu.launch_func @two::@other
// CHECK-NEXT: gpu.launch_func @two::@one
// CHECK-NEXT: gpu.launch_func @two::@other
// CHECK-NEXT: gpu.launch_func @calls::@k
// CHECK-NEXT: gpu.launch_func @calls_other::@k
// CHECK-NEXT: gpu.launch_func @asserts::@k
// CHECK-NEXT: gpu.launch_func @asserts_elsewhere::@k
module attributes {gpu.container_module} {
  gpu.module @f_kernel {
    gpu.func @f_kernel(%a: memref<?xf64>) kernel {
      %c0 = arith.constant 0 : index
      %x = arith.constant 1.0 : f64
      memref.store %x, %a[%c0] : memref<?xf64>
      gpu.return
    }
  }
  gpu.module @g_kernel {
    gpu.func @g_kernel(%b: memref<?xf64>) kernel {
      %first = arith.constant 0 : index
      %one = arith.constant 1.0 : f64
      memref.store %one, %b[%first] : memref<?xf64>
      gpu.return
    }
  }
  gpu.module @constant {
    gpu.func @k(%a: memref<?xf64>) kernel {
      %c0 = arith.constant 0 : index
      %x = arith.constant 2.0 : f64
      memref.store %x, %a[%c0] : memref<?xf64>
      gpu.return
    }
  }
  gpu.module @threads {
    gpu.func @k(%a: memref<?xf64>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %x = arith.constant 1.0 : f64
      memref.store %x, %a[%c0] : memref<?xf64>
      gpu.return
    }
  }
  gpu.module @shared {
    gpu.func @k(%a: memref<?xf64>) workgroup(%s: memref<4xf64, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %x = arith.constant 1.0 : f64
      memref.store %x, %a[%c0] : memref<?xf64>
      gpu.return
    }
  }
  gpu.module @two {
    gpu.func @one() kernel { gpu.return }
    gpu.func @other(%n: index) kernel { gpu.return }
  }
  gpu.module @"two more" {
    gpu.func @"number 1"() kernel { gpu.return }
    gpu.func @"number 2"(%n: index) kernel { gpu.return }
  }
  gpu.module @calls {
    func.func private @h()
    gpu.func @k() kernel {
      func.call @h() : () -> ()
      gpu.return
    }
  }
  gpu.module @calls_other {
    func.func private @i()
    gpu.func @k() kernel {
      func.call @i() : () -> ()
      gpu.return
    }
  }
  gpu.module @asserts {
    gpu.func @k(%c: i1) kernel {
      cf.assert %c, "no" loc("a.mlir":1:1)
      gpu.return
    }
  }
  gpu.module @asserts_elsewhere {
    gpu.func @k(%c: i1) kernel {
      cf.assert %c, "no" loc("a.mlir":2:1)
      gpu.return
    }
  }
  gpu.module @functions {
    func.func @h() { return }
  }
  gpu.module @more_functions {
    func.func @h() { return }
  }
  func.func @f(%n: index, %c: i1, %a: memref<?xf64>, %b: memref<?xf64>) {
    gpu.launch_func @f_kernel::@f_kernel blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<?xf64>)
    gpu.launch_func @g_kernel::@g_kernel blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%b : memref<?xf64>)
    gpu.launch_func @constant::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<?xf64>)
    gpu.launch_func @threads::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<?xf64>)
    gpu.launch_func @shared::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<?xf64>)
    gpu.launch_func @two::@one blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @two::@other blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index)
    gpu.launch_func @"two more"::@"number 1" blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @"two more"::@"number 2" blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index)
    gpu.launch_func @calls::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @calls_other::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @asserts::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%c : i1)
    gpu.launch_func @asserts_elsewhere::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%c : i1)
    return
  }
}
