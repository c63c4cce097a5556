// Sparse rows (CSR): a compressed list says where the tuples of each row begin. A sum per row goes over
// the tuples of that row, in parallel and without a histogram; the cotangents of the vector are one over
// the columns, those of the values are one for each tuple (T45).
// RUN: ad-opt %s --ad-differentiate --lower-atl-to-soac --canonicalize --cse | FileCheck %s
// RUN: ad-opt run %s --entry=main | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt run %s --entry=main --target=gpu-emulate | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt run %s --entry=without_rows | FileCheck %s --check-prefix=NOTHING

// The rows: no histogram, and one loop inside whose bounds are read.
// CHECK-LABEL: func.func private @product(
// CHECK-NOT: soac.hist
// CHECK: soac.map
// CHECK: %[[START:.*]] = tensor.extract %[[STARTS:.*]][%{{.*}}] : tensor<?xindex>
// CHECK: %[[END:.*]] = tensor.extract %[[STARTS]][%{{.*}}] : tensor<?xindex>
// CHECK: %[[STEPS:.*]] = soac.iota
// CHECK: soac.map ins(%[[STEPS]] : tensor<?xindex>)
// CHECK-NOT: soac.map
// CHECK: soac.reduce
// CHECK-NOT: soac.hist
// CHECK: return
func.func private @product(%starts: tensor<?xindex>, %columns: tensor<?xindex>, %values: tensor<?xf64>, %x: tensor<?xf64>, %m: index) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %count = tensor.dim %values, %zero : tensor<?xf64>
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %y = atl.gen (%i in %m) -> tensor<?xf64> {
    %s = atl.sum (%j in %n, %k in %count) -> f64 {
      %p = atl.member (compressed %starts, %columns)[%i, %j] at %k : tensor<?xindex>, tensor<?xindex>
      %e = atl.bracket %p -> f64 {
        %v = atl.access %values[%k] : tensor<?xf64>
        %xj = atl.access %x[%j] : tensor<?xf64>
        %t = arith.mulf %v, %xj : f64
        atl.yield %t : f64
      }
      atl.yield %e : f64
    }
    atl.yield %s : f64
  }
  return %y : tensor<?xf64>
}

