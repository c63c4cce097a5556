// Programs with tapes of their own give what the interpreter says, and free what they allocate [Z15, Z24].
// RUN: ad-opt run %s --entry=pow --input=1.5 --input=4 | FileCheck %s --check-prefix=POW
// RUN: ad-opt run %s --entry=pow --input=1.5 --input=0 | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=million --input=1000000 --repeat=2 2>/dev/null | FileCheck %s --check-prefix=MILLION
// RUN: ad-opt run %s --entry=rows --input=4 --repeat=2 2>/dev/null | FileCheck %s --check-prefix=ROWS
// RUN: ad-opt run %s --entry=nested --input=5 --input=3 --repeat=2 2>/dev/null | FileCheck %s --check-prefix=NESTED
// RUN: ad-opt run %s --entry=kinds --repeat=2 2>/dev/null | FileCheck %s --check-prefix=KINDS
// RUN: ad-opt run %s --entry=while --input=10.0 --repeat=2 2>/dev/null | FileCheck %s --check-prefix=WHILE
// RUN: ad-opt run %s --entry=passed --input=3 --repeat=2 2>/dev/null | FileCheck %s --check-prefix=PASSED
// RUN: ad-opt run %s --entry=left --input=300 --repeat=2 2>/dev/null | FileCheck %s --check-prefix=LEFT

// The gradient of x^4 is 4 x^3, the power that comes with it x^4.
// POW: 5.0625
// POW-NEXT: 13.5
// NONE: 1.0
// NONE-NEXT: 0.0
func.func @pow(%x: f64, %n: index) -> (f64, f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 1.0 : f64
  %none = arith.constant 0.0 : f64
  %t = ad.tape_create : !ad.tape<f64>
  %y = scf.for %i = %zero to %n step %one iter_args(%r = %start) -> f64 {
    ad.tape_push %t, %r : !ad.tape<f64>
    %p = arith.mulf %r, %x : f64
    scf.yield %p : f64
  }
  %g:2 = scf.for %i = %zero to %n step %one iter_args(%r_bar = %start, %x_bar = %none) -> (f64, f64) {
    %r = ad.tape_pop %t : !ad.tape<f64>
    %d = arith.mulf %r_bar, %r : f64
    %s = arith.addf %x_bar, %d : f64
    %q = arith.mulf %r_bar, %x : f64
    scf.yield %q, %s : f64, f64
  }
  ad.tape_free %t : !ad.tape<f64>
  return %y, %g#1 : f64, f64
}

// The sum of i (n - 1 - i) for i below n, which is n (n - 1) (n - 2) / 6.
// MILLION: 166666166667000000
func.func @million(%n: index) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %t = ad.tape_create : !ad.tape<index>
  scf.for %i = %zero to %n step %one {
    ad.tape_push %t, %i : !ad.tape<index>
  }
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %zero) -> index {
    %j = ad.tape_pop %t : !ad.tape<index>
    %p = arith.muli %i, %j : index
    %u = arith.addi %s, %p : index
    scf.yield %u : index
  }
  ad.tape_free %t : !ad.tape<index>
  return %sum : index
}

