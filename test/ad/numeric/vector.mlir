// Derivatives of operations on vectors agree with central differences and with each
// other, in compiled code and in the interpreter.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.y4.npy '<f4' '(4,)' 0.5 1.5 0.7 2.1
// RUN: ad-opt check %s --entry=lanes --input=%t.x4.npy
// RUN: ad-opt check %s --entry=lanes --input=%t.x4.npy --engine=interpreter
// RUN: ad-opt check %s --entry=shapes --input=%t.x4.npy
// RUN: ad-opt check %s --entry=shapes --input=%t.x4.npy --engine=interpreter
// RUN: ad-opt check %s --entry=stretch --input=%t.x4.npy
// RUN: ad-opt check %s --entry=stretch --input=%t.x4.npy --engine=interpreter
// RUN: ad-opt check %s --entry=elementwise --input=%t.y4.npy
// RUN: ad-opt check %s --entry=elementwise --input=%t.y4.npy --engine=interpreter
// RUN: ad-opt check %s --entry=carried --input=%t.x4.npy --input=3
// RUN: ad-opt check %s --entry=carried --input=%t.x4.npy --input=3 --engine=interpreter
// RUN: ad-opt check %s --entry=carried --input=%t.x4.npy --input=0
// RUN: ad-opt check %s --entry=free --input=%t.x4.npy
// RUN: ad-opt check %s --entry=free --input=%t.x4.npy --engine=interpreter
// RUN: ad-opt check %s --entry=library --input=%t.x4.npy
// RUN: ad-opt check %s --entry=pullback --input=%t.x4.npy --input=0.3
// RUN: ad-opt check %s --entry=pullback --input=%t.x4.npy --input=0.3 --engine=interpreter

func.func private @load(%x: tensor<4xf64>) -> vector<4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = tensor.extract %x[%c0] : tensor<4xf64>
  %1 = tensor.extract %x[%c1] : tensor<4xf64>
  %2 = tensor.extract %x[%c2] : tensor<4xf64>
  %3 = tensor.extract %x[%c3] : tensor<4xf64>
  %v = vector.from_elements %0, %1, %2, %3 : vector<4xf64>
  return %v : vector<4xf64>
}

// Lanes are read and written at static and dynamic positions.
func.func @lanes(%x: tensor<4xf64>) -> f64 {
  %c2 = arith.constant 2 : index
  %v = func.call @load(%x) : (tensor<4xf64>) -> vector<4xf64>
  %a = vector.extract %v[1] : f64 from vector<4xf64>
  %b = vector.extract %v[%c2] : f64 from vector<4xf64>
  %ab = arith.mulf %a, %b : f64
  %w = vector.insert %ab, %v[0] : f64 into vector<4xf64>
  %u = vector.insert %a, %w[%c2] : f64 into vector<4xf64>
  %p = vector.fma %u, %w, %v : vector<4xf64>
  %e:4 = vector.to_elements %p : vector<4xf64>
  %s = arith.mulf %e#0, %e#3 : f64
  %r = vector.reduction <add>, %p, %s : vector<4xf64> into f64
  return %r : f64
}

// Two dimensions, transposed and reshaped; a whole row is read and written.
func.func @shapes(%x: tensor<4xf64>) -> f64 {
  %v = func.call @load(%x) : (tensor<4xf64>) -> vector<4xf64>
  %m = vector.shape_cast %v : vector<4xf64> to vector<2x2xf64>
  %t = vector.transpose %m, [1, 0] : vector<2x2xf64> to vector<2x2xf64>
  %mt = arith.mulf %m, %t : vector<2x2xf64>
  %row = vector.extract %mt[1] : vector<2xf64> from vector<2x2xf64>
  %n = vector.insert %row, %t[0] : vector<2xf64> into vector<2x2xf64>
  %nn = math.sin %n : vector<2x2xf64>
  %flat = vector.shape_cast %nn : vector<2x2xf64> to vector<4xf64>
  %r = vector.reduction <add>, %flat : vector<4xf64> into f64
  return %r : f64
}

