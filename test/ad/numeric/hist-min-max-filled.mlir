// Where bins were filled in the scope of a hist with min or max, the cotangent of the values is a
// list of rows, of which maps take no others [F31, F32]: through two maps, with free scalars and
// arrays, rows of any length, two histograms of one array, values that are used elsewhere too, under
// a map, in a loop, in a branch, with two indices, and twice differentiated.
// RUN: %python %S/../../driver/Inputs/npy.py %t.v7.npy '<f8' '(7,)' 1.25 -0.5 0.75 0.3 0.9 -1.1 0.6
// RUN: %python %S/../../driver/Inputs/npy.py %t.v0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.f7.npy '<f4' '(7,)' 1.25 -0.5 0.75 0.3 0.9 -1.1 0.6
// RUN: %python %S/../../driver/Inputs/npy.py %t.i7.npy '<i8' '(7,)' 2 0 2 -3 3 1 2
// RUN: %python %S/../../driver/Inputs/npy.py %t.i0.npy '<i8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.w4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.w0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.m.npy '<f8' '(3,2)' 0.5 1.5 -0.7 2.1 1.1 0.4
// RUN: %python %S/../../driver/Inputs/npy.py %t.m0.npy '<f8' '(0,2)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.i3.npy '<i8' '(3,)' 2 0 2
// A call would give the caller a whole adjoint.
// RUN: ad-opt %s --inline -o %t.mlir
// RUN: ad-opt check %t.mlir --entry=chain --input=%t.i7.npy --input=%t.v7.npy --input=%t.w4.npy --input=0.7
// RUN: ad-opt check %t.mlir --entry=chain --engine=interpreter --input=%t.i7.npy --input=%t.v7.npy --input=%t.w4.npy --input=0.7
// RUN: ad-opt check %t.mlir --entry=chain --input=%t.i0.npy --input=%t.v0.npy --input=%t.w4.npy --input=0.7
// RUN: ad-opt check %t.mlir --entry=chain --input=%t.i7.npy --input=%t.v7.npy --input=%t.w0.npy --input=0.7
// RUN: ad-opt check %t.mlir --entry=chain_gradient --input=%t.i7.npy --input=%t.v7.npy --input=%t.w4.npy --input=0.7
// RUN: ad-opt check %t.mlir --entry=chain_gradient --engine=interpreter --input=%t.i7.npy --input=%t.v7.npy --input=%t.w4.npy --input=0.7
// RUN: ad-opt check %t.mlir --entry=chain_gradient --input=%t.i0.npy --input=%t.v0.npy --input=%t.w4.npy --input=0.7
// RUN: ad-opt check %t.mlir --entry=short --input=%t.i7.npy --input=%t.f7.npy
// RUN: ad-opt check %t.mlir --entry=bounds --input=%t.i7.npy --input=%t.v7.npy --input=%t.w4.npy --input=0.7
// RUN: ad-opt check %t.mlir --entry=bounds --input=%t.i0.npy --input=%t.v0.npy --input=%t.w4.npy --input=0.7
// RUN: ad-opt check %t.mlir --entry=elsewhere --input=%t.i7.npy --input=%t.v7.npy --input=%t.w4.npy
// RUN: ad-opt check %t.mlir --entry=elsewhere --input=%t.i0.npy --input=%t.v0.npy --input=%t.w4.npy
// RUN: ad-opt check %t.mlir --entry=rows --input=%t.i3.npy --input=%t.m.npy --input=%t.w4.npy
// RUN: ad-opt check %t.mlir --entry=rows --input=%t.i0.npy --input=%t.m0.npy --input=%t.w4.npy
// RUN: ad-opt check %t.mlir --entry=rows --input=%t.i3.npy --input=%t.m.npy --input=%t.w0.npy
// RUN: ad-opt check %t.mlir --entry=elements --input=%t.i3.npy --input=%t.m.npy --input=%t.w4.npy
// RUN: ad-opt check %t.mlir --entry=elements --input=%t.i0.npy --input=%t.m0.npy --input=%t.w4.npy
// RUN: ad-opt check %t.mlir --entry=two_indices --input=%t.i7.npy --input=%t.v7.npy
// RUN: ad-opt check %t.mlir --entry=nested --input=%t.i7.npy --input=%t.v7.npy --input=%t.w4.npy
// RUN: ad-opt check %t.mlir --entry=nested --input=%t.i7.npy --input=%t.v7.npy --input=%t.w0.npy
// RUN: ad-opt check %t.mlir --entry=loop --input=%t.i7.npy --input=%t.v7.npy --input=3
// RUN: ad-opt check %t.mlir --entry=branch --input=%t.i7.npy --input=%t.v7.npy --input=0.7
// RUN: ad-opt check %t.mlir --entry=branch --input=%t.i7.npy --input=%t.v7.npy --input=-0.7
// RUN: ad-opt run %t.mlir --entry=edges | FileCheck %s

