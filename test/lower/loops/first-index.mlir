// A reduction that finds the position of the least or largest element takes blocks: a loop over
// values alone, which can be vectorised, inside of one over blocks, then a loop over the one block
// that has the element. The result is that of one loop over pairs, ties, zeros and NaNs included.
// RUN: ad-opt %s --lower-soac-to-loops --canonicalize --cse | FileCheck %s
// RUN: ad-opt run %s --entry=differences --input=0 --input=7 --input=0 | FileCheck %s --check-prefix=SAME
// RUN: ad-opt run %s --entry=differences --input=1 --input=7 --input=5 | FileCheck %s --check-prefix=SAME
// RUN: ad-opt run %s --entry=differences --input=1 --input=7 --input=0 | FileCheck %s --check-prefix=SAME
// RUN: ad-opt run %s --entry=differences --input=1024 --input=5000 --input=5000 | FileCheck %s --check-prefix=SAME
// RUN: ad-opt run %s --entry=differences --input=1025 --input=1023 --input=5000 | FileCheck %s --check-prefix=SAME
// RUN: ad-opt run %s --entry=differences --input=3000 --input=4999 --input=5000 | FileCheck %s --check-prefix=SAME
// RUN: ad-opt run %s --entry=differences --input=3000 --input=4999 --input=2047 | FileCheck %s --check-prefix=SAME
// RUN: ad-opt run %s --entry=differences --input=3000 --input=4999 --input=0 | FileCheck %s --check-prefix=SAME
// RUN: ad-opt run %s --entry=differences --input=3000 --input=2 --input=2999 | FileCheck %s --check-prefix=SAME
// RUN: ad-opt run %s --entry=parts --input=3000 --input=4999 --input=5000 --input=1100 | FileCheck %s --check-prefix=SAME
// RUN: ad-opt run %s --entry=parts --input=3000 --input=4999 --input=2047 --input=2900 | FileCheck %s --check-prefix=SAME
// RUN: ad-opt run %s --entry=parts --input=3000 --input=4999 --input=1500 --input=0 | FileCheck %s --check-prefix=SAME
// RUN: ad-opt run %s --entry=single --input=2100 | FileCheck %s --check-prefix=SINGLE
// RUN: ad-opt run %s --entry=gradient --input=1030 | FileCheck %s --check-prefix=GRADIENT
// RUN: ad-opt run %s --entry=gradient --input=1 | FileCheck %s --check-prefix=ONE

// CHECK-LABEL: func.func private @place
// CHECK: %[[B:[a-zA-Z0-9_]+]]:2 = scf.for {{.*}} -> (f64, index)
// CHECK:   scf.for {{.*}} -> (f64)
// CHECK:     arith.minimumf
// CHECK-NEXT: scf.yield
// CHECK: %[[I:[a-zA-Z0-9_]+]] = scf.for {{.*}} -> (index)
// CHECK:   arith.minui
// CHECK-NEXT: scf.yield
// CHECK-NOT: scf.for
// CHECK: return
func.func private @place(%xs: tensor<?xf64>) -> index {
  %c0 = arith.constant 0 : index
  %none = arith.constant -1 : index
  %e = arith.constant 4999.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %y, %i = soac.reduce ins(%xs, %is : tensor<?xf64>, tensor<?xindex>) neutral(%e, %none : f64, index)
      (%l: f64, %li: index, %r: f64, %ri: index) {
    %r_nan = arith.cmpf uno, %r, %r : f64
    %l_number = arith.cmpf ord, %l, %l : f64
    %only_r = arith.andi %l_number, %r_nan : i1
    %less = arith.cmpf ogt, %l, %r : f64
    %wins = arith.ori %only_r, %less : i1
    %k = arith.select %wins, %ri, %li : index
    %m = arith.minimumf %l, %r : f64
    soac.yield %m, %k : f64, index
  }
  return %i : index
}

// In a part of an array, whose first row has a number of its own: the numbers are computed where the position is found.
// CHECK-LABEL: func.func private @shifted
// CHECK-SAME: %[[FIRST:[a-zA-Z0-9_]+]]: index)
// CHECK: scf.for {{.*}} -> (f64, index)
// CHECK:   scf.for {{.*}} -> (f64)
// CHECK: %[[AT:[a-zA-Z0-9_]+]] = scf.for {{.*}} -> (index)
// CHECK: scf.if {{.*}} -> (index) {
// CHECK-NEXT: %[[NUMBER:.*]] = arith.addi %[[AT]], %[[FIRST]]
// CHECK-NEXT: scf.yield %[[NUMBER]]
// CHECK-NEXT: else
// CHECK-NEXT: scf.yield %c-1
// CHECK: return
func.func private @shifted(%xs: tensor<?xf64>, %first: index) -> index {
  %c0 = arith.constant 0 : index
  %none = arith.constant -1 : index
  %e = arith.constant 4999.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %from_zero = soac.iota %n : tensor<?xindex>
  %is = soac.map ins(%from_zero : tensor<?xindex>) (%i: index) -> tensor<?xindex> {
    %number = arith.addi %i, %first : index
    soac.yield %number : index
  }
  %y, %i = soac.reduce ins(%xs, %is : tensor<?xf64>, tensor<?xindex>) neutral(%e, %none : f64, index)
      (%l: f64, %li: index, %r: f64, %ri: index) {
    %r_nan = arith.cmpf uno, %r, %r : f64
    %l_number = arith.cmpf ord, %l, %l : f64
    %only_r = arith.andi %l_number, %r_nan : i1
    %less = arith.cmpf olt, %r, %l : f64
    %wins = arith.ori %only_r, %less : i1
    %k = arith.select %wins, %ri, %li : index
    %m = arith.minimumf %l, %r : f64
    soac.yield %m, %k : f64, index
  }
  return %i : index
}

