// What seeds and shadows belong to is noted before requests are answered: an argument, a result, a buffer.
// RUN: ad-opt %s --ad-note-sizes --split-input-file | FileCheck %s

// CHECK-LABEL: func.func private @gather(
// CHECK-NOT: ad.equal_sizes
func.func private @gather(%x: tensor<?xf64>, %is: tensor<?xindex>) -> tensor<?xf64> {
  %y = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %a = tensor.extract %x[%i] : tensor<?xf64>
    soac.yield %a : f64
  }
  return %y : tensor<?xf64>
}
// CHECK: func.func @tangent(
// CHECK-SAME: attributes {ad.equal_sizes = {{\[\[}}array<i64: 2, 0>, array<i64: 0, 0>]]}
func.func @tangent(%x: tensor<?xf64>, %is: tensor<?xindex>, %s: tensor<?xf64>) -> tensor<?xf64> {
  %y, %d = ad.jvp @gather(%x, %is) seed(%s) : (tensor<?xf64>, tensor<?xindex>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %d : tensor<?xf64>
}
// CHECK: func.func @cotangent(
// CHECK-SAME: attributes {ad.equal_sizes = {{\[\[}}array<i64: 2, 0>, array<i64: 1, 0>]]}
func.func @cotangent(%x: tensor<?xf64>, %is: tensor<?xindex>, %s: tensor<?xf64>) -> tensor<?xf64> {
  %y, %d = ad.vjp @gather(%x, %is) seed(%s) : (tensor<?xf64>, tensor<?xindex>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %d : tensor<?xf64>
}
// What a request differentiates has requests itself: its own seed, and those.
// CHECK: func.func @tangent_of_cotangent(
// CHECK-SAME: attributes {ad.equal_sizes = {{\[\[}}array<i64: 3, 0>, array<i64: 0, 0>], [array<i64: 2, 0>, array<i64: 1, 0>]]}
func.func @tangent_of_cotangent(%x: tensor<?xf64>, %is: tensor<?xindex>, %s: tensor<?xf64>, %t: tensor<?xf64>) -> tensor<?xf64> {
  %y, %d = ad.jvp @cotangent(%x, %is, %s) seed(%t) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<?xindex>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %d : tensor<?xf64>
}
// A row of seeds for each row; where there are none, their length does not matter.
// CHECK: func.func @rows(
// CHECK-SAME: attributes {ad.equal_sizes = {{\[\[}}array<i64: 2, 1>, array<i64: 0, 0>, array<i64: -1, 0>, array<i64: 2, 0>]]}
func.func @rows(%x: tensor<?xf64>, %is: tensor<?xindex>, %s: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = soac.map ins(%s : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    %y, %d = ad.jvp @gather(%x, %is) seed(%row) : (tensor<?xf64>, tensor<?xindex>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
    soac.yield %d : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}
// Plainly equal.
// CHECK: func.func @itself(
// CHECK-NOT: ad.equal_sizes
func.func @itself(%x: tensor<?xf64>, %is: tensor<?xindex>) -> tensor<?xf64> {
  %s = arith.addf %x, %x : tensor<?xf64>
  %y, %d = ad.jvp @gather(%x, %is) seed(%s) : (tensor<?xf64>, tensor<?xindex>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %d : tensor<?xf64>
}

// -----

// CHECK-LABEL: func.func private @square(
func.func private @square(%m: memref<?x4xf64>) {
  return
}
// CHECK: func.func @shadow(
// CHECK-SAME: attributes {ad.equal_sizes = {{\[\[}}array<i64: 1, 0>, array<i64: 0, 0>]]}
func.func @shadow(%m: memref<?x4xf64>, %m_bar: memref<?x4xf64>) {
  ad.vjp @square(%m) seed(%m_bar) : (memref<?x4xf64>), (memref<?x4xf64>) -> ()
  return
}
// CHECK: func.func @made(
// CHECK-SAME: attributes {ad.equal_sizes = {{\[\[}}array<i64: 1, -1>, array<i64: 0, 0>]]}
func.func @made(%m: memref<?x4xf64>, %n: index) {
  %m_dot = memref.alloc(%n) : memref<?x4xf64>
  ad.jvp @square(%m) seed(%m_dot) : (memref<?x4xf64>), (memref<?x4xf64>) -> ()
  memref.dealloc %m_dot : memref<?x4xf64>
  return
}

// -----

// One less than the argument has; 1 is a subtraction.
// CHECK-LABEL: func.func @differences(
// CHECK-SAME: attributes {ad.equal_sizes = {{\[\[}}array<i64: 1, 0>, array<i64: 0, 0, -1, 1, -2, 1>]]}
func.func @differences(%x: tensor<?xf64>, %s: tensor<?xf64>) -> tensor<?xf64> {
  %y, %d = ad.vjp @tail(%x) seed(%s) : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %d : tensor<?xf64>
}
func.func private @tail(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %m = arith.subi %n, %c1 : index
  %y = tensor.extract_slice %x[1] [%m] [1] : tensor<?xf64> to tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

// What blocks hand on in turn is as large as what they begin with.
// CHECK-LABEL: func.func @blocks(
// CHECK-SAME: attributes {ad.equal_sizes = {{\[\[}}array<i64: 2, 0>, array<i64: 0, 0>]]}
func.func @blocks(%x: tensor<?xf64>, %n: index, %s: tensor<?xf64>) -> tensor<?xf64> {
  %y, %d = ad.vjp @loop(%x, %n) seed(%s) : (tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %d : tensor<?xf64>
}
func.func private @loop(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %x : index, tensor<?xf64>)
^head(%i: index, %a: tensor<?xf64>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %v = tensor.extract %a[%i] : tensor<?xf64>
  %w = arith.mulf %v, %v : f64
  %b = tensor.insert %w into %a[%i] : tensor<?xf64>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %b : index, tensor<?xf64>)
^end:
  return %a : tensor<?xf64>
}
// CHECK: func.func @in_branch(
// CHECK-NOT: ad.equal_sizes
// CHECK: scf.if
func.func @in_branch(%x: tensor<?xf64>, %n: index, %s: tensor<?xf64>, %c: i1) -> tensor<?xf64> {
  %r = scf.if %c -> tensor<?xf64> {
    %y, %d = ad.vjp @loop(%x, %n) seed(%s) : (tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
    scf.yield %d : tensor<?xf64>
  } else {
    scf.yield %x : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// -----

// What is noted is compared once, at the entry.
// RUN: ad-opt %s --ad-check-sizes --split-input-file | FileCheck %s --check-prefix=COMPARED
// COMPARED-LABEL: func.func @compared(
// COMPARED-NOT: ad.equal_sizes
// COMPARED: %[[REST:.*]] = arith.subi %{{.*}}, %{{.*}} : index
// COMPARED: %[[OWN:.*]] = tensor.dim %arg1, %{{.*}}
// COMPARED: %[[SAME:.*]] = arith.cmpi eq, %[[OWN]], %[[REST]] : index
// COMPARED: cf.assert %[[SAME]], "sizes do not match: dimension 0 of argument 1 and a size that is computed have to be equal"
// COMPARED: cf.assert %{{.*}}, "sizes do not match: argument 2 of 'compared' and dimension 0 of argument 0 have to be equal"
// COMPARED-NOT: cf.assert
// COMPARED: return
func.func @compared(%x: tensor<?xf64>, %s: tensor<?xf64>, %n: index)
    attributes {ad.equal_sizes = [[array<i64: 1, 0>, array<i64: 0, 0, -1, 1, -2, 1>], [array<i64: 2, -1>, array<i64: 0, 0>], [array<i64: 0, 0>, array<i64: 2, -1>]]} {
  return
}

// -----

// The arrays of a list of tuples have one size, in whatever is made of them and in what is derived from it; of a compressed
// list the first one has its own.
// CHECK-LABEL: func.func @member(
// CHECK-SAME:  attributes {ad.equal_sizes = {{\[\[}}array<i64: 0, 0>, array<i64: 1, 0>]]}
func.func @member(%rows: tensor<?xi64>, %columns: tensor<?xi64>, %x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = atl.sum (%i in %n, %j in %n) -> f64 {
    %p = atl.member (%rows, %columns)[%i, %j] : tensor<?xi64>, tensor<?xi64>
    %e = atl.bracket %p -> f64 {
      %y = atl.access %x[%j] : tensor<?xf64>
      atl.yield %y : f64
    }
    atl.yield %e : f64
  }
  return %s : f64
}
// CHECK: func.func @of_request(
// CHECK-SAME:  attributes {ad.equal_sizes = {{\[\[}}array<i64: 2, 0>, array<i64: 1, 0>]]}
func.func @of_request(%x: tensor<?xf64>, %columns: tensor<?xi64>, %rows: tensor<?xi64>, %s: f64) -> tensor<?xf64> {
  %y, %d = ad.vjp @member(%rows, %columns, %x) seed(%s)
      : (tensor<?xi64>, tensor<?xi64>, tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %d : tensor<?xf64>
}
// CHECK: func.func @compressed(
// CHECK-SAME:  attributes {ad.equal_sizes = {{\[\[}}array<i64: 1, 0>, array<i64: 2, 0>]]}
func.func @compressed(%starts: tensor<?xi64>, %columns: tensor<?xi64>, %others: tensor<?xi64>, %x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = atl.sum (%i in %n, %j in %n, %k in %n) -> f64 {
    %p = atl.member (compressed %starts, %columns, %others)[%i, %j, %k] : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>
    %e = atl.bracket %p -> f64 {
      %y = atl.access %x[%j] : tensor<?xf64>
      atl.yield %y : f64
    }
    atl.yield %e : f64
  }
  return %s : f64
}