func.func private @adjoint(%starts: tensor<?xindex>, %columns: tensor<?xindex>, %values: tensor<?xf64>, %x: tensor<?xf64>, %m: index, %y_bar: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %y, %v_bar, %x_bar = ad.vjp @product(%starts, %columns, %values, %x, %m) seed(%y_bar) {wrt = array<i64: 2, 3>}
      : (tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %y, %v_bar, %x_bar : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

func.func private @tangent(%starts: tensor<?xindex>, %columns: tensor<?xindex>, %values: tensor<?xf64>, %x: tensor<?xf64>, %m: index, %x_dot: tensor<?xf64>) -> tensor<?xf64> {
  %y, %y_dot = ad.jvp @product(%starts, %columns, %values, %x, %m) seed(%x_dot) {wrt = array<i64: 3>}
      : (tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %y_dot : tensor<?xf64>
}

// Whether a row has a column, without numbers: only the row is looked through.
// CHECK-LABEL: func.func private @has(
// CHECK: tensor.extract
// CHECK: tensor.extract
// CHECK: soac.map
// CHECK-NOT: soac.map
// CHECK: return
func.func private @has(%starts: tensor<?xindex>, %columns: tensor<?xindex>, %i: index, %j: index) -> i1 {
  %p = atl.member (compressed %starts, %columns)[%i, %j] : tensor<?xindex>, tensor<?xindex>
  return %p : i1
}

// Segments of an array, added up: segment 1 is empty.
// CHECK-LABEL: func.func private @segments(
// CHECK-NOT: soac.hist
// CHECK: return
func.func private @segments(%starts: tensor<?xindex>, %v: tensor<?xf64>, %m: index) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %count = tensor.dim %v, %zero : tensor<?xf64>
  %y = atl.gen (%i in %m) -> tensor<?xf64> {
    %s = atl.sum (%k in %count) -> f64 {
      %p = atl.member (compressed %starts)[%i] at %k : tensor<?xindex>
      %e = atl.bracket %p -> f64 {
        %vk = atl.access %v[%k] : tensor<?xf64>
        atl.yield %vk : f64
      }
      atl.yield %e : f64
    }
    atl.yield %s : f64
  }
  return %y : tensor<?xf64>
}

func.func private @segments_adjoint(%starts: tensor<?xindex>, %v: tensor<?xf64>, %m: index, %y_bar: tensor<?xf64>) -> tensor<?xf64> {
  %y, %v_bar = ad.vjp @segments(%starts, %v, %m) seed(%y_bar) {wrt = array<i64: 1>}
      : (tensor<?xindex>, tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %v_bar : tensor<?xf64>
}

// The transposed product: bins of columns.
func.func private @transposed(%starts: tensor<?xindex>, %columns: tensor<?xindex>, %values: tensor<?xf64>, %n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %count = tensor.dim %values, %zero : tensor<?xf64>
  %m = tensor.dim %x, %zero : tensor<?xf64>
  %y = atl.gen (%j in %n) -> tensor<?xf64> {
    %s = atl.sum (%i in %m, %k in %count) -> f64 {
      %p = atl.member (compressed %starts, %columns)[%i, %j] at %k : tensor<?xindex>, tensor<?xindex>
      %e = atl.bracket %p -> f64 {
        %v = atl.access %values[%k] : tensor<?xf64>
        %xi = atl.access %x[%i] : tensor<?xf64>
        %t = arith.mulf %v, %xi : f64
        atl.yield %t : f64
      }
      atl.yield %e : f64
    }
    atl.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// The dense matrix: a row at a time, no tuple's row is needed.
// CHECK-LABEL: func.func private @dense(
// CHECK-NOT: soac.scan
// CHECK: soac.map
// CHECK: soac.hist
// CHECK: return
func.func private @dense(%starts: tensor<?xindex>, %columns: tensor<?xindex>, %values: tensor<?xf64>, %m: index, %n: index) -> tensor<?x?xf64> {
  %zero = arith.constant 0 : index
  %count = tensor.dim %values, %zero : tensor<?xf64>
  %y = atl.gen (%i in %m, %j in %n) -> tensor<?x?xf64> {
    %s = atl.sum (%k in %count) -> f64 {
      %p = atl.member (compressed %starts, %columns)[%i, %j] at %k : tensor<?xindex>, tensor<?xindex>
      %e = atl.bracket %p -> f64 {
        %v = atl.access %values[%k] : tensor<?xf64>
        atl.yield %v : f64
      }
      atl.yield %e : f64
    }
    atl.yield %s : f64
  }
  return %y : tensor<?x?xf64>
}

// The row of each tuple is known once: a histogram and a scan of numbers, and one more
// histogram for the vector.
// CHECK-LABEL: func.func private @product.vjp_2_3(
// CHECK: %[[BEGUN:.*]] = soac.hist
// CHECK: soac.scan ins(%[[BEGUN]] : tensor<?xindex>)
// CHECK-NOT: soac.scan
// CHECK: soac.hist at(%{{.*}} : tensor<?xindex>) ins(%{{.*}} : tensor<?xf64>)
// CHECK-NOT: soac.hist
// CHECK: return

// The rows are 1 0 2, none, 0 7 0 (3 and 4 at one place), none; x is 1 10 100. There are five rows of the
// result, of which the matrix has four, and the cotangents of the first four are 1 2 3 4.
// VALUES: [201.0, 0.0, 70.0, 0.0, 0.0]
// VALUES: [1.0, 100.0, 30.0, 30.0]
// VALUES: [1.0, 21.0, 2.0]
// VALUES: [201.0, 0.0, 70.0, 0.0, 0.0]
// VALUES: [3.0, 0.0, 7.0, 0.0, 0.0]
// VALUES: [1.0, 1.0, 3.0, 3.0]
// VALUES: [1.0, 21.0, 2.0]
// VALUES: [1.0, 0.0, 2.0]
// VALUES: [0.0, 0.0, 0.0]
// VALUES: [0.0, 7.0, 0.0]
// VALUES: true
// VALUES: false
func.func @main() -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>, i1, i1) {
  %m = arith.constant 5 : index
  %n = arith.constant 3 : index
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %s = arith.constant dense<[0, 2, 2, 4, 4]> : tensor<5xindex>
  %c = arith.constant dense<[0, 2, 1, 1]> : tensor<4xindex>
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %o = arith.constant dense<[1.0, 10.0, 100.0]> : tensor<3xf64>
  %b = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf64>
  %starts = tensor.cast %s : tensor<5xindex> to tensor<?xindex>
  %columns = tensor.cast %c : tensor<4xindex> to tensor<?xindex>
  %values = tensor.cast %v : tensor<4xf64> to tensor<?xf64>
  %x = tensor.cast %o : tensor<3xf64> to tensor<?xf64>
  %y_bar = tensor.cast %b : tensor<5xf64> to tensor<?xf64>
  %y, %v_bar, %x_bar = call @adjoint(%starts, %columns, %values, %x, %m, %y_bar) : (tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, tensor<?xf64>, index, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  %y_dot = call @tangent(%starts, %columns, %values, %x, %m, %x) : (tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, tensor<?xf64>, index, tensor<?xf64>) -> tensor<?xf64>
  %sums = call @segments(%starts, %values, %m) : (tensor<?xindex>, tensor<?xf64>, index) -> tensor<?xf64>
  %s_bar = call @segments_adjoint(%starts, %values, %m, %y_bar) : (tensor<?xindex>, tensor<?xf64>, index, tensor<?xf64>) -> tensor<?xf64>
  %t = call @transposed(%starts, %columns, %values, %n, %y_bar) : (tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, index, tensor<?xf64>) -> tensor<?xf64>
  %d = call @dense(%starts, %columns, %values, %n, %n) : (tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, index, index) -> tensor<?x?xf64>
  %p = call @has(%starts, %columns, %zero, %two) : (tensor<?xindex>, tensor<?xindex>, index, index) -> i1
  %q = call @has(%starts, %columns, %two, %two) : (tensor<?xindex>, tensor<?xindex>, index, index) -> i1
  return %y, %v_bar, %x_bar, %y_dot, %sums, %s_bar, %t, %d, %p, %q : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>, i1, i1
}

// A matrix without rows: the array of starts has one number. Another one has no number at all.
// NOTHING: [0.0, 0.0]
// NOTHING: []
// NOTHING: [0.0, 0.0, 0.0]
// NOTHING: [0.0, 0.0]
func.func @without_rows() -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %m = arith.constant 2 : index
  %s = arith.constant dense<[0]> : tensor<1xindex>
  %o = arith.constant dense<[1.0, 10.0, 100.0]> : tensor<3xf64>
  %b = arith.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %c = tensor.empty() : tensor<0xindex>
  %v = tensor.empty() : tensor<0xf64>
  %starts = tensor.cast %s : tensor<1xindex> to tensor<?xindex>
  %columns = tensor.cast %c : tensor<0xindex> to tensor<?xindex>
  %values = tensor.cast %v : tensor<0xf64> to tensor<?xf64>
  %x = tensor.cast %o : tensor<3xf64> to tensor<?xf64>
  %y_bar = tensor.cast %b : tensor<2xf64> to tensor<?xf64>
  %y, %v_bar, %x_bar = call @adjoint(%starts, %columns, %values, %x, %m, %y_bar) : (tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, tensor<?xf64>, index, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  %none = call @segments(%columns, %x, %m) : (tensor<?xindex>, tensor<?xf64>, index) -> tensor<?xf64>
  return %y, %v_bar, %x_bar, %none : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
