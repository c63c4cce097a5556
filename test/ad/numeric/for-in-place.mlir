// Arrays that a loop only updates in place: what it overwrites is saved, not the array.
// F54: also inside branches. F50: nothing without false dependencies.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x5.npy '<f8' '(5,)' 0.5 -1.5 0.7 0.3 -0.2
// RUN: %python %S/../../driver/Inputs/npy.py %t.f5.npy '<f4' '(5,)' 0.5 -1.5 0.7 0.3 -0.2
// RUN: %python %S/../../driver/Inputs/npy.py %t.x1.npy '<f8' '(1,)' 0.5
// RUN: %python %S/../../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.m43.npy '<f8' '(4, 3)' 0.5 -1.5 0.7 0.3 -0.2 0.9 1.1 0.4 -0.6 0.8 1.3 0.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.i6.npy '<i8' '(6,)' 1 3 1 4 0 3
// RUN: %python %S/../../driver/Inputs/npy.py %t.i0.npy '<i8' '(0,)'
// RUN: ad-opt check %s --entry=relax --input=%t.x5.npy --input=%t.i6.npy --input=0.7
// RUN: ad-opt check %s --entry=relax --input=%t.x1.npy --input=%t.i0.npy --input=0.7
// RUN: ad-opt check %s --entry=branch --input=%t.x5.npy --input=%t.i6.npy --input=0.7
// RUN: ad-opt check %s --entry=nest --input=%t.x5.npy --input=3 --input=0.7
// RUN: ad-opt check %s --entry=nest --input=%t.x5.npy --input=0 --input=0.7
// RUN: ad-opt check %s --entry=rows --input=%t.m43.npy --input=%t.i6.npy
// RUN: ad-opt check %s --entry=two --input=%t.x5.npy --input=%t.x5.npy --input=%t.i6.npy
// RUN: ad-opt check %s --entry=after --input=%t.x5.npy --input=%t.i6.npy
// RUN: ad-opt check %s --entry=single --input=%t.f5.npy --input=%t.i6.npy
// RUN: ad-opt check %s --entry=triangle --input=%t.x5.npy
// RUN: ad-opt check %s --entry=grid --input=%t.m43.npy --input=%t.m43.npy
// RUN: ad-opt check %s --entry=grid_promised --input=%t.m43.npy --input=%t.m43.npy
// RUN: ad-opt check %s --entry=prefix --input=%t.x5.npy
// RUN: ad-opt check %s --entry=prefix --input=%t.x0.npy
// RUN: ad-opt check %s --entry=twice --input=%t.x5.npy --input=%t.i6.npy --input=%t.x5.npy
// RUN: %python %S/../../driver/Inputs/npy.py %t.m03.npy '<f8' '(0, 3)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.m11.npy '<f8' '(1, 1)' 0.4
// RUN: %python %S/../../driver/Inputs/npy.py %t.i1.npy '<i8' '(1,)' 0
// RUN: %python %S/../../driver/Inputs/npy.py %t.i7.npy '<i8' '(5,)' 3 1 4 1 7
// RUN: ad-opt check %s --entry=chain --input=%t.m43.npy --input=%t.i6.npy
// RUN: ad-opt check %s --entry=chain --input=%t.m43.npy --input=%t.i1.npy
// RUN: ad-opt check %s --entry=chain --input=%t.m43.npy --input=%t.i0.npy
// RUN: ad-opt check %s --entry=chain --input=%t.m11.npy --input=%t.i6.npy
// RUN: ad-opt check %s --entry=older --input=%t.x5.npy --input=%t.i6.npy
// RUN: ad-opt check %s --entry=older --input=%t.x1.npy --input=%t.i1.npy
// RUN: ad-opt check %s --entry=older --input=%t.x0.npy --input=%t.i1.npy
// RUN: ad-opt check %s --entry=scattered --input=%t.x5.npy --input=%t.i7.npy --input=0.7
// RUN: ad-opt check %s --entry=scattered --input=%t.x5.npy --input=%t.i0.npy --input=0.7
// RUN: ad-opt check %s --entry=scattered --input=%t.x1.npy --input=%t.i1.npy --input=0.7
// RUN: ad-opt check %s --entry=scattered_rows --input=%t.m43.npy --input=%t.m43.npy
// RUN: ad-opt check %s --entry=scattered_rows --input=%t.m11.npy --input=%t.m11.npy
// RUN: ad-opt check %s --entry=scattered_rows --input=%t.m03.npy --input=%t.m03.npy
// RUN: ad-opt check %s --entry=scatter_promised --input=%t.m43.npy
// RUN: ad-opt check %s --entry=pulled_nest --input=%t.x5.npy --input=0.7 --input=%t.x5.npy
// RUN: ad-opt check %s --entry=pulled_chain --input=%t.m43.npy --input=%t.i6.npy --input=%t.m43.npy
// RUN: ad-opt check %s --entry=pulled_scattered --input=%t.x5.npy --input=%t.i7.npy --input=%t.x5.npy