func.func private @largest(%is: tensor<?xindex>, %vs: tensor<?xf64>, %start: f64, %m: index) -> tensor<?xf64> {
  %least = arith.constant 0xFFF0000000000000 : f64
  %bins = tensor.splat %start[%m] : tensor<?xf64>
  %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%bins : tensor<?xf64>)
      neutral(%least : f64) (%l: f64, %r: f64) {
    %s = arith.maximumf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<?xf64>
}

func.func private @smallest(%is: tensor<?xindex>, %vs: tensor<?xf64>, %start: f64, %m: index) -> tensor<?xf64> {
  %most = arith.constant 0x7FF0000000000000 : f64
  %bins = tensor.splat %start[%m] : tensor<?xf64>
  %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%bins : tensor<?xf64>)
      neutral(%most : f64) (%l: f64, %r: f64) {
    %s = arith.minimumf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<?xf64>
}

func.func private @dot(%xs: tensor<?xf64>, %ys: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %zs = soac.map ins(%xs, %ys : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
    %z = arith.mulf %x, %y : f64
    soac.yield %z : f64
  }
  %s = soac.reduce ins(%zs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  return %s : f64
}

// Two maps, the second of which reads a free scalar and elements of a free array. The destination,
// which has a derivative too, wins bin 1.
func.func @chain(%is: tensor<?xindex>, %vs: tensor<?xf64>, %ws: tensor<?xf64>, %x: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %ws, %c0 : tensor<?xf64>
  %squares = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
    %s = arith.mulf %v, %v : f64
    soac.yield %s : f64
  }
  %ys = soac.map ins(%squares, %is : tensor<?xf64>, tensor<?xindex>) (%s: f64, %i: index) -> tensor<?xf64> {
    %a = arith.mulf %s, %x : f64
    %inside = arith.cmpi ult, %i, %m : index
    %w = scf.if %inside -> f64 {
      %e = tensor.extract %ws[%i] : tensor<?xf64>
      scf.yield %e : f64
    } else {
      scf.yield %s : f64
    }
    %b = arith.mulf %a, %w : f64
    %y = math.sin %b : f64
    soac.yield %y : f64
  }
  %h = func.call @largest(%is, %ys, %x, %m) : (tensor<?xindex>, tensor<?xf64>, f64, index) -> tensor<?xf64>
  return %h : tensor<?xf64>
}
func.func @chain_gradient(%is: tensor<?xindex>, %vs: tensor<?xf64>, %ws: tensor<?xf64>, %x: f64)
    -> (tensor<?xf64>, tensor<?xf64>, f64) {
  %r:4 = ad.vjp @chain(%is, %vs, %ws, %x) seed(%ws)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>, f64), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64)
  return %r#1, %r#2, %r#3 : tensor<?xf64>, tensor<?xf64>, f64
}