// The greatest number, beside the sum of all: NaNs are passed over.
// CHECK-LABEL: func.func private @greatest
// CHECK: scf.for {{.*}} -> (f32, f32, index)
// CHECK:   scf.for {{.*}} -> (f32, f32)
// CHECK: scf.for {{.*}} -> (index)
// CHECK: return
func.func private @greatest(%xs: tensor<?xf32>) -> (f32, f32, index) {
  %c0 = arith.constant 0 : index
  %none = arith.constant -1 : index
  %e = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %xs, %c0 : tensor<?xf32>
  %is = soac.iota %n : tensor<?xindex>
  %y, %s, %i = soac.reduce ins(%xs, %xs, %is : tensor<?xf32>, tensor<?xf32>, tensor<?xindex>)
      neutral(%e, %zero, %none : f32, f32, index)
      (%l: f32, %ls: f32, %li: index, %r: f32, %rs: f32, %ri: index) {
    %l_nan = arith.cmpf uno, %l, %l : f32
    %r_number = arith.cmpf ord, %r, %r : f32
    %only_l = arith.andi %l_nan, %r_number : i1
    %more = arith.cmpf ogt, %r, %l : f32
    %wins = arith.ori %more, %only_l : i1
    %k = arith.select %wins, %ri, %li : index
    %m = arith.maxnumf %l, %r : f32
    %t = arith.addf %ls, %rs : f32
    soac.yield %m, %t, %k : f32, f32, index
  }
  return %y, %s, %i : f32, f32, index
}

// A condition that says something else about NaNs keeps one loop over pairs, and so do few elements.
// CHECK-LABEL: func.func @otherwise
// CHECK: scf.for {{.*}} -> (f64, index)
// CHECK-NOT: scf.for
// CHECK: return
func.func @otherwise(%xs: tensor<?xf64>, %n: index) -> (f64, index) {
  %e = arith.constant 0x7FF0000000000000 : f64
  %none = arith.constant -1 : index
  %is = soac.iota %n : tensor<?xindex>
  %y, %i = soac.reduce ins(%xs, %is : tensor<?xf64>, tensor<?xindex>) neutral(%e, %none : f64, index)
      (%l: f64, %li: index, %r: f64, %ri: index) {
    %wins = arith.cmpf olt, %r, %l : f64
    %k = arith.select %wins, %ri, %li : index
    %m = arith.minimumf %l, %r : f64
    soac.yield %m, %k : f64, index
  }
  return %y, %i : f64, index
}

// CHECK-LABEL: func.func @few
// CHECK: scf.for {{.*}} -> (f64, index)
// CHECK-NOT: scf.for
// CHECK: return
func.func @few(%xs: tensor<5xf64>) -> (f64, index) {
  %e = arith.constant 0x7FF0000000000000 : f64
  %none = arith.constant -1 : index
  %is = soac.iota : tensor<5xindex>
  %y, %i = soac.reduce ins(%xs, %is : tensor<5xf64>, tensor<5xindex>) neutral(%e, %none : f64, index)
      (%l: f64, %li: index, %r: f64, %ri: index) {
    %r_nan = arith.cmpf uno, %r, %r : f64
    %l_number = arith.cmpf ord, %l, %l : f64
    %only_r = arith.andi %l_number, %r_nan : i1
    %less = arith.cmpf olt, %r, %l : f64
    %wins = arith.ori %only_r, %less : i1
    %k = arith.select %wins, %ri, %li : index
    %m = arith.minimumf %l, %r : f64
    soac.yield %m, %k : f64, index
  }
  return %y, %i : f64, index
}

// Numbers from 0 to modulus - 1 in disorder, with one NaN.
func.func private @numbers(%n: index, %modulus: index, %undefined: index) -> tensor<?xf64> {
  %factor = arith.constant 7919 : index
  %shift = arith.constant 4000 : index
  %nan = arith.constant 0x7FF8000000000000 : f64
  %xs = tensor.generate %n {
  ^bb0(%i: index):
    %shifted = arith.addi %i, %shift : index
    %product = arith.muli %shifted, %factor : index
    %rest = arith.remui %product, %modulus : index
    %integer = arith.index_cast %rest : index to i64
    %x = arith.sitofp %integer : i64 to f64
    %is_undefined = arith.cmpi eq, %i, %undefined : index
    %element = arith.select %is_undefined, %nan, %x : f64
    tensor.yield %element : f64
  } : tensor<?xf64>
  return %xs : tensor<?xf64>
}

