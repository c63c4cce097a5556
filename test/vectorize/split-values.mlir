// Sums of columns, the least of them and the first place of it, several columns at once, for every number of
// columns that a vector may leave: on as many registers as they need. Of equal sums the first one counts, of NaNs too.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(1,41)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.f.npy '<f4' '(1,75)' --vary=3
// RUN: %python %S/../driver/Inputs/npy.py %t.ties.npy '<f8' '(1,21)' 3 7 2 9 2 5 2 2 8 1 6 1 1 4 4 4 1 1 9 9 0
// RUN: %python %S/../driver/Inputs/npy.py %t.nan.npy '<f8' '(1,23)' inf inf 4 -1 nan 2 -5 nan -inf 3 1 nan 6 5 5 5 5 5 5 5 5 nan 1
// RUN: %python %S/../driver/Inputs/npy.py %t.inf.npy '<f8' '(1,7)' inf inf inf inf inf inf inf
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(3,0)'
// RUN: %python %S/../driver/Inputs/npy.py %t.rows.npy '<f8' '(2,11)' 9 8 7 6 5 4 3 4 5 6 7 1 1 1 1 1 0 1 2 0 1 1
// RUN: %python %S/../driver/Inputs/npy.py %t.more.npy '<f8' '(1,19)' 9 8 7 6 5 4 3 4 5 6 7 8 9 9 9 9 9 9 2
// RUN: ad-opt run %s --entry=same_f64 --input=%t.x.npy | FileCheck %s
// RUN: ad-opt run %s --entry=same_f64 --input=%t.ties.npy | FileCheck %s
// RUN: ad-opt run %s --entry=same_f64 --input=%t.nan.npy | FileCheck %s
// RUN: ad-opt run %s --entry=same_f64 --input=%t.inf.npy | FileCheck %s
// RUN: ad-opt run %s --entry=same_f32 --input=%t.f.npy | FileCheck %s
// RUN: ad-opt run %s --entry=place_f64 --input=%t.nan.npy | FileCheck %s --check-prefix=NAN
// RUN: ad-opt run %s --entry=place_f64 --input=%t.ties.npy | FileCheck %s --check-prefix=TIES
// RUN: ad-opt run %s --entry=place_f64 --input=%t.inf.npy | FileCheck %s --check-prefix=INF
// RUN: ad-opt run %s --entry=place_f64 --input=%t.none.npy | FileCheck %s --check-prefix=INF
// RUN: ad-opt run %s --entry=place_f64 --input=%t.rows.npy | FileCheck %s --check-prefix=ROWS
// RUN: ad-opt run %s --entry=place_f64 --input=%t.more.npy | FileCheck %s --check-prefix=MORE
// CHECK: true
// NAN: nan
// NAN: 4
// TIES: 0.0
// TIES: 20
// INF: inf
// INF: -1
// ROWS: 4.0
// ROWS: 5
// MORE: 2.0
// MORE: 18

func.func private @all_f64(%x: tensor<?x?xf64>) -> (tensor<?xf64>, f64, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant -1 : index
  %zero = arith.constant 0.0 : f64
  %far = arith.constant 0x7FF0000000000000 : f64
  %m = tensor.dim %x, %c0 : tensor<?x?xf64>
  %n = tensor.dim %x, %c1 : tensor<?x?xf64>
  %empty = tensor.empty(%n) : tensor<?xf64>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%row = %empty, %least = %far, %at = %none) -> (tensor<?xf64>, f64, index) {
    %sum = scf.for %j = %c0 to %m step %c1 iter_args(%s = %zero) -> f64 {
      %a = tensor.extract %x[%j, %i] : tensor<?x?xf64>
      %new = arith.addf %s, %a : f64
      scf.yield %new : f64
    }
    %next = tensor.insert %sum into %row[%i] : tensor<?xf64>
    %new_nan = arith.cmpf uno, %sum, %sum : f64
    %old_number = arith.cmpf ord, %least, %least : f64
    %first_nan = arith.andi %new_nan, %old_number : i1
    %is_less = arith.cmpf olt, %sum, %least : f64
    %wins = arith.ori %is_less, %first_nan : i1
    %new_at = arith.select %wins, %i, %at : index
    %new = arith.minimumf %least, %sum : f64
    scf.yield %next, %new, %new_at : tensor<?xf64>, f64, index
  }
  return %r#0, %r#1, %r#2 : tensor<?xf64>, f64, index
}

