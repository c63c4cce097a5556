// Folds and canonicalisations of soac operations; M17 leans on them.
// RUN: ad-opt %s --canonicalize --cse | FileCheck %s

// An input that nobody reads goes; a static width stays visible.
// CHECK-LABEL: func.func @unused_input(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>
// CHECK: soac.map ins(%[[XS]] : tensor<?xf64>) (%{{.*}}: f64) -> tensor<?xf64> {
func.func @unused_input(%xs: tensor<?xf64>, %ys: tensor<?xf64>) -> tensor<?xf64> {
  %r = soac.map ins(%xs, %ys : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
    %e = math.exp %x : f64
    soac.yield %e : f64
  }
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @repeated_input(
// CHECK: soac.map ins(%{{.*}} : tensor<?xf64>) (%[[X:.*]]: f64) -> tensor<?xf64> {
// CHECK: arith.mulf %[[X]], %[[X]]
func.func @repeated_input(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %r = soac.map ins(%xs, %xs : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
    %p = arith.mulf %x, %y : f64
    soac.yield %p : f64
  }
  return %r : tensor<?xf64>
}

// A replicated value is read directly.
// CHECK-LABEL: func.func @replicated_input(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<4xf64>, %[[V:[a-z0-9]+]]: f64
// CHECK-NOT: soac.replicate
// CHECK: soac.map ins(%[[XS]] : tensor<4xf64>) (%[[X:.*]]: f64)
// CHECK: arith.mulf %[[X]], %[[V]]
func.func @replicated_input(%xs: tensor<4xf64>, %v: f64) -> tensor<4xf64> {
  %vs = soac.replicate %v : f64 -> tensor<4xf64>
  %r = soac.map ins(%xs, %vs : tensor<4xf64>, tensor<4xf64>) (%x: f64, %w: f64) -> tensor<4xf64> {
    %p = arith.mulf %x, %w : f64
    soac.yield %p : f64
  }
  return %r : tensor<4xf64>
}

// A result that nobody reads goes with the code for it.
// CHECK-LABEL: func.func @unused_result(
// CHECK: soac.map {{.*}} -> tensor<?xf64> {
// CHECK-NOT: math.exp
// CHECK: math.sin
// CHECK-NOT: math.exp
// CHECK: return
func.func @unused_result(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> (tensor<?xf64>, tensor<?xf64>) {
    %e = math.exp %x : f64
    %s = math.sin %x : f64
    soac.yield %e, %s : f64, f64
  }
  return %r#1 : tensor<?xf64>
}

// CHECK-LABEL: func.func @identity(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>
// CHECK-NEXT: return %[[XS]]
func.func @identity(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %r = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    soac.yield %x : f64
  }
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @constant_body(
// CHECK-NOT: soac.map
// CHECK: soac.replicate %{{.*}} : f64 -> tensor<4xf64>
func.func @constant_body(%xs: tensor<4xf64>, %v: f64) -> tensor<4xf64> {
  %r = soac.map ins(%xs : tensor<4xf64>) (%x: f64) -> tensor<4xf64> {
    soac.yield %v : f64
  }
  return %r : tensor<4xf64>
}

// CHECK-LABEL: func.func @dead(
// CHECK-NEXT: return
func.func @dead(%xs: tensor<?xf64>, %z: f64) {
  %r = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %e = math.exp %x : f64
    soac.yield %e : f64
  }
  %s = soac.reduce ins(%r : tensor<?xf64>) neutral(%z : f64) (%a: f64, %b: f64) {
    %t = arith.addf %a, %b : f64
    soac.yield %t : f64
  }
  return
}

// CHECK-LABEL: func.func @empty_reduce(
// CHECK-SAME: %{{.*}}: tensor<0xf64>, %[[Z:[a-z0-9]+]]: f64
// CHECK-NEXT: return %[[Z]]
func.func @empty_reduce(%xs: tensor<0xf64>, %z: f64) -> f64 {
  %s = soac.reduce ins(%xs : tensor<0xf64>) neutral(%z : f64) (%a: f64, %b: f64) {
    %t = arith.addf %a, %b : f64
    soac.yield %t : f64
  }
  return %s : f64
}

// Virtual arrays are never read from memory.
// CHECK-LABEL: func.func @read_virtual(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[I:[a-z0-9]+]]: index, %[[V:[a-z0-9]+]]: f64
// CHECK-NEXT: return %[[I]], %[[V]], %[[N]], %[[N]]
func.func @read_virtual(%n: index, %i: index, %v: f64) -> (index, f64, index, index) {
  %zero = arith.constant 0 : index
  %is = soac.iota %n : tensor<?xindex>
  %vs = soac.replicate %v, %n : f64 -> tensor<?xf64>
  %a = tensor.extract %is[%i] : tensor<?xindex>
  %b = tensor.extract %vs[%i] : tensor<?xf64>
  %c = tensor.dim %is, %zero : tensor<?xindex>
  %d = tensor.dim %vs, %zero : tensor<?xf64>
  return %a, %b, %c, %d : index, f64, index, index
}

// CHECK-LABEL: func.func @static_size(
// CHECK: soac.iota : tensor<5xindex>
func.func @static_size() -> tensor<?xindex> {
  %n = arith.constant 5 : index
  %is = soac.iota %n : tensor<?xindex>
  return %is : tensor<?xindex>
}

// The width of a map's result is that of its input.
// CHECK-LABEL: func.func @dim_of_map(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>
// CHECK-NOT: soac.map
// CHECK: tensor.dim %[[XS]]
func.func @dim_of_map(%xs: tensor<?xf64>) -> index {
  %zero = arith.constant 0 : index
  %r = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %e = math.exp %x : f64
    soac.yield %e : f64
  }
  %d = tensor.dim %r, %zero : tensor<?xf64>
  return %d : index
}

// Updates of an array that nobody reads vanish; the extra result stays.
// CHECK-LABEL: func.func @idle_with_acc(
// CHECK-NOT: soac.with_acc
// CHECK-NOT: soac.update_acc
// CHECK: %[[E:.*]] = math.exp
// CHECK-NEXT: return %[[E]]
func.func @idle_with_acc(%as: tensor<?xf64>, %i: index, %v: f64) -> f64 {
  %r:2 = soac.with_acc ins(%as : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, f64) {
    %a = soac.update_acc %acc[%i], %v : !soac.acc<tensor<?xf64>>, f64
    %e = math.exp %v : f64
    soac.yield %a, %e : !soac.acc<tensor<?xf64>>, f64
  }
  return %r#1 : f64
}

// CHECK-LABEL: func.func @null_map(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>
// CHECK-NOT: accs
// CHECK: soac.map ins(%[[XS]] : tensor<?xf64>) (%{{.*}}: f64) -> tensor<?xf64> {
// CHECK-NOT: soac.update_acc
func.func @null_map(%xs: tensor<?xf64>, %i: index) -> tensor<?xf64> {
  %n = soac.null_acc : !soac.acc<tensor<?xf64>>
  %r:2 = soac.map ins(%xs : tensor<?xf64>) accs(%n : !soac.acc<tensor<?xf64>>)
      (%x: f64, %a: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, !soac.acc<tensor<?xf64>>) {
    %e = math.exp %x : f64
    %b = soac.update_acc %a[%i], %e : !soac.acc<tensor<?xf64>>, f64
    soac.yield %e, %b : f64, !soac.acc<tensor<?xf64>>
  }
  return %r#0 : tensor<?xf64>
}
