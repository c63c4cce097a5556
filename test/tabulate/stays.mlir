// Maps that compute everything themselves.
// RUN: ad-opt %s --ad-tabulate | FileCheck %s --implicit-check-not=soac.iota

// What is computed costs no more than to read it.
// CHECK-LABEL: func.func @cheap(
func.func @cheap(%xs: tensor<?xf64>, %is: tensor<?xindex>) -> tensor<?xf64> {
  %zs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %y = arith.mulf %x, %x : f64
    %z = arith.divf %y, %x : f64
    soac.yield %z : f64
  }
  return %zs : tensor<?xf64>
}

// Nor does one function, by so much that an array more would pay.
// CHECK-LABEL: func.func @one_function(
func.func @one_function(%xs: tensor<?xf64>, %is: tensor<?xindex>) -> tensor<?xf64> {
  %zs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %z = math.tanh %x : f64
    soac.yield %z : f64
  }
  return %zs : tensor<?xf64>
}

// Nothing costly depends on the row alone.
// CHECK-LABEL: func.func @mixed(
func.func @mixed(%xs: tensor<?xf64>, %is: tensor<?xindex>, %ts: tensor<?xf64>) -> tensor<?xf64> {
  %zs = soac.map ins(%is, %ts : tensor<?xindex>, tensor<?xf64>) (%i: index, %t: f64) -> tensor<?xf64> {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %y = arith.mulf %x, %t : f64
    %s = math.sin %y : f64
    %z = math.exp %s : f64
    soac.yield %z : f64
  }
  return %zs : tensor<?xf64>
}

// The index is no data: another one for each element.
// CHECK-LABEL: func.func @in_order(
// CHECK: soac.iota
func.func @in_order(%xs: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %range = soac.iota %n : tensor<?xindex>
  %zs = soac.map ins(%range : tensor<?xindex>) (%k: index) -> tensor<?xf64> {
    %i = arith.addi %k, %c1 : index
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %s = math.sin %x : f64
    %z = math.exp %s : f64
    soac.yield %z : f64
  }
  return %zs : tensor<?xf64>
}

// The row is read under a condition: there may be none of this number.
// CHECK-LABEL: func.func @guarded(
func.func @guarded(%xs: tensor<?xf64>, %is: tensor<?xindex>, %ts: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %zs = soac.map ins(%is, %ts : tensor<?xindex>, tensor<?xf64>) (%i: index, %t: f64) -> tensor<?xf64> {
    %is_positive = arith.cmpf ogt, %t, %zero : f64
    %z = scf.if %is_positive -> f64 {
      %x = tensor.extract %xs[%i] : tensor<?xf64>
      %s = math.sin %x : f64
      %e = math.exp %s : f64
      scf.yield %e : f64
    } else {
      scf.yield %t : f64
    }
    soac.yield %z : f64
  }
  return %zs : tensor<?xf64>
}

// So it is of the second array, which may be shorter than the first one.
// CHECK-LABEL: func.func @shorter(
func.func @shorter(%xs: tensor<?xf64>, %ys: tensor<?xf64>, %is: tensor<?xindex>, %ts: tensor<?xf64>)
    -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %zs = soac.map ins(%is, %ts : tensor<?xindex>, tensor<?xf64>) (%i: index, %t: f64) -> tensor<?xf64> {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %is_positive = arith.cmpf ogt, %t, %zero : f64
    %z = scf.if %is_positive -> f64 {
      %y = tensor.extract %ys[%i] : tensor<?xf64>
      %s = math.sin %y : f64
      %e = math.exp %s : f64
      scf.yield %e : f64
    } else {
      scf.yield %x : f64
    }
    soac.yield %z : f64
  }
  return %zs : tensor<?xf64>
}

// A row may lead to any other one, and a division by a row's integer may not run for all rows.
// CHECK-LABEL: func.func @no_harm(
func.func @no_harm(%xs: tensor<?xf64>, %next: tensor<?xindex>, %is: tensor<?xindex>) -> tensor<?xf64> {
  %c7 = arith.constant 7 : index
  %zs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %j = tensor.extract %next[%i] : tensor<?xindex>
    %x = tensor.extract %xs[%j] : tensor<?xf64>
    %k = arith.remui %c7, %j : index
    %whole = arith.index_cast %k : index to i64
    %y = arith.sitofp %whole : i64 to f64
    %s = math.sin %y : f64
    %e = math.exp %s : f64
    %z = arith.mulf %e, %x : f64
    soac.yield %z : f64
  }
  return %zs : tensor<?xf64>
}

// A table would be made again and again.
// CHECK-LABEL: func.func @in_loop(
func.func @in_loop(%xs: tensor<?xf64>, %is: tensor<?xindex>, %n: index, %start: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zs = scf.for %k = %c0 to %n step %c1 iter_args(%now = %start) -> tensor<?xf64> {
    %zs = soac.map ins(%is, %now : tensor<?xindex>, tensor<?xf64>) (%i: index, %t: f64) -> tensor<?xf64> {
      %x = tensor.extract %xs[%i] : tensor<?xf64>
      %s = math.sin %x : f64
      %e = math.exp %s : f64
      %z = arith.mulf %e, %t : f64
      soac.yield %z : f64
    }
    scf.yield %zs : tensor<?xf64>
  }
  return %zs : tensor<?xf64>
}
