// What a Jacobian cannot be had of.
// RUN: not ad-opt jacobian %s --entry=whole --input=2 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not ad-opt jacobian %s --entry=count --input=2.0 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not ad-opt jacobian %s --entry=complex --input=2+1j 2>&1 | FileCheck %s --check-prefix=COMPLEX
// RUN: not ad-opt jacobian %s --entry=parts --input=2.0 2>&1 | FileCheck %s --check-prefix=PARTS
// RUN: not ad-opt jacobian %s --entry=buffer --input=2.0 2>&1 | FileCheck %s --check-prefix=BUFFER
// RUN: not ad-opt jacobian %s --entry=root --input=0.0 2>&1 | FileCheck %s --check-prefix=INFINITE
// RUN: not ad-opt jacobian %s --entry=root --wrt=0,0 --input=1.0 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not ad-opt jacobian %s --entry=root --wrt=1 --input=1.0 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not ad-opt jacobian %s --entry=whole --wrt=0 --input=2 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not ad-opt jacobian %s --entry=root --input=1.0 --fast-math=contract,nnan 2>&1 | FileCheck %s --check-prefix=NANS
// RUN: not ad-opt jacobian %s --entry=root 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not ad-opt jacobian %s --entry=unknown --input=1.0 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// INTEGER: error: argument 0 of 'whole' is not a float or an array of floats
// WHOLE: error: 'whole' has no argument that is a float or an array of floats
func.func @whole(%k: i64) -> f64 {
  %x = arith.sitofp %k : i64 to f64
  return %x : f64
}

// COUNT: error: 'count' has no result that is a float or an array of floats
func.func @count(%x: f64) -> i64 {
  %k = arith.fptosi %x : f64 to i64
  return %k : i64
}

// COMPLEX: error: 'complex' has no argument that is a float or an array of floats
func.func @complex(%z: complex<f64>) -> complex<f64> {
  return %z : complex<f64>
}

// PARTS: error: 'parts' has complex results; a Jacobian is of real ones
func.func @parts(%x: f64) -> complex<f64> {
  %z = complex.create %x, %x : complex<f64>
  return %z : complex<f64>
}

// BUFFER: error: 'buffer' returns a buffer; a Jacobian is of floats and tensors
func.func @buffer(%s: f64) -> memref<f64> {
  %o = memref.alloc() : memref<f64>
  memref.store %s, %o[] : memref<f64>
  return %o : memref<f64>
}

// INFINITE: error: element 0 of the results of 'root' has no finite derivative
// TWICE: error: an argument of 'root' is named twice
// NUMBER: error: 'root' has no argument 1; it takes 1
// NANS: error: --fast-math=nnan takes NaN for impossible, by which entries are found
// INPUT: error: @root(f64) -> (f64) takes 1 argument, 0 given: pass one --input per argument, in order
func.func @root(%x: f64) -> f64 {
  %y = math.sqrt %x : f64
  return %y : f64
}

// Only the vjp multiplies zero by the infinite slope of an element that is not taken.
// RUN: %python %S/../Inputs/npy.py %t.npy '<f8' '(3,)' 0 1 4
// RUN: not ad-opt jacobian %s --entry=pick --input=%t.npy --input=2 2>&1 | FileCheck %s --check-prefix=PICK
// PICK: error: element 0 of the arguments of 'pick' has no finite derivative
func.func @pick(%x: tensor<?xf64>, %i: index) -> f64 {
  %roots = math.sqrt %x : tensor<?xf64>
  %r = tensor.extract %roots[%i] : tensor<?xf64>
  return %r : f64
}

// UNKNOWN: error: 'func.call' op has no jvp rule: '@elsewhere' has no body
// UNKNOWN: error: @unknown cannot be differentiated
func.func private @elsewhere(%x: f64) -> f64
func.func @unknown(%x: f64) -> f64 {
  %y = func.call @elsewhere(%x) : (f64) -> f64
  return %y : f64
}