// Rows of all lengths, none among them, and with each a pair of static size and its number. The last one is returned.
// ROWS: [0.0, 1.0, 2.0]
// ROWS-NEXT: 10.0
// ROWS-NEXT: 9
func.func @rows(%n: index) -> (tensor<?xf64>, f64, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  %t = ad.tape_create : !ad.tape<tensor<?xf64>, tensor<2xf32>, index>
  scf.for %i = %zero to %n step %one {
    %row = tensor.generate %i {
    ^bb0(%j: index):
      %w = arith.index_cast %j : index to i64
      %f = arith.sitofp %w : i64 to f64
      tensor.yield %f : f64
    } : tensor<?xf64>
    %w = arith.index_cast %i : index to i64
    %f = arith.sitofp %w : i64 to f32
    %g = arith.addf %f, %f : f32
    %pair = tensor.from_elements %f, %g : tensor<2xf32>
    ad.tape_push %t, %row, %pair, %i : !ad.tape<tensor<?xf64>, tensor<2xf32>, index>
  }
  %last, %both, %number = ad.tape_pop %t : !ad.tape<tensor<?xf64>, tensor<2xf32>, index>
  // Sizes 2, 1 and 0 with the numbers 2, 1 and 0; the elements 0 and 1, and three times 2, 1 and 0.
  %r:2 = scf.for %i = %one to %n step %one iter_args(%s = %start, %k = %number) -> (f64, index) {
    %row, %pair, %j = ad.tape_pop %t : !ad.tape<tensor<?xf64>, tensor<2xf32>, index>
    %size = tensor.dim %row, %zero : tensor<?xf64>
    %more = arith.addi %k, %size : index
    %all = arith.addi %more, %j : index
    %u = scf.for %d = %zero to %size step %one iter_args(%a = %s) -> f64 {
      %e = tensor.extract %row[%d] : tensor<?xf64>
      %b = arith.addf %a, %e : f64
      scf.yield %b : f64
    }
    %x = tensor.extract %pair[%zero] : tensor<2xf32>
    %y = tensor.extract %pair[%one] : tensor<2xf32>
    %z = arith.addf %x, %y : f32
    %q = arith.extf %z : f32 to f64
    %v = arith.addf %u, %q : f64
    scf.yield %v, %all : f64, index
  }
  ad.tape_free %t : !ad.tape<tensor<?xf64>, tensor<2xf32>, index>
  return %last, %r#0, %r#1 : tensor<?xf64>, f64, index
}

// A tape for all iterations of the nest, and one for each row; together they reverse everything.
// NESTED: [4.0, 3.0, 2.0, 1.0, 0.0]
// NESTED-NEXT: 30
func.func @nested(%n: index, %m: index) -> (tensor<?xf64>, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %t = ad.tape_create : !ad.tape<f64>
  %inner_sum = scf.for %i = %zero to %n step %one iter_args(%s = %zero) -> index {
    %w = arith.index_cast %i : index to i64
    %f = arith.sitofp %w : i64 to f64
    ad.tape_push %t, %f : !ad.tape<f64>
    %row = ad.tape_create : !ad.tape<index>
    scf.for %j = %zero to %m step %one {
      %p = arith.muli %i, %j : index
      ad.tape_push %row, %p : !ad.tape<index>
    }
    %u = scf.for %j = %zero to %m step %one iter_args(%a = %s) -> index {
      %p = ad.tape_pop %row : !ad.tape<index>
      %b = arith.addi %a, %p : index
      scf.yield %b : index
    }
    ad.tape_free %row : !ad.tape<index>
    scf.yield %u : index
  }
  %empty = tensor.empty(%n) : tensor<?xf64>
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %empty) -> tensor<?xf64> {
    %x = ad.tape_pop %t : !ad.tape<f64>
    %b = tensor.insert %x into %a[%i] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  ad.tape_free %t : !ad.tape<f64>
  return %r, %inner_sum : tensor<?xf64>, index
}

// Every kind of component, twice.
// KINDS: true
// KINDS-NEXT: 7
// KINDS-NEXT: 0.5
// KINDS-NEXT: 2.5
// KINDS-NEXT: [3.0, 4.0]
func.func @kinds() -> (i1, i16, f32, f64, tensor<2xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %yes = arith.constant true
  %a = arith.constant 7 : i16
  %b = arith.constant 0.5 : f32
  %re = arith.constant 2.5 : f64
  %c = complex.create %re, %re : complex<f64>
  %v = arith.constant dense<[3.0, 4.0]> : vector<2xf64>
  %t = ad.tape_create : !ad.tape<i1, i16, f32, complex<f64>, vector<2xf64>>
  scf.for %i = %zero to %two step %one {
    ad.tape_push %t, %yes, %a, %b, %c, %v : !ad.tape<i1, i16, f32, complex<f64>, vector<2xf64>>
  }
  %no = arith.constant false
  %zero16 = arith.constant 0 : i16
  %zero32 = arith.constant 0.0 : f32
  %zero64 = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<2xf64>
  %r:5 = scf.for %i = %zero to %two step %one
      iter_args(%p = %no, %q = %zero16, %s = %zero32, %u = %zero64, %w = %empty) -> (i1, i16, f32, f64, tensor<2xf64>) {
    %e:5 = ad.tape_pop %t : !ad.tape<i1, i16, f32, complex<f64>, vector<2xf64>>
    %im = complex.im %e#3 : complex<f64>
    %x = vector.extract %e#4[0] : f64 from vector<2xf64>
    %y = vector.extract %e#4[1] : f64 from vector<2xf64>
    %both = tensor.from_elements %x, %y : tensor<2xf64>
    scf.yield %e#0, %e#1, %e#2, %im, %both : i1, i16, f32, f64, tensor<2xf64>
  }
  ad.tape_free %t : !ad.tape<i1, i16, f32, complex<f64>, vector<2xf64>>
  return %r#0, %r#1, %r#2, %r#3, %r#4 : i1, i16, f32, f64, tensor<2xf64>
}