// Indices that repeat and come from an array; each update reads what it overwrites.
func.func @relax(%x: tensor<?xf64>, %is: tensor<?xindex>, %w: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %is, %c0 : tensor<?xindex>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%xs = %x) -> tensor<?xf64> {
    %i = tensor.extract %is[%k] : tensor<?xindex>
    %v = tensor.extract %xs[%i] : tensor<?xf64>
    %s = math.sin %v : f64
    %t = arith.mulf %s, %w : f64
    %ys = tensor.insert %t into %xs[%i] : tensor<?xf64>
    scf.yield %ys : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// The condition depends on the array, and the branches update different elements.
func.func @branch(%x: tensor<?xf64>, %is: tensor<?xindex>, %w: f64) -> (tensor<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %is, %c0 : tensor<?xindex>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%xs = %x, %a = %w) -> (tensor<?xf64>, f64) {
    %i = tensor.extract %is[%k] : tensor<?xindex>
    %v = tensor.extract %xs[%i] : tensor<?xf64>
    %c = arith.cmpf olt, %v, %zero : f64
    %ys = scf.if %c -> tensor<?xf64> {
      %s = arith.mulf %v, %v : f64
      %t = arith.mulf %s, %a : f64
      %u = tensor.insert %t into %xs[%i] : tensor<?xf64>
      scf.yield %u : tensor<?xf64>
    } else {
      %s = math.cos %v : f64
      %u = tensor.insert %s into %xs[%c0] : tensor<?xf64>
      %e = tensor.extract %u[%i] : tensor<?xf64>
      %f = arith.mulf %e, %e : f64
      %t = tensor.insert %f into %u[%i] : tensor<?xf64>
      scf.yield %t : tensor<?xf64>
    }
    %b = arith.mulf %a, %v : f64
    scf.yield %ys, %b : tensor<?xf64>, f64
  }
  return %r#0, %r#1 : tensor<?xf64>, f64
}