// Of one row, for each number of columns. How many rows there are is not known when it is compiled.
func.func @same_f64(%x: tensor<?x?xf64>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant -1 : index
  %true = arith.constant true
  %far = arith.constant 0x7FF0000000000000 : f64
  %rows = tensor.dim %x, %c0 : tensor<?x?xf64>
  %count = tensor.dim %x, %c1 : tensor<?x?xf64>
  %end = arith.addi %count, %c1 : index
  %r:3 = scf.for %n = %c0 to %end step %c1 iter_args(%ok = %true, %least = %far, %at = %none) -> (i1, f64, index) {
    %part = tensor.extract_slice %x[0, 0] [%rows, %n] [1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
    %got:3 = func.call @all_f64(%part) : (tensor<?x?xf64>) -> (tensor<?xf64>, f64, index)
    %equal = arith.cmpf ueq, %got#1, %least : f64
    %same_at = arith.cmpi eq, %got#2, %at : index
    %both = arith.andi %equal, %same_at : i1
    %ok_so_far = arith.andi %ok, %both : i1
    %all = scf.for %i = %c0 to %n step %c1 iter_args(%o = %ok_so_far) -> i1 {
      %a = tensor.extract %x[%c0, %i] : tensor<?x?xf64>
      %b = tensor.extract %got#0[%i] : tensor<?xf64>
      %same = arith.cmpf ueq, %a, %b : f64
      %next = arith.andi %o, %same : i1
      scf.yield %next : i1
    }
    %more = arith.cmpi slt, %n, %count : index
    %next:2 = scf.if %more -> (f64, index) {
      %v = tensor.extract %x[%c0, %n] : tensor<?x?xf64>
      %is_less = arith.cmpf olt, %v, %least : f64
      %is_number = arith.cmpf ord, %least, %least : f64
      %is_nan = arith.cmpf uno, %v, %v : f64
      %first_nan = arith.andi %is_nan, %is_number : i1
      %wins = arith.ori %is_less, %first_nan : i1
      %value = arith.select %wins, %v, %least : f64
      %place = arith.select %wins, %n, %at : index
      scf.yield %value, %place : f64, index
    } else {
      scf.yield %least, %at : f64, index
    }
    scf.yield %all, %next#0, %next#1 : i1, f64, index
  }
  return %r#0 : i1
}

func.func @place_f64(%x: tensor<?x?xf64>) -> (f64, index) {
  %r:3 = func.call @all_f64(%x) : (tensor<?x?xf64>) -> (tensor<?xf64>, f64, index)
  return %r#1, %r#2 : f64, index
}

func.func private @all_f32(%x: tensor<?x?xf32>) -> (tensor<?xf32>, f32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant -1 : index
  %zero = arith.constant 0.0 : f32
  %far = arith.constant 0x7F800000 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%row = %empty, %least = %far, %at = %none) -> (tensor<?xf32>, f32, index) {
    %sum = scf.for %j = %c0 to %m step %c1 iter_args(%s = %zero) -> f32 {
      %a = tensor.extract %x[%j, %i] : tensor<?x?xf32>
      %new = arith.addf %s, %a : f32
      scf.yield %new : f32
    }
    %next = tensor.insert %sum into %row[%i] : tensor<?xf32>
    %new_nan = arith.cmpf uno, %sum, %sum : f32
    %old_number = arith.cmpf ord, %least, %least : f32
    %first_nan = arith.andi %new_nan, %old_number : i1
    %is_less = arith.cmpf olt, %sum, %least : f32
    %wins = arith.ori %is_less, %first_nan : i1
    %new_at = arith.select %wins, %i, %at : index
    %new = arith.minimumf %least, %sum : f32
    scf.yield %next, %new, %new_at : tensor<?xf32>, f32, index
  }
  return %r#0, %r#1, %r#2 : tensor<?xf32>, f32, index
}

// Of one row, for each number of columns. How many rows there are is not known when it is compiled.
func.func @same_f32(%x: tensor<?x?xf32>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant -1 : index
  %true = arith.constant true
  %far = arith.constant 0x7F800000 : f32
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %count = tensor.dim %x, %c1 : tensor<?x?xf32>
  %end = arith.addi %count, %c1 : index
  %r:3 = scf.for %n = %c0 to %end step %c1 iter_args(%ok = %true, %least = %far, %at = %none) -> (i1, f32, index) {
    %part = tensor.extract_slice %x[0, 0] [%rows, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
    %got:3 = func.call @all_f32(%part) : (tensor<?x?xf32>) -> (tensor<?xf32>, f32, index)
    %equal = arith.cmpf ueq, %got#1, %least : f32
    %same_at = arith.cmpi eq, %got#2, %at : index
    %both = arith.andi %equal, %same_at : i1
    %ok_so_far = arith.andi %ok, %both : i1
    %all = scf.for %i = %c0 to %n step %c1 iter_args(%o = %ok_so_far) -> i1 {
      %a = tensor.extract %x[%c0, %i] : tensor<?x?xf32>
      %b = tensor.extract %got#0[%i] : tensor<?xf32>
      %same = arith.cmpf ueq, %a, %b : f32
      %next = arith.andi %o, %same : i1
      scf.yield %next : i1
    }
    %more = arith.cmpi slt, %n, %count : index
    %next:2 = scf.if %more -> (f32, index) {
      %v = tensor.extract %x[%c0, %n] : tensor<?x?xf32>
      %is_less = arith.cmpf olt, %v, %least : f32
      %is_number = arith.cmpf ord, %least, %least : f32
      %is_nan = arith.cmpf uno, %v, %v : f32
      %first_nan = arith.andi %is_nan, %is_number : i1
      %wins = arith.ori %is_less, %first_nan : i1
      %value = arith.select %wins, %v, %least : f32
      %place = arith.select %wins, %n, %at : index
      scf.yield %value, %place : f32, index
    } else {
      scf.yield %least, %at : f32, index
    }
    scf.yield %all, %next#0, %next#1 : i1, f32, index
  }
  return %r#0 : i1
}

func.func @place_f32(%x: tensor<?x?xf32>) -> (f32, index) {
  %r:3 = func.call @all_f32(%x) : (tensor<?x?xf32>) -> (tensor<?xf32>, f32, index)
  return %r#1, %r#2 : f32, index
}
