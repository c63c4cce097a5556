// Iterations of maps that have memory of their own: each is differentiated as a function is, with a shadow and a tape of its own
// [ZYG 3.2] (Z23).
// DEFINE: %{random} = %python %root/test/bench/Inputs/random_npy.py
// RUN: %{random} %t.x.npy '<f8' '(5, 4)' -1 1 1 && %{random} %t.w.npy '<f8' '(3,)' -1 1 2 && %{random} %t.none.npy '<f8' '(0, 4)' -1 1 3
// RUN: ad-opt check %s --entry=rows --input=%t.x.npy
// RUN: ad-opt check %s --entry=rows --input=%t.x.npy --engine=interpreter
// RUN: ad-opt check %s --entry=weighted --input=%t.x.npy --input=%t.w.npy --input=0.5 --input=3
// RUN: ad-opt check %s --entry=weighted --input=%t.x.npy --input=%t.w.npy --input=0.5 --input=3 --engine=interpreter
// RUN: ad-opt check %s --entry=nested --input=%t.x.npy
// RUN: ad-opt check %s --entry=nested --input=%t.x.npy --engine=interpreter
// RUN: ad-opt check %s --entry=repeated --input=%t.w.npy --input=3
// RUN: ad-opt check %s --entry=repeated --input=%t.w.npy --input=0 --engine=interpreter
// RUN: ad-opt check %s --entry=slopes --input=%t.x.npy
// RUN: ad-opt check %s --entry=slopes --input=%t.x.npy --engine=interpreter
// RUN: ad-opt run %s --entry=ramp | FileCheck %s
// RUN: ad-opt run %s --entry=ramp --target=gpu-emulate | FileCheck %s
// RUN: ad-opt run %s --entry=slopes --input=%t.none.npy --target=gpu-emulate | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=slopes --input=%t.x.npy > %t.cpu && ad-opt run %s --entry=slopes --input=%t.x.npy --target=gpu-emulate > %t.gpu
// RUN: %python %root/test/bench/Inputs/compare.py %t.cpu %t.gpu 1e-13

// The product of x, 2x and 3x is 6 x^3, whose slope is 18 x^2.
// CHECK: [0.0, 18.0, 72.0]
func.func @ramp() -> tensor<3xf64> {
  %xs = arith.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
  %ones = arith.constant dense<1.0> : tensor<3xf64>
  %r:2 = ad.vjp @multiples(%xs) seed(%ones) : (tensor<3xf64>), (tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}
func.func @multiples(%xs: tensor<3xf64>) -> tensor<3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f64
  %ys = soac.map ins(%xs : tensor<3xf64>) (%x: f64) -> tensor<3xf64> {
    %sum = memref.alloc() : memref<f64>
    %product = memref.alloc() : memref<f64>
    %zero = arith.constant 0.0 : f64
    memref.store %zero, %sum[] : memref<f64>
    memref.store %one, %product[] : memref<f64>
    scf.for %i = %c0 to %c3 step %c1 {
      %s = memref.load %sum[] : memref<f64>
      %t = arith.addf %s, %x : f64
      memref.store %t, %sum[] : memref<f64>
      %p = memref.load %product[] : memref<f64>
      %q = arith.mulf %p, %t : f64
      memref.store %q, %product[] : memref<f64>
    }
    %y = memref.load %product[] : memref<f64>
    memref.dealloc %sum : memref<f64>
    memref.dealloc %product : memref<f64>
    soac.yield %y : f64
  }
  return %ys : tensor<3xf64>
}

// A buffer on the stack, which one loop fills and another one reads.
func.func @rows(%x: tensor<?x4xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  %r = soac.map ins(%x : tensor<?x4xf64>) (%row: tensor<4xf64>) -> tensor<?xf64> {
    %s = memref.alloca() : memref<4xf64>
    scf.for %j = %c0 to %c4 step %c1 {
      %v = tensor.extract %row[%j] : tensor<4xf64>
      %e = math.exp %v : f64
      memref.store %e, %s[%j] : memref<4xf64>
    }
    %sum = scf.for %j = %c0 to %c4 step %c1 iter_args(%a = %zero) -> f64 {
      %v = memref.load %s[%j] : memref<4xf64>
      %b = arith.mulf %v, %v : f64
      %c = arith.addf %a, %b : f64
      scf.yield %c : f64
    }
    soac.yield %sum : f64
  }
  return %r : tensor<?xf64>
}

// NONE: {{^}}[]
func.func @slopes(%x: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x4xf64>
  %ones = soac.replicate %one, %n : f64 -> tensor<?xf64>
  %r:2 = ad.vjp @rows(%x) seed(%ones) : (tensor<?x4xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?x4xf64>)
  return %r#1 : tensor<?x4xf64>
}

// What is read from outside of the body has a derivative, too; the size of the buffer is an argument.
func.func @weighted(%x: tensor<?x4xf64>, %w: tensor<?xf64>, %scale: f64, %n: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r:2 = soac.map ins(%x : tensor<?x4xf64>) (%row: tensor<4xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
    %s = memref.alloc(%n) : memref<?xf64>
    %first = tensor.extract %row[%c2] : tensor<4xf64>
    scf.for %j = %c0 to %n step %c1 {
      %v = tensor.extract %w[%j] : tensor<?xf64>
      %u = arith.mulf %v, %first : f64
      %t = math.sin %u : f64
      memref.store %t, %s[%j] : memref<?xf64>
    }
    %last = arith.subi %n, %c1 : index
    scf.for %j = %c0 to %last step %c1 {
      %next = arith.addi %j, %c1 : index
      %a = memref.load %s[%j] : memref<?xf64>
      %b = memref.load %s[%next] : memref<?xf64>
      %c = arith.mulf %a, %b : f64
      %d = arith.addf %c, %scale : f64
      memref.store %d, %s[%next] : memref<?xf64>
    }
    %y = memref.load %s[%last] : memref<?xf64>
    %z = arith.mulf %y, %scale : f64
    memref.dealloc %s : memref<?xf64>
    soac.yield %y, %z : f64, f64
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

// Both maps have memory.
func.func @nested(%x: tensor<?x4xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = soac.map ins(%x : tensor<?x4xf64>) (%row: tensor<4xf64>) -> tensor<?xf64> {
    %squares = soac.map ins(%row : tensor<4xf64>) (%v: f64) -> tensor<4xf64> {
      %m = memref.alloca() : memref<2xf64>
      memref.store %v, %m[%c1] : memref<2xf64>
      %u = memref.load %m[%c1] : memref<2xf64>
      %t = arith.mulf %u, %v : f64
      soac.yield %t : f64
    }
    %sum = soac.reduce ins(%squares : tensor<4xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %m = memref.alloca() : memref<1xf64>
    memref.store %sum, %m[%c0] : memref<1xf64>
    %s = memref.load %m[%c0] : memref<1xf64>
    %y = arith.mulf %s, %sum : f64
    soac.yield %y : f64
  }
  return %r : tensor<?xf64>
}

// In a loop, each iteration of which has a map.
func.func @repeated(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf64> {
    %b = soac.map ins(%a : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
      %m = memref.alloca() : memref<f64>
      %s = math.sin %v : f64
      memref.store %s, %m[] : memref<f64>
      %t = memref.load %m[] : memref<f64>
      %u = arith.mulf %t, %v : f64
      soac.yield %u : f64
    }
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