// Sweeps over the whole array.
func.func @nest(%x: tensor<?xf64>, %sweeps: index, %w: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = scf.for %k = %c0 to %sweeps step %c1 iter_args(%xs = %x) -> tensor<?xf64> {
    %q = scf.for %i = %c1 to %n step %c1 iter_args(%ys = %xs) -> tensor<?xf64> {
      %p = arith.subi %i, %c1 : index
      %a = tensor.extract %ys[%p] : tensor<?xf64>
      %b = tensor.extract %ys[%i] : tensor<?xf64>
      %s = arith.mulf %a, %b : f64
      %t = math.sin %s : f64
      %u = arith.addf %t, %w : f64
      %zs = tensor.insert %u into %ys[%i] : tensor<?xf64>
      scf.yield %zs : tensor<?xf64>
    }
    scf.yield %q : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Rows of a matrix.
func.func @rows(%x: tensor<?x?xf64>, %is: tensor<?xindex>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %is, %c0 : tensor<?xindex>
  %h = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%xs = %x) -> tensor<?x?xf64> {
    %i0 = tensor.extract %is[%k] : tensor<?xindex>
    %i = arith.remsi %i0, %h : index
    %row = tensor.extract_slice %xs[%i, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %first = tensor.extract_slice %xs[0, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %new = soac.map ins(%row, %first : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
      %p = arith.mulf %a, %b : f64
      %s = math.sin %p : f64
      soac.yield %s : f64
    }
    %ys = tensor.insert_slice %new into %xs[%i, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    scf.yield %ys : tensor<?x?xf64>
  }
  return %r : tensor<?x?xf64>
}

// Two arrays that the same branch updates.
func.func @two(%x: tensor<?xf64>, %y: tensor<?xf64>, %is: tensor<?xindex>)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.1 : f64
  %n = tensor.dim %is, %c0 : tensor<?xindex>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%xs = %x, %ys = %y) -> (tensor<?xf64>, tensor<?xf64>) {
    %i = tensor.extract %is[%k] : tensor<?xindex>
    %v = tensor.extract %xs[%i] : tensor<?xf64>
    %u = tensor.extract %ys[%i] : tensor<?xf64>
    %c = arith.cmpf olt, %v, %zero : f64
    %q:2 = scf.if %c -> (tensor<?xf64>, tensor<?xf64>) {
      %p = arith.mulf %u, %v : f64
      %a = tensor.insert %p into %xs[%i] : tensor<?xf64>
      %b = tensor.insert %v into %ys[%i] : tensor<?xf64>
      scf.yield %a, %b : tensor<?xf64>, tensor<?xf64>
    } else {
      %p = math.sin %v : f64
      %a = tensor.insert %p into %xs[%i] : tensor<?xf64>
      scf.yield %a, %ys : tensor<?xf64>, tensor<?xf64>
    }
    scf.yield %q#0, %q#1 : tensor<?xf64>, tensor<?xf64>
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

// The array is read again after the update.
func.func @after(%x: tensor<?xf64>, %is: tensor<?xindex>) -> (tensor<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %is, %c0 : tensor<?xindex>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%xs = %x, %a = %one) -> (tensor<?xf64>, f64) {
    %i = tensor.extract %is[%k] : tensor<?xindex>
    %v = tensor.extract %xs[%i] : tensor<?xf64>
    %s = arith.mulf %v, %a : f64
    %ys = tensor.insert %s into %xs[%i] : tensor<?xf64>
    %d = tensor.extract %ys[%c0] : tensor<?xf64>
    %p = scf.for %j = %c0 to %c1 step %c1 iter_args(%q = %d) -> f64 {
      %e = tensor.extract %ys[%j] : tensor<?xf64>
      %f = arith.mulf %e, %q : f64
      %g = math.cos %f : f64
      scf.yield %g : f64
    }
    %b = arith.mulf %a, %p : f64
    scf.yield %ys, %b : tensor<?xf64>, f64
  }
  return %r#0, %r#1 : tensor<?xf64>, f64
}

func.func @single(%x: tensor<5xf32>, %is: tensor<?xindex>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %is, %c0 : tensor<?xindex>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%xs = %x) -> tensor<5xf32> {
    %i = tensor.extract %is[%k] : tensor<?xindex>
    %v = tensor.extract %xs[%i] : tensor<5xf32>
    %s = math.sin %v : f32
    %ys = tensor.insert %s into %xs[%i] : tensor<5xf32>
    scf.yield %ys : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}

// The inner loop has as many iterations as the outer one has done: the array is saved whole.
func.func @triangle(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%xs = %x) -> tensor<?xf64> {
    %q = scf.for %i = %c0 to %k step %c1 iter_args(%ys = %xs) -> tensor<?xf64> {
      %a = tensor.extract %ys[%k] : tensor<?xf64>
      %b = tensor.extract %ys[%i] : tensor<?xf64>
      %s = arith.mulf %a, %b : f64
      %t = math.sin %s : f64
      %zs = tensor.insert %t into %ys[%i] : tensor<?xf64>
      scf.yield %zs : tensor<?xf64>
    }
    scf.yield %q : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// The paper's loop nest, with a product for its sum: proven to be without false dependencies.
func.func @grid(%x: tensor<?x?xf64>, %ass: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%xs = %x) -> tensor<?x?xf64> {
    %p = arith.subi %i, %c1 : index
    %q = scf.for %j = %c0 to %m step %c1 iter_args(%ys = %xs) -> tensor<?x?xf64> {
      %a = tensor.extract %ass[%i, %j] : tensor<?x?xf64>
      %b = tensor.extract %ys[%p, %j] : tensor<?x?xf64>
      %s = arith.mulf %a, %b : f64
      %t = math.sin %s : f64
      %zs = tensor.insert %t into %ys[%i, %j] : tensor<?x?xf64>
      scf.yield %zs : tensor<?x?xf64>
    }
    scf.yield %q : tensor<?x?xf64>
  }
  return %r : tensor<?x?xf64>
}

// The same with an index that proves nothing, and the promise.
func.func @grid_promised(%x: tensor<?x?xf64>, %ass: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%xs = %x) -> tensor<?x?xf64> {
    %p = arith.subi %i, %c1 : index
    %q = scf.for %j = %c0 to %m step %c1 iter_args(%ys = %xs) -> tensor<?x?xf64> {
      %i2 = arith.remsi %i, %n : index
      %a = tensor.extract %ass[%i, %j] : tensor<?x?xf64>
      %b = tensor.extract %ys[%p, %j] : tensor<?x?xf64>
      %s = arith.mulf %a, %b : f64
      %t = math.sin %s : f64
      %zs = tensor.insert %t into %ys[%i2, %j] : tensor<?x?xf64>
      scf.yield %zs : tensor<?x?xf64>
    }
    scf.yield %q : tensor<?x?xf64>
  } {ad.no_false_dependencies}
  return %r : tensor<?x?xf64>
}

// A recurrence that fills an array from its first element; also reads that one.
func.func @prefix(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%xs = %x) -> tensor<?xf64> {
    %p = arith.subi %i, %c1 : index
    %a = tensor.extract %xs[%p] : tensor<?xf64>
    %b = tensor.extract %xs[%c0] : tensor<?xf64>
    %c = arith.mulf %a, %b : f64
    %s = math.cos %c : f64
    %ys = tensor.insert %s into %xs[%i] : tensor<?xf64>
    scf.yield %ys : tensor<?xf64>
  }
  // The result is updated in place afterwards; the return sweep must not read that.
  %e = scf.for %i = %c0 to %n step %c1 iter_args(%xs = %r) -> tensor<?xf64> {
    %a = tensor.extract %xs[%i] : tensor<?xf64>
    %s = arith.mulf %a, %a : f64
    %ys = tensor.insert %s into %xs[%i] : tensor<?xf64>
    scf.yield %ys : tensor<?xf64>
  }
  return %e, %r : tensor<?xf64>, tensor<?xf64>
}

// Second order: the vjp of a vjp.
func.func @pulled(%x: tensor<?xf64>, %is: tensor<?xindex>, %w: f64, %bar: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %r:3 = ad.vjp @relax(%x, %is, %w) seed(%bar)
      : (tensor<?xf64>, tensor<?xindex>, f64), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, f64)
  return %r#1, %r#2 : tensor<?xf64>, f64
}
func.func @twice(%x: tensor<?xf64>, %is: tensor<?xindex>, %bar: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %w = arith.constant 0.7 : f64
  %r:2 = func.call @pulled(%x, %is, %w, %bar) : (tensor<?xf64>, tensor<?xindex>, f64, tensor<?xf64>) -> (tensor<?xf64>, f64)
  return %r#0, %r#1 : tensor<?xf64>, f64
}