// Numbers and vectors are broadcast, also along dimensions of size 1.
func.func @stretch(%x: tensor<4xf64>) -> f64 {
  %v = func.call @load(%x) : (tensor<4xf64>) -> vector<4xf64>
  %a = vector.extract %v[3] : f64 from vector<4xf64>
  %all = vector.broadcast %a : f64 to vector<3x4xf64>
  %rows = vector.broadcast %v : vector<4xf64> to vector<3x4xf64>
  %p = arith.mulf %all, %rows : vector<3x4xf64>
  %column = vector.from_elements %a, %a, %a : vector<3x1xf64>
  %stretched = vector.broadcast %column : vector<3x1xf64> to vector<3x4xf64>
  %q = arith.mulf %p, %stretched : vector<3x4xf64>
  %flat = vector.shape_cast %q : vector<3x4xf64> to vector<12xf64>
  %r = vector.reduction <add>, %flat : vector<12xf64> into f64
  return %r : f64
}

// arith and math on vectors; a select by lanes masks lanes that were not chosen.
func.func @elementwise(%x: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.extract %x[%c0] : tensor<4xf32>
  %1 = tensor.extract %x[%c1] : tensor<4xf32>
  %v = vector.from_elements %0, %1, %1, %0 : vector<4xf32>
  %k = arith.constant dense<[0.5, 2.0, -1.0, 3.0]> : vector<4xf32>
  %one = arith.constant dense<1.0> : vector<4xf32>
  %kv = arith.mulf %k, %v : vector<4xf32>
  %c = arith.cmpf ogt, %kv, %one : vector<4xf32>
  %e = math.exp %kv : vector<4xf32>
  %l = math.log %v : vector<4xf32>
  %s = arith.select %c, %e, %l : vector<4xi1>, vector<4xf32>
  %m = arith.maximumf %s, %kv : vector<4xf32>
  %r = vector.reduction <add>, %m : vector<4xf32> into f32
  return %r : f32
}

// A loop carries a vector, which its return sweep reads again.
func.func @carried(%x: tensor<4xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = func.call @load(%x) : (tensor<4xf64>) -> vector<4xf64>
  %w = scf.for %i = %c0 to %n step %c1 iter_args(%w = %v) -> vector<4xf64> {
    %s = math.sin %w : vector<4xf64>
    %p = arith.mulf %s, %v : vector<4xf64>
    scf.yield %p : vector<4xf64>
  }
  %r = vector.reduction <add>, %w : vector<4xf64> into f64
  return %r : f64
}

// A vector from outside of a map, and tensors of vectors.
func.func @free(%x: tensor<4xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %v = func.call @load(%x) : (tensor<4xf64>) -> vector<4xf64>
  %vs = soac.map ins(%x : tensor<4xf64>) (%a: f64) -> tensor<4xvector<4xf64>> {
    %b = vector.broadcast %a : f64 to vector<4xf64>
    %p = arith.mulf %b, %v : vector<4xf64>
    soac.yield %p : vector<4xf64>
  }
  %ys = soac.map ins(%vs : tensor<4xvector<4xf64>>) (%u: vector<4xf64>) -> tensor<4xf64> {
    %q = arith.mulf %u, %v : vector<4xf64>
    %s = vector.reduction <add>, %q : vector<4xf64> into f64
    soac.yield %s : f64
  }
  %r = soac.reduce ins(%ys : tensor<4xf64>) neutral(%zero : f64) (%l: f64, %k: f64) {
    %s = arith.addf %l, %k : f64
    soac.yield %s : f64
  }
  return %r : f64
}

// Functions of the C library are called for each lane.
func.func @library(%x: tensor<4xf64>) -> f64 {
  %v = func.call @load(%x) : (tensor<4xf64>) -> vector<4xf64>
  %two = arith.constant dense<2.0> : vector<4xf64>
  %square = arith.mulf %v, %v : vector<4xf64>
  %p = arith.addf %square, %two : vector<4xf64>
  %a = math.acosh %p : vector<4xf64>
  %m = vector.shape_cast %a : vector<4xf64> to vector<2x2xf64>
  %e = math.erfc %m : vector<2x2xf64>
  %flat = vector.shape_cast %e : vector<2x2xf64> to vector<4xf64>
  %r = vector.reduction <add>, %flat : vector<4xf64> into f64
  return %r : f64
}

// Second order.
func.func @pullback(%x: tensor<4xf64>, %s: f64) -> tensor<4xf64> {
  %r:2 = ad.vjp @lanes(%x) seed(%s) : (tensor<4xf64>), (f64) -> (f64, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