// How often there is something to halve is known when the tape is empty again: 10, 5, 2.5, 1.25.
// WHILE: 18.75
func.func @while(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %half = arith.constant 0.5 : f64
  %none = arith.constant 0.0 : f64
  %zero = arith.constant 0 : index
  %next = arith.constant 1 : index
  %t = ad.tape_create : !ad.tape<f64>
  %r:2 = scf.while (%a = %x, %n = %zero) : (f64, index) -> (f64, index) {
    %goes_on = arith.cmpf ogt, %a, %one : f64
    scf.condition(%goes_on) %a, %n : f64, index
  } do {
  ^bb0(%a: f64, %n: index):
    ad.tape_push %t, %a : !ad.tape<f64>
    %b = arith.mulf %a, %half : f64
    %m = arith.addi %n, %next : index
    scf.yield %b, %m : f64, index
  }
  %s = scf.for %i = %zero to %r#1 step %next iter_args(%a = %none) -> f64 {
    %b = ad.tape_pop %t : !ad.tape<f64>
    %c = arith.addf %a, %b : f64
    scf.yield %c : f64
  }
  ad.tape_free %t : !ad.tape<f64>
  return %s : f64
}

// A tape that a function fills and another one reads; both call themselves.
// PASSED: [2.0, 1.0, 0.0]
func.func @passed(%n: index) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %t = call @new() : () -> !ad.tape<f64>
  call @fill(%t, %zero, %n) : (!ad.tape<f64>, index, index) -> ()
  %empty = tensor.empty(%n) : tensor<?xf64>
  %r = call @drain(%t, %zero, %n, %empty) : (!ad.tape<f64>, index, index, tensor<?xf64>) -> tensor<?xf64>
  ad.tape_free %t : !ad.tape<f64>
  return %r : tensor<?xf64>
}
func.func private @new() -> !ad.tape<f64> attributes {no_inline} {
  %t = ad.tape_create : !ad.tape<f64>
  return %t : !ad.tape<f64>
}
func.func private @fill(%t: !ad.tape<f64>, %i: index, %n: index) {
  %one = arith.constant 1 : index
  %more = arith.cmpi slt, %i, %n : index
  scf.if %more {
    %w = arith.index_cast %i : index to i64
    %f = arith.sitofp %w : i64 to f64
    ad.tape_push %t, %f : !ad.tape<f64>
    %j = arith.addi %i, %one : index
    func.call @fill(%t, %j, %n) : (!ad.tape<f64>, index, index) -> ()
  }
  return
}
func.func private @drain(%t: !ad.tape<f64>, %i: index, %n: index, %a: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1 : index
  %more = arith.cmpi slt, %i, %n : index
  %r = scf.if %more -> tensor<?xf64> {
    %x = ad.tape_pop %t : !ad.tape<f64>
    %b = tensor.insert %x into %a[%i] : tensor<?xf64>
    %j = arith.addi %i, %one : index
    %c = func.call @drain(%t, %j, %n, %b) : (!ad.tape<f64>, index, index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %c : tensor<?xf64>
  } else {
    scf.yield %a : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// What is left on a tape goes with it.
// LEFT: 299.0
func.func @left(%n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %t = ad.tape_create : !ad.tape<f64>
  scf.for %i = %zero to %n step %one {
    %w = arith.index_cast %i : index to i64
    %f = arith.sitofp %w : i64 to f64
    ad.tape_push %t, %f : !ad.tape<f64>
  }
  %x = ad.tape_pop %t : !ad.tape<f64>
  ad.tape_free %t : !ad.tape<f64>
  return %x : f64
}