// How far the position is from that of a loop over pairs.
// SAME: {{^}}0{{$}}
func.func @differences(%n: index, %modulus: index, %undefined: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant -1 : index
  %e = arith.constant 4999.0 : f64
  %xs = func.call @numbers(%n, %modulus, %undefined) : (index, index, index) -> tensor<?xf64>
  %i = func.call @place(%xs) : (tensor<?xf64>) -> index
  %y, %k = scf.for %j = %c0 to %n step %c1 iter_args(%l = %e, %li = %none) -> (f64, index) {
    %r = tensor.extract %xs[%j] : tensor<?xf64>
    %r_nan = arith.cmpf uno, %r, %r : f64
    %l_number = arith.cmpf ord, %l, %l : f64
    %only_r = arith.andi %l_number, %r_nan : i1
    %less = arith.cmpf olt, %r, %l : f64
    %wins = arith.ori %only_r, %less : i1
    %next = arith.select %wins, %j, %li : index
    %m = arith.minimumf %l, %r : f64
    scf.yield %m, %next : f64, index
  }
  %difference = arith.subi %i, %k : index
  return %difference : index
}

// The least of all is found in one of two parts.
func.func @parts(%n: index, %modulus: index, %undefined: index, %first: index) -> index {
  %c0 = arith.constant 0 : index
  %xs = func.call @numbers(%n, %modulus, %undefined) : (index, index, index) -> tensor<?xf64>
  %rest = arith.subi %n, %first : index
  %left = tensor.extract_slice %xs[0] [%first] [1] : tensor<?xf64> to tensor<?xf64>
  %right = tensor.extract_slice %xs[%first] [%rest] [1] : tensor<?xf64> to tensor<?xf64>
  %i = func.call @place(%xs) : (tensor<?xf64>) -> index
  %l = func.call @shifted(%left, %c0) : (tensor<?xf64>, index) -> index
  %r = func.call @shifted(%right, %first) : (tensor<?xf64>, index) -> index
  %is_l = arith.cmpi eq, %i, %l : index
  %is_r = arith.cmpi eq, %i, %r : index
  %is_either = arith.ori %is_l, %is_r : i1
  %difference = arith.select %is_either, %c0, %i : index
  return %difference : index
}

// Zeros of both signs are equal, so that the first one is found. Element 2000 is the largest.
// SINGLE: {{^}}5.0
// SINGLE-NEXT: {{^}}5.0
// SINGLE-NEXT: {{^}}2000{{$}}
func.func @single(%n: index) -> (f32, f32, index) {
  %c2000 = arith.constant 2000 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant -0.0 : f32
  %five = arith.constant 5.0 : f32
  %xs = tensor.generate %n {
  ^bb0(%i: index):
    %is_largest = arith.cmpi eq, %i, %c2000 : index
    %x = arith.select %is_largest, %five, %zero : f32
    tensor.yield %x : f32
  } : tensor<?xf32>
  %y, %s, %i = func.call @greatest(%xs) : (tensor<?xf32>) -> (f32, f32, index)
  return %y, %s, %i : f32, f32, index
}

// Of two equal least elements in different blocks the first one has the derivative.
// GRADIENT: {{^}}1.0
// GRADIENT-NEXT: {{^}}0.0
// ONE: {{^}}0.0
// ONE-NEXT: {{^}}0.0
func.func @gradient(%n: index) -> (f64, f64) {
  %c1020 = arith.constant 1020 : index
  %c1026 = arith.constant 1026 : index
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %inf = arith.constant 0x7FF0000000000000 : f64
  %xs = tensor.generate %n {
  ^bb0(%i: index):
    %a = arith.cmpi eq, %i, %c1020 : index
    %b = arith.cmpi eq, %i, %c1026 : index
    %is_least = arith.ori %a, %b : i1
    %x = arith.select %is_least, %one, %inf : f64
    tensor.yield %x : f64
  } : tensor<?xf64>
  %y, %x_bar = ad.vjp @least(%xs) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  %long = arith.cmpi ugt, %n, %c1026 : index
  %first, %second = scf.if %long -> (f64, f64) {
    %first = tensor.extract %x_bar[%c1020] : tensor<?xf64>
    %second = tensor.extract %x_bar[%c1026] : tensor<?xf64>
    scf.yield %first, %second : f64, f64
  } else {
    scf.yield %zero, %zero : f64, f64
  }
  return %first, %second : f64, f64
}

func.func private @least(%xs: tensor<?xf64>) -> f64 {
  %e = arith.constant 0x7FF0000000000000 : f64
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%e : f64) (%l: f64, %r: f64) {
    %m = arith.minimumf %l, %r : f64
    soac.yield %m : f64
  }
  return %y : f64
}
