// Structured operations on buffers, and buffers as arrays: derivatives agree with central differences and with each other, where
// what was read is overwritten, by the operation itself, in a loop, in a part of a buffer, and a second time [Z21, Z23].
// RUN: %python %S/../../driver/Inputs/npy.py %t.x.npy '<f8' '(3,)' 0.5 -1.2 0.8
// RUN: %python %S/../../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// DEFINE: %{entry} = layers
// DEFINE: %{check} = ad-opt check %s --entry=%{entry} --input=%t.x.npy
// DEFINE: %{both} = %{check} && %{check} --engine=interpreter
// RUN: %{both}
// RUN: ad-opt check %s --entry=layers --input=%t.none.npy
// REDEFINE: %{entry} = in_place
// RUN: %{both}
// RUN: ad-opt check %s --entry=in_place --input=%t.none.npy
// REDEFINE: %{entry} = steps
// RUN: %{both}
// REDEFINE: %{entry} = parts
// RUN: %{both}
// REDEFINE: %{entry} = largest
// RUN: %{both}
// REDEFINE: %{entry} = as_arrays
// RUN: %{both}
// REDEFINE: %{entry} = chosen
// RUN: %{both}
// RUN: ad-opt check %s --entry=of_known_size --input=%t.x.npy
// RUN: ad-opt check %s --entry=of_known_size --input=%t.x.npy --engine=interpreter
// REDEFINE: %{entry} = gradient
// RUN: %{both}
// REDEFINE: %{entry} = tangent
// RUN: %{both}
//
// The values of the CPU on an emulated GPU.
// DEFINE: %{run} = ad-opt run %s --entry=%{entry} --input=%t.x.npy
// DEFINE: %{agree} = %{run} > %t.cpu && %{run} --target=gpu-emulate > %t.gpu && \
// DEFINE:            %python %S/../../bench/Inputs/compare.py %t.cpu %t.gpu 1e-14
// REDEFINE: %{entry} = gradient
// RUN: %{agree}
// REDEFINE: %{entry} = gradient_in_place
// RUN: %{agree}

#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#both = affine_map<(i, j) -> (i, j)>
#here = affine_map<(i) -> (i)>