func.func @short(%is: tensor<?xindex>, %vs: tensor<?xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %bins = tensor.splat %zero : tensor<3xf32>
  %ys = soac.map ins(%vs : tensor<?xf32>) (%v: f32) -> tensor<?xf32> {
    %y = arith.mulf %v, %v : f32
    soac.yield %y : f32
  }
  %h = soac.hist at(%is : tensor<?xindex>) ins(%ys : tensor<?xf32>) into(%bins : tensor<3xf32>)
      neutral(%least : f32) (%l: f32, %r: f32) {
    %s = arith.maximumf %l, %r : f32
    soac.yield %s : f32
  }
  return %h : tensor<3xf32>
}

// Smallest and largest of results of one map, and an element.
func.func @bounds(%is: tensor<?xindex>, %vs: tensor<?xf64>, %ws: tensor<?xf64>, %x: f64) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %inf = arith.constant 9.0 : f64
  %m = tensor.dim %ws, %c0 : tensor<?xf64>
  %ys:2 = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> (tensor<?xf64>, tensor<?xf64>) {
    %a = arith.mulf %v, %x : f64
    %y = math.sin %a : f64
    %z = arith.mulf %a, %v : f64
    soac.yield %y, %z : f64, f64
  }
  %least = soac.reduce ins(%ys#0 : tensor<?xf64>) neutral(%inf : f64) (%l: f64, %r: f64) {
    %t = arith.minimumf %l, %r : f64
    soac.yield %t : f64
  }
  %h = func.call @largest(%is, %ys#0, %zero, %m) : (tensor<?xindex>, tensor<?xf64>, f64, index) -> tensor<?xf64>
  %k = func.call @smallest(%is, %ys#0, %zero, %m) : (tensor<?xindex>, tensor<?xf64>, f64, index) -> tensor<?xf64>
  %g = func.call @largest(%is, %ys#1, %zero, %m) : (tensor<?xindex>, tensor<?xf64>, f64, index) -> tensor<?xf64>
  %p = func.call @dot(%h, %ws) : (tensor<?xf64>, tensor<?xf64>) -> f64
  %q = func.call @dot(%k, %g) : (tensor<?xf64>, tensor<?xf64>) -> f64
  %o = arith.mulf %q, %least : f64
  return %p, %o : f64, f64
}

// The values are read before and after the hist by others, so that rows are added to an array and
// an array to rows; and the map reads its input as a free array too.
func.func @elsewhere(%is: tensor<?xindex>, %vs: tensor<?xf64>, %ws: tensor<?xf64>) -> (f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %ws, %c0 : tensor<?xf64>
  %xs = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
    %x = math.exp %v : f64
    soac.yield %x : f64
  }
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %first = tensor.extract %xs[%c0] : tensor<?xf64>
    %y = arith.mulf %x, %first : f64
    soac.yield %y : f64
  }
  %a = func.call @dot(%ys, %ys) : (tensor<?xf64>, tensor<?xf64>) -> f64
  %h = func.call @largest(%is, %ys, %zero, %m) : (tensor<?xindex>, tensor<?xf64>, f64, index) -> tensor<?xf64>
  %k = func.call @largest(%is, %vs, %zero, %m) : (tensor<?xindex>, tensor<?xf64>, f64, index) -> tensor<?xf64>
  %g = func.call @largest(%is, %xs, %zero, %m) : (tensor<?xindex>, tensor<?xf64>, f64, index) -> tensor<?xf64>
  %b = func.call @dot(%h, %k) : (tensor<?xf64>, tensor<?xf64>) -> f64
  %c = func.call @dot(%g, %ws) : (tensor<?xf64>, tensor<?xf64>) -> f64
  %d = func.call @dot(%xs, %xs) : (tensor<?xf64>, tensor<?xf64>) -> f64
  %e = arith.mulf %c, %d : f64
  return %a, %b, %e : f64, f64, f64
}