// Two loops that run on the array one after the other in an outer one, with a branch that
// updates it between them and an update of its own; what is overwritten is read, and nothing
// proves that it is not. The return loops hand the array on.
func.func @chain(%x: tensor<?x?xf64>, %is: tensor<?xindex>) -> (tensor<?x?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %n = tensor.dim %is, %c0 : tensor<?xindex>
  %h = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%xs = %x, %a = %half) -> (tensor<?x?xf64>, f64) {
    %i0 = tensor.extract %is[%k] : tensor<?xindex>
    %i = arith.remsi %i0, %h : index
    %x1 = scf.for %j = %c1 to %m step %c1 iter_args(%ys = %xs) -> tensor<?x?xf64> {
      %p = arith.subi %j, %c1 : index
      %u = tensor.extract %ys[%i, %p] : tensor<?x?xf64>
      %v = tensor.extract %ys[%i, %j] : tensor<?x?xf64>
      %s = arith.mulf %u, %v : f64
      %t = math.cos %s : f64
      %zs = tensor.insert %t into %ys[%i, %j] : tensor<?x?xf64>
      scf.yield %zs : tensor<?x?xf64>
    }
    %e = tensor.extract %x1[%i, %c0] : tensor<?x?xf64>
    %c = arith.cmpf olt, %e, %half : f64
    %x2:2 = scf.if %c -> (tensor<?x?xf64>, f64) {
      %f = arith.mulf %e, %a : f64
      %w = tensor.insert %f into %x1[%i, %c0] : tensor<?x?xf64>
      %l = scf.for %j = %c0 to %m step %c1 iter_args(%ys = %w) -> tensor<?x?xf64> {
        %v = tensor.extract %ys[%i, %j] : tensor<?x?xf64>
        %s = arith.mulf %v, %v : f64
        %zs = tensor.insert %s into %ys[%i, %j] : tensor<?x?xf64>
        scf.yield %zs : tensor<?x?xf64>
      }
      %o = tensor.extract %l[%c0, %c0] : tensor<?x?xf64>
      scf.yield %l, %o : tensor<?x?xf64>, f64
    } else {
      scf.yield %x1, %a : tensor<?x?xf64>, f64
    }
    %g = arith.mulf %e, %x2#1 : f64
    %x3 = tensor.insert %g into %x2#0[%c0, %c0] : tensor<?x?xf64>
    %x4:2 = scf.for %j = %c0 to %m step %c1 iter_args(%ys = %x3, %b = %a) -> (tensor<?x?xf64>, f64) {
      %v = tensor.extract %ys[%c0, %j] : tensor<?x?xf64>
      %s = arith.mulf %v, %b : f64
      %t = math.sin %s : f64
      %zs = tensor.insert %t into %ys[%i, %j] : tensor<?x?xf64>
      %d = arith.addf %t, %half : f64
      scf.yield %zs, %d : tensor<?x?xf64>, f64
    }
    scf.yield %x4#0, %x4#1 : tensor<?x?xf64>, f64
  }
  return %r#0, %r#1 : tensor<?x?xf64>, f64
}