// The sum of tanh (A A x), where A = x x^T + sin A is made in place, and both x and A are written to after they were read.
func.func @layers(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %v = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %v : (tensor<?xf64>, memref<?xf64>) -> ()
  %a = memref.alloc(%n, %n) : memref<?x?xf64>
  linalg.generic {indexing_maps = [#row, #column, #both], iterator_types = ["parallel", "parallel"]}
      ins(%v, %v : memref<?xf64>, memref<?xf64>) outs(%a : memref<?x?xf64>) {
  ^bb0(%p: f64, %q: f64, %_: f64):
    %pq = arith.mulf %p, %q : f64
    linalg.yield %pq : f64
  }
  linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<?x?xf64>) outs(%a : memref<?x?xf64>) {
  ^bb0(%p: f64, %q: f64):
    %s = math.sin %p : f64
    %t = arith.addf %s, %q : f64
    linalg.yield %t : f64
  }
  %w = memref.alloc(%n) : memref<?xf64>
  linalg.fill ins(%zero : f64) outs(%w : memref<?xf64>)
  linalg.matvec ins(%a, %v : memref<?x?xf64>, memref<?xf64>) outs(%w : memref<?xf64>)
  linalg.fill ins(%zero : f64) outs(%v : memref<?xf64>)
  linalg.matvec ins(%a, %w : memref<?x?xf64>, memref<?xf64>) outs(%v : memref<?xf64>)
  linalg.map { math.tanh } ins(%v : memref<?xf64>) outs(%w : memref<?xf64>)
  linalg.fill ins(%zero : f64) outs(%a : memref<?x?xf64>)
  %sum = memref.alloca() : memref<f64>
  memref.store %zero, %sum[] : memref<f64>
  linalg.reduce { arith.addf } ins(%w : memref<?xf64>) outs(%sum : memref<f64>) dimensions = [0]
  %y = memref.load %sum[] : memref<f64>
  memref.dealloc %v : memref<?xf64>
  memref.dealloc %w : memref<?xf64>
  memref.dealloc %a : memref<?x?xf64>
  return %y : f64
}

// x becomes sin(x) x, then x exp(x), in one buffer; the dot product of it with itself.
func.func @in_place(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %v = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %v : (tensor<?xf64>, memref<?xf64>) -> ()
  linalg.generic {indexing_maps = [#here, #here], iterator_types = ["parallel"]}
      ins(%v : memref<?xf64>) outs(%v : memref<?xf64>) {
  ^bb0(%p: f64, %q: f64):
    %s = math.sin %p : f64
    %t = arith.mulf %s, %q : f64
    linalg.yield %t : f64
  }
  linalg.generic {indexing_maps = [#here], iterator_types = ["parallel"]} outs(%v : memref<?xf64>) {
  ^bb0(%q: f64):
    %s = math.exp %q : f64
    %t = arith.mulf %s, %q : f64
    linalg.yield %t : f64
  }
  %sum = memref.alloc() : memref<f64>
  memref.store %zero, %sum[] : memref<f64>
  linalg.dot ins(%v, %v : memref<?xf64>, memref<?xf64>) outs(%sum : memref<f64>)
  %y = memref.load %sum[] : memref<f64>
  memref.dealloc %v : memref<?xf64>
  memref.dealloc %sum : memref<f64>
  return %y : f64
}

// A recurrent network: h = tanh(x x^T h), three times, with h in two buffers.
func.func @steps(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %h = memref.alloc(%n) : memref<?xf64>
  %g = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %h : (tensor<?xf64>, memref<?xf64>) -> ()
  %v = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %v : (tensor<?xf64>, memref<?xf64>) -> ()
  scf.for %i = %c0 to %c3 step %c1 {
    linalg.fill ins(%zero : f64) outs(%g : memref<?xf64>)
    linalg.generic {indexing_maps = [#row, #column, #column, #row], iterator_types = ["parallel", "reduction"]}
        ins(%v, %v, %h : memref<?xf64>, memref<?xf64>, memref<?xf64>) outs(%g : memref<?xf64>) {
    ^bb0(%p: f64, %q: f64, %r: f64, %s: f64):
      %pq = arith.mulf %p, %q : f64
      %pqr = arith.mulf %pq, %r : f64
      %t = arith.addf %s, %pqr : f64
      linalg.yield %t : f64
    }
    linalg.map { math.tanh } ins(%g : memref<?xf64>) outs(%h : memref<?xf64>)
  }
  %y = memref.load %h[%c1] : memref<?xf64>
  memref.dealloc %h : memref<?xf64>
  memref.dealloc %g : memref<?xf64>
  memref.dealloc %v : memref<?xf64>
  return %y : f64
}

// Operands that are parts of one buffer, with strides: columns 0 and 2 of a matrix are multiplied into column 1.
func.func @parts(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %a = memref.alloc(%n) : memref<?x3xf64>
  linalg.fill ins(%zero : f64) outs(%a : memref<?x3xf64>)
  %first = memref.subview %a[0, 0] [%n, 1] [1, 1] : memref<?x3xf64> to memref<?xf64, strided<[3]>>
  %second = memref.subview %a[0, 1] [%n, 1] [1, 1] : memref<?x3xf64> to memref<?xf64, strided<[3], offset: 1>>
  %third = memref.subview %a[0, 2] [%n, 1] [1, 1] : memref<?x3xf64> to memref<?xf64, strided<[3], offset: 2>>
  scf.for %i = %c0 to %n step %c1 {
    %x_i = tensor.extract %x[%i] : tensor<?xf64>
    memref.store %x_i, %first[%i] : memref<?xf64, strided<[3]>>
  }
  linalg.map { math.exp } ins(%first : memref<?xf64, strided<[3]>>) outs(%third : memref<?xf64, strided<[3], offset: 2>>)
  linalg.mul ins(%first, %third : memref<?xf64, strided<[3]>>, memref<?xf64, strided<[3], offset: 2>>)
      outs(%second : memref<?xf64, strided<[3], offset: 1>>)
  linalg.square ins(%second : memref<?xf64, strided<[3], offset: 1>>) outs(%first : memref<?xf64, strided<[3]>>)
  %sum = memref.alloca() : memref<f64>
  memref.store %zero, %sum[] : memref<f64>
  linalg.generic {indexing_maps = [#both, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a : memref<?x3xf64>) outs(%sum : memref<f64>) {
  ^bb0(%p: f64, %s: f64):
    %pp = arith.mulf %p, %p : f64
    %t = arith.addf %s, %pp : f64
    linalg.yield %t : f64
  }
  %y = memref.load %sum[] : memref<f64>
  memref.dealloc %a : memref<?x3xf64>
  return %y : f64
}

// The largest of the sines: a sum by another operation than an addition.
func.func @largest(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %least = arith.constant -2.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %v = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %v : (tensor<?xf64>, memref<?xf64>) -> ()
  linalg.map { math.sin } ins(%v : memref<?xf64>) outs(%v : memref<?xf64>)
  %most = memref.alloca() : memref<f64>
  memref.store %least, %most[] : memref<f64>
  linalg.reduce { arith.maximumf } ins(%v : memref<?xf64>) outs(%most : memref<f64>) dimensions = [0]
  %y = memref.load %most[] : memref<f64>
  memref.dealloc %v : memref<?xf64>
  return %y : f64
}

// What a buffer holds, before and after it is overwritten.
func.func @as_arrays(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %v = memref.alloc(%n) : memref<?xf64>
  %y = math.sin %x : tensor<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %v : (tensor<?xf64>, memref<?xf64>) -> ()
  %first = bufferization.to_tensor %v restrict : memref<?xf64> to tensor<?xf64>
  %z = arith.mulf %first, %x : tensor<?xf64>
  bufferization.materialize_in_destination %z in restrict writable %v : (tensor<?xf64>, memref<?xf64>) -> ()
  %second = bufferization.to_tensor %v restrict : memref<?xf64> to tensor<?xf64>
  %p = tensor.extract %second[%c0] : tensor<?xf64>
  %q = tensor.extract %second[%c1] : tensor<?xf64>
  %pq = arith.mulf %p, %q : f64
  memref.dealloc %v : memref<?xf64>
  return %pq : f64
}

// The factor is one buffer or the other, and is overwritten in a branch.
func.func @chosen(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %v = memref.alloc(%n) : memref<?xf64>
  %w = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %v : (tensor<?xf64>, memref<?xf64>) -> ()
  linalg.map { math.cos } ins(%v : memref<?xf64>) outs(%w : memref<?xf64>)
  %x_0 = tensor.extract %x[%c0] : tensor<?xf64>
  %is_positive = arith.cmpf ogt, %x_0, %zero : f64
  %u = arith.select %is_positive, %w, %v : memref<?xf64>
  scf.if %is_positive {
    linalg.mul ins(%u, %v : memref<?xf64>, memref<?xf64>) outs(%u : memref<?xf64>)
  }
  %sum = memref.alloca() : memref<f64>
  memref.store %zero, %sum[] : memref<f64>
  linalg.dot ins(%u, %w : memref<?xf64>, memref<?xf64>) outs(%sum : memref<f64>)
  %y = memref.load %sum[] : memref<f64>
  memref.dealloc %v : memref<?xf64>
  memref.dealloc %w : memref<?xf64>
  return %y : f64
}

// An array whose size is known, in a buffer whose size is not, which is read and overwritten at once.
func.func @of_known_size(%x: tensor<3xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %v = memref.alloc(%c3) : memref<?xf64>
  %any = tensor.cast %x : tensor<3xf64> to tensor<?xf64>
  bufferization.materialize_in_destination %any in restrict writable %v : (tensor<?xf64>, memref<?xf64>) -> ()
  %read = bufferization.to_tensor %v restrict : memref<?xf64> to tensor<?xf64>
  %y = soac.map ins(%read : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %first = tensor.extract %read[%c0] : tensor<?xf64>
    %s = math.sin %e : f64
    %p = arith.mulf %s, %first : f64
    soac.yield %p : f64
  }
  bufferization.materialize_in_destination %y in restrict writable %v : (tensor<?xf64>, memref<?xf64>) -> ()
  %r = memref.load %v[%c2] : memref<?xf64>
  memref.dealloc %v : memref<?xf64>
  return %r : f64
}

// Derivatives of derivatives.
func.func @gradient(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %g = ad.vjp @layers(%x) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %g : tensor<?xf64>
}
func.func @tangent(%x: tensor<?xf64>) -> f64 {
  %y, %t = ad.jvp @layers(%x) seed(%x) : (tensor<?xf64>), (tensor<?xf64>) -> (f64, f64)
  return %t : f64
}
func.func @gradient_in_place(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %g = ad.vjp @in_place(%x) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %g : tensor<?xf64>
}