// Of rows, whose length is not known, a map makes the values.
func.func @rows(%is: tensor<?xindex>, %ps: tensor<?x?xf64>, %ws: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %far = arith.constant 99.0 : f64
  %m = tensor.dim %ws, %c0 : tensor<?xf64>
  %qs = soac.map ins(%ps : tensor<?x?xf64>) (%p: tensor<?xf64>) -> tensor<?x?xf64> {
    %q = math.exp %p : tensor<?xf64>
    soac.yield %q : tensor<?xf64>
  }
  %ds = soac.map ins(%qs : tensor<?x?xf64>) (%q: tensor<?xf64>) -> tensor<?xf64> {
    %d = func.call @dot(%q, %q) : (tensor<?xf64>, tensor<?xf64>) -> f64
    soac.yield %d : f64
  }
  %h = func.call @smallest(%is, %ds, %far, %m) : (tensor<?xindex>, tensor<?xf64>, f64, index) -> tensor<?xf64>
  return %h : tensor<?xf64>
}

// Rows are combined element by element.
func.func @elements(%is: tensor<?xindex>, %ps: tensor<?x?xf64>, %ws: tensor<?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %least = arith.constant 0xFFF0000000000000 : f64
  %m = tensor.dim %ws, %c0 : tensor<?xf64>
  %width = tensor.dim %ps, %c1 : tensor<?x?xf64>
  %qs = soac.map ins(%ps : tensor<?x?xf64>) (%p: tensor<?xf64>) -> tensor<?x?xf64> {
    %q = math.exp %p : tensor<?xf64>
    soac.yield %q : tensor<?xf64>
  }
  %bins = tensor.splat %zero[%m, %width] : tensor<?x?xf64>
  %neutral = tensor.splat %least[%width] : tensor<?xf64>
  %h = soac.hist at(%is : tensor<?xindex>) ins(%qs : tensor<?x?xf64>) into(%bins : tensor<?x?xf64>)
      neutral(%neutral : tensor<?xf64>) (%l: tensor<?xf64>, %r: tensor<?xf64>) {
    %s = arith.maximumf %l, %r : tensor<?xf64>
    soac.yield %s : tensor<?xf64>
  }
  return %h : tensor<?x?xf64>
}

func.func @two_indices(%is: tensor<?xindex>, %vs: tensor<?xf64>) -> tensor<4x3xf64> {
  %zero = arith.constant 0.0 : f64
  %least = arith.constant 0xFFF0000000000000 : f64
  %bins = tensor.splat %zero : tensor<4x3xf64>
  %c1 = arith.constant 1 : index
  %js:2 = soac.map ins(%is, %vs : tensor<?xindex>, tensor<?xf64>) (%i: index, %v: f64) -> (tensor<?xindex>, tensor<?xf64>) {
    %j = arith.subi %i, %c1 : index
    %y = math.exp %v : f64
    soac.yield %j, %y : index, f64
  }
  %h = soac.hist at(%is, %js#0 : tensor<?xindex>, tensor<?xindex>) ins(%js#1 : tensor<?xf64>)
      into(%bins : tensor<4x3xf64>) neutral(%least : f64) (%l: f64, %r: f64) {
    %s = arith.maximumf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<4x3xf64>
}

// The values are those of outside, and what a map makes of them inside.
func.func @nested(%is: tensor<?xindex>, %vs: tensor<?xf64>, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %c4 = arith.constant 4 : index
  %rs = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %ys = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
      %y = arith.mulf %v, %x : f64
      soac.yield %y : f64
    }
    %h = func.call @largest(%is, %ys, %x, %c4) : (tensor<?xindex>, tensor<?xf64>, f64, index) -> tensor<?xf64>
    %k = func.call @smallest(%is, %vs, %x, %c4) : (tensor<?xindex>, tensor<?xf64>, f64, index) -> tensor<?xf64>
    %r = func.call @dot(%h, %k) : (tensor<?xf64>, tensor<?xf64>) -> f64
    soac.yield %r : f64
  }
  return %rs : tensor<?xf64>
}