// What the loop has overwritten is read after it, so that this version is copied.
func.func @older(%x: tensor<?xf64>, %is: tensor<?xindex>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %m = tensor.dim %is, %c0 : tensor<?xindex>
  %r = scf.for %k = %c0 to %m step %c1 iter_args(%xs = %x) -> tensor<?xf64> {
    %q = scf.for %i = %c0 to %n step %c1 iter_args(%ys = %xs) -> tensor<?xf64> {
      %a = tensor.extract %ys[%i] : tensor<?xf64>
      %b = tensor.extract %xs[%c0] : tensor<?xf64>
      %s = arith.mulf %a, %b : f64
      %t = math.sin %s : f64
      %zs = tensor.insert %t into %ys[%i] : tensor<?xf64>
      scf.yield %zs : tensor<?xf64>
    }
    %p = scf.for %i = %c0 to %n step %c1 iter_args(%ys = %q) -> tensor<?xf64> {
      %a = tensor.extract %ys[%i] : tensor<?xf64>
      %b = tensor.extract %xs[%i] : tensor<?xf64>
      %c = tensor.extract %q[%c0] : tensor<?xf64>
      %s = arith.mulf %a, %b : f64
      %t = arith.mulf %s, %c : f64
      %zs = tensor.insert %t into %ys[%i] : tensor<?xf64>
      scf.yield %zs : tensor<?xf64>
    }
    scf.yield %p : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// A scatter at indices that repeat and may be out of range, in an inner loop and a branch.
func.func @scattered(%x: tensor<?xf64>, %is: tensor<?xindex>, %w: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%xs = %x) -> tensor<?xf64> {
    %q = scf.for %l = %c0 to %c2 step %c1 iter_args(%ys = %xs) -> tensor<?xf64> {
      %vs, %at = soac.map ins(%is : tensor<?xindex>) (%i: index) -> (tensor<?xf64>, tensor<?xindex>) {
        %j0 = arith.addi %i, %k : index
        %j = arith.addi %j0, %l : index
        %c = arith.cmpi slt, %i, %n : index
        %v = scf.if %c -> f64 {
          %u = tensor.extract %ys[%i] : tensor<?xf64>
          scf.yield %u : f64
        } else {
          scf.yield %w : f64
        }
        %s = arith.mulf %v, %v : f64
        %t = math.sin %s : f64
        soac.yield %t, %j : f64, index
      }
      %zs = soac.scatter at(%at : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%ys : tensor<?xf64>)
      scf.yield %zs : tensor<?xf64>
    }
    %c = arith.cmpi eq, %k, %c1 : index
    %p = scf.if %c -> tensor<?xf64> {
      %vs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
        soac.yield %w : f64
      }
      %zs = soac.scatter at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%q : tensor<?xf64>)
      scf.yield %zs : tensor<?xf64>
    } else {
      scf.yield %q : tensor<?xf64>
    }
    scf.yield %p : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// A scatter of rows into one of two arrays, of a size that the loop computes.
func.func @scattered_rows(%x: tensor<?x?xf64>, %y: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%xs = %x, %ys = %y) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
    %numbers = soac.iota %c2 : tensor<?xindex>
    %vs, %us, %at = soac.map ins(%numbers : tensor<?xindex>) (%i: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xindex>) {
      %j0 = arith.addi %i, %k : index
      %j = arith.remsi %j0, %n : index
      %m = tensor.dim %ys, %c1 : tensor<?x?xf64>
      %row = tensor.extract_slice %xs[%j, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
      %other = tensor.extract_slice %ys[%k, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
      %p = arith.mulf %row, %other : tensor<?xf64>
      %q = math.sin %p : tensor<?xf64>
      soac.yield %p, %q, %j : tensor<?xf64>, tensor<?xf64>, index
    }
    %zs, %ws = soac.scatter at(%at : tensor<?xindex>) ins(%vs, %us : tensor<?x?xf64>, tensor<?x?xf64>)
        into(%xs, %ys : tensor<?x?xf64>, tensor<?x?xf64>)
    scf.yield %zs, %ws : tensor<?x?xf64>, tensor<?x?xf64>
  }
  return %r#0, %r#1 : tensor<?x?xf64>, tensor<?x?xf64>
}

// Scatters that fill a row from the one before: with the promise nothing is saved.
func.func @scatter_promised(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %r = scf.for %k = %c1 to %n step %c1 iter_args(%xs = %x) -> tensor<?x?xf64> {
    %p = arith.subi %k, %c1 : index
    %columns = soac.iota %m : tensor<?xindex>
    %rows = soac.replicate %k, %m : index -> tensor<?xindex>
    %vs = soac.map ins(%columns : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %v = tensor.extract %xs[%p, %j] : tensor<?x?xf64>
      %s = math.sin %v : f64
      %t = arith.mulf %s, %v : f64
      soac.yield %t : f64
    }
    %ys = soac.scatter at(%rows, %columns : tensor<?xindex>, tensor<?xindex>) ins(%vs : tensor<?xf64>)
        into(%xs : tensor<?x?xf64>)
    scf.yield %ys : tensor<?x?xf64>
  } {ad.no_false_dependencies}
  return %r : tensor<?x?xf64>
}

// Second order of a nest.
func.func @pulled_nest(%x: tensor<?xf64>, %w: f64, %bar: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %c3 = arith.constant 3 : index
  %r:3 = ad.vjp @nest(%x, %c3, %w) seed(%bar)
      : (tensor<?xf64>, index, f64), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, f64)
  return %r#1, %r#2 : tensor<?xf64>, f64
}
func.func @pulled_chain(%x: tensor<?x?xf64>, %is: tensor<?xindex>, %bar: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %one = arith.constant 0.3 : f64
  %r:3 = ad.vjp @chain(%x, %is) seed(%bar, %one)
      : (tensor<?x?xf64>, tensor<?xindex>), (tensor<?x?xf64>, f64) -> (tensor<?x?xf64>, f64, tensor<?x?xf64>)
  return %r#2 : tensor<?x?xf64>
}
func.func @pulled_scattered(%x: tensor<?xf64>, %is: tensor<?xindex>, %bar: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %w = arith.constant 0.7 : f64
  %r:3 = ad.vjp @scattered(%x, %is, %w) seed(%bar)
      : (tensor<?xf64>, tensor<?xindex>, f64), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, f64)
  return %r#1, %r#2 : tensor<?xf64>, f64
}
