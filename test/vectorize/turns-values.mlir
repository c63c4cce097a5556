// The least of some sums, its place, a product in order and a greatest value, several sums at once and one by one.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(5,37)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.3.npy '<f8' '(5,3)' --vary=3
// RUN: %python %S/../driver/Inputs/npy.py %t.1.npy '<f8' '(5,1)' --vary=3
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(5,0)'
// RUN: %python %S/../driver/Inputs/npy.py %t.nan.npy '<f8' '(1,20)' 3 1 4 1 5 9 2 6 nan 5 3 5 8 9 7 9 3 2 3 8
// RUN: ad-opt run %s --entry=same --input=%t.x.npy | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.3.npy | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.1.npy | FileCheck %s
// RUN: ad-opt run %s --entry=same --input=%t.none.npy | FileCheck %s
// RUN: ad-opt run %s --entry=least --input=%t.nan.npy | FileCheck %s --check-prefix=NAN
// CHECK: true
// NAN: nan

func.func private @all(%x: tensor<?x?xf64>) -> (f64, index, f64, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %far = arith.constant 0x7FF0000000000000 : f64
  %low = arith.constant 0xFF800000 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf64>
  %n = tensor.dim %x, %c1 : tensor<?x?xf64>
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%least = %far, %at = %c0, %product = %one, %greatest = %low) -> (f64, index, f64, f32) {
    %sum = scf.for %j = %c0 to %m step %c1 iter_args(%s = %zero) -> f64 {
      %a = tensor.extract %x[%j, %i] : tensor<?x?xf64>
      %e = math.exp %a : f64
      %new = arith.addf %s, %e : f64
      scf.yield %new : f64
    }
    %is_less = arith.cmpf olt, %sum, %least : f64
    %new = arith.select %is_less, %sum, %least : f64
    %new_at = arith.select %is_less, %i, %at : index
    %scaled = arith.mulf %product, %sum : f64
    %more = arith.addf %scaled, %one : f64
    %root = math.sqrt %more : f64
    %single = arith.truncf %sum : f64 to f32
    %most = arith.maximumf %greatest, %single : f32
    scf.yield %new, %new_at, %root, %most : f64, index, f64, f32
  }
  return %r#0, %r#1, %r#2, %r#3 : f64, index, f64, f32
}

func.func @least(%x: tensor<?x?xf64>) -> f32 {
  %r:4 = func.call @all(%x) : (tensor<?x?xf64>) -> (f64, index, f64, f32)
  return %r#3 : f32
}

func.func private @one_by_one(%x: tensor<?x?xf64>) -> (f64, index, f64, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %far = arith.constant 0x7FF0000000000000 : f64
  %low = arith.constant 0xFF800000 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf64>
  %n = tensor.dim %x, %c1 : tensor<?x?xf64>
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%least = %far, %at = %c0, %product = %one, %greatest = %low) -> (f64, index, f64, f32) {
    %column = tensor.extract_slice %x[0, %i] [%m, 1] [1, 1] : tensor<?x?xf64> to tensor<?x1xf64>
    %part = tensor.cast %column : tensor<?x1xf64> to tensor<?x?xf64>
    %one_of:4 = func.call @all(%part) : (tensor<?x?xf64>) -> (f64, index, f64, f32)
    %is_less = arith.cmpf olt, %one_of#0, %least : f64
    %new = arith.select %is_less, %one_of#0, %least : f64
    %new_at = arith.select %is_less, %i, %at : index
    %scaled = arith.mulf %product, %one_of#0 : f64
    %more = arith.addf %scaled, %one : f64
    %root = math.sqrt %more : f64
    %most = arith.maximumf %greatest, %one_of#3 : f32
    scf.yield %new, %new_at, %root, %most : f64, index, f64, f32
  }
  return %r#0, %r#1, %r#2, %r#3 : f64, index, f64, f32
}

func.func @same(%x: tensor<?x?xf64>) -> i1 {
  %near = arith.constant 1.0e-9 : f64
  %near_single = arith.constant 1.0e-5 : f32
  %a:4 = func.call @all(%x) : (tensor<?x?xf64>) -> (f64, index, f64, f32)
  %b:4 = func.call @one_by_one(%x) : (tensor<?x?xf64>) -> (f64, index, f64, f32)
  %least_d = arith.subf %a#0, %b#0 : f64
  %least_size = math.absf %least_d : f64
  %same_least = arith.cmpf ole, %least_size, %near : f64
  %both_far = arith.cmpf oeq, %a#0, %b#0 : f64
  %least_ok = arith.ori %same_least, %both_far : i1
  %at_ok = arith.cmpi eq, %a#1, %b#1 : index
  %product_d = arith.subf %a#2, %b#2 : f64
  %product_size = math.absf %product_d : f64
  %product_ok = arith.cmpf ole, %product_size, %near : f64
  %most_d = arith.subf %a#3, %b#3 : f32
  %most_size = math.absf %most_d : f32
  %most_same = arith.cmpf ole, %most_size, %near_single : f32
  %most_equal = arith.cmpf oeq, %a#3, %b#3 : f32
  %most_ok = arith.ori %most_same, %most_equal : i1
  %ok0 = arith.andi %least_ok, %at_ok : i1
  %ok1 = arith.andi %ok0, %product_ok : i1
  %ok = arith.andi %ok1, %most_ok : i1
  return %ok : i1
}