func.func @loop(%is: tensor<?xindex>, %vs: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %half = arith.constant 0.5 : f64
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%xs = %vs) -> tensor<?xf64> {
    %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
      %y = math.tanh %x : f64
      soac.yield %y : f64
    }
    %h = func.call @largest(%is, %ys, %half, %c4) : (tensor<?xindex>, tensor<?xf64>, f64, index) -> tensor<?xf64>
    %s = func.call @dot(%h, %h) : (tensor<?xf64>, tensor<?xf64>) -> f64
    %next = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
      %y = arith.mulf %x, %s : f64
      soac.yield %y : f64
    }
    scf.yield %next : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

func.func @branch(%is: tensor<?xindex>, %vs: tensor<?xf64>, %x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c4 = arith.constant 4 : index
  %positive = arith.cmpf ogt, %x, %zero : f64
  %ys = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
    %y = math.exp %v : f64
    soac.yield %y : f64
  }
  %g = func.call @largest(%is, %ys, %zero, %c4) : (tensor<?xindex>, tensor<?xf64>, f64, index) -> tensor<?xf64>
  %r = scf.if %positive -> f64 {
    %zs = soac.map ins(%ys : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
      %z = arith.mulf %y, %x : f64
      soac.yield %z : f64
    }
    %h = func.call @largest(%is, %zs, %zero, %c4) : (tensor<?xindex>, tensor<?xf64>, f64, index) -> tensor<?xf64>
    %s = func.call @dot(%h, %h) : (tensor<?xf64>, tensor<?xf64>) -> f64
    scf.yield %s : f64
  } else {
    scf.yield %x : f64
  }
  %t = func.call @dot(%g, %g) : (tensor<?xf64>, tensor<?xf64>) -> f64
  %q = arith.mulf %r, %t : f64
  return %q : f64
}

// The values are squares. Bin 0: 4 twice, of which the first counts. Bin 1: 9 equals what the bins start
// with, which counts. Bin 2 is empty. Bin 3: a NaN. Bin 4: the second value. An index is negative, one
// too large. The infinite value loses, so that its share is 0 and not 0 * inf.
func.func @squares(%is: tensor<10xindex>, %vs: tensor<10xf64>, %start: f64) -> tensor<5xf64> {
  %most = arith.constant 0x7FF0000000000000 : f64
  %bins = tensor.splat %start : tensor<5xf64>
  %ys = soac.map ins(%vs : tensor<10xf64>) (%v: f64) -> tensor<10xf64> {
    %y = arith.mulf %v, %v : f64
    soac.yield %y : f64
  }
  %h = soac.hist at(%is : tensor<10xindex>) ins(%ys : tensor<10xf64>) into(%bins : tensor<5xf64>)
      neutral(%most : f64) (%l: f64, %r: f64) {
    %s = arith.minimumf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<5xf64>
}
func.func @edges() -> (tensor<5xf64>, tensor<10xf64>, f64) {
  %is = arith.constant dense<[0, 0, 1, 0, -1, 5, 3, 3, 4, 4]> : tensor<10xindex>
  %vs = arith.constant dense<[0x7FF0000000000000, 2.0, 3.0, -2.0, 1.0, 1.0, 0x7FF8000000000000, 1.0, -2.5, -1.5]> : tensor<10xf64>
  %start = arith.constant 9.0 : f64
  %seed = arith.constant dense<[1.0, 10.0, 100.0, 1000.0, 10000.0]> : tensor<5xf64>
  %r:3 = ad.vjp @squares(%is, %vs, %start) seed(%seed)
      : (tensor<10xindex>, tensor<10xf64>, f64), (tensor<5xf64>)
      -> (tensor<5xf64>, tensor<10xf64>, f64)
  return %r#0, %r#1, %r#2 : tensor<5xf64>, tensor<10xf64>, f64
}
// CHECK: [4.0, 9.0, 9.0, nan, 2.25]
// CHECK-NEXT: [0.0, 4.0, 0.0, 0.0, 0.0, 0.0, nan, 0.0, 0.0, -30000.0]
// CHECK-NEXT: 110.0
