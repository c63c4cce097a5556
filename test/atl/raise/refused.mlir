// What the tensor language cannot say stays as it is, and a remark says why; what is beside it is raised.
// RUN: ad-opt %s --raise-to-atl --remarks-filter-missed=raise-to-atl -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: %python %S/Inputs/same.py ad-opt %s %t.mlir mixed n,m

// REMARK: refused.mlir:[[#@LINE+4]]:{{.*}}'linalg.generic' has elements of type i32; the tensor language has f32 and f64
// CHECK-LABEL: func.func @integers(
// CHECK: linalg.generic
func.func @integers(%x: tensor<?xi32>) -> tensor<?xi32> {
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%x : tensor<?xi32>) {
  ^bb0(%e: i32):
    %d = arith.addi %e, %e : i32
    linalg.yield %d : i32
  } -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// REMARK: 'tensor.generate' has an index that depends on data
// CHECK-LABEL: func.func @gather(
// CHECK: tensor.generate
// CHECK-NOT: atl.
func.func @gather(%x: tensor<?xf64>, %at: tensor<?xindex>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %at, %c0 : tensor<?xindex>
  %y = tensor.generate %n {
  ^bb0(%i: index):
    %k = tensor.extract %at[%i] : tensor<?xindex>
    %e = tensor.extract %x[%k] : tensor<?xf64>
    tensor.yield %e : f64
  } : tensor<?xf64>
  return %y : tensor<?xf64>
}

// A maximum stays; the squares in front of it and the sums behind it are raised.
// REMARK: 'linalg.reduce' combines elements by 'arith.maximumf'; the tensor language has sums only
// CHECK-LABEL: func.func @mixed(
// CHECK: atl.gen
// CHECK: linalg.reduce
// CHECK: atl.gen
func.func @mixed(%x: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %low = arith.constant -1.0e9 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %q = arith.mulf %x, %x : tensor<?x?xf64>
  %empty = tensor.empty(%n) : tensor<?xf64>
  %start = linalg.fill ins(%low : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %m = linalg.reduce {arith.maximumf} ins(%q : tensor<?x?xf64>) outs(%start : tensor<?xf64>) dimensions = [1]
  %s = arith.addf %m, %m : tensor<?xf64>
  return %s : tensor<?xf64>
}

// REMARK: 'linalg.reduce' combines elements by 'arith.mulf'; the tensor language has sums only
func.func @product(%x: tensor<?xf64>, %one: tensor<f64>) -> tensor<f64> {
  %m = linalg.reduce {arith.mulf} ins(%x : tensor<?xf64>) outs(%one : tensor<f64>) dimensions = [0]
  return %m : tensor<f64>
}

// REMARK: 'linalg.generic' overwrites elements: which of several values stays is not in the tensor language
func.func @last(%x: tensor<?xf64>, %y: tensor<f64>) -> tensor<f64> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf64>) outs(%y : tensor<f64>) {
  ^bb0(%e: f64, %f: f64):
    linalg.yield %e : f64
  } -> tensor<f64>
  return %r : tensor<f64>
}

// REMARK: 'linalg.generic' has an index that is not affine
func.func @halves(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) {
  ^bb0(%e: f64, %f: f64):
    linalg.yield %e : f64
  } -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// REMARK: 'tensor.generate' has an index by 'arith.divsi', which is not affine
// REMARK: 'tensor.generate' has a product of indices
// REMARK: 'tensor.generate' chooses by a comparison of numbers, which are data; put the choice in a function of numbers and call that
// REMARK: 'tensor.generate' compares indices as unsigned numbers
// REMARK: 'tensor.generate' computes numbers of type f32 for elements of type f64
func.func @bodies(%x: tensor<?xf64>, %z: tensor<?xf32>, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %a = tensor.generate %n {
  ^bb0(%i: index):
    %k = arith.divsi %i, %c2 : index
    %e = tensor.extract %x[%k] : tensor<?xf64>
    tensor.yield %e : f64
  } : tensor<?xf64>
  %b = tensor.generate %n {
  ^bb0(%i: index):
    %k = arith.muli %i, %i : index
    %e = tensor.extract %x[%k] : tensor<?xf64>
    tensor.yield %e : f64
  } : tensor<?xf64>
  %c = tensor.generate %n {
  ^bb0(%i: index):
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %p = arith.cmpf ogt, %e, %zero : f64
    %v = arith.select %p, %e, %zero : f64
    tensor.yield %v : f64
  } : tensor<?xf64>
  %d = tensor.generate %n {
  ^bb0(%i: index):
    %p = arith.cmpi ult, %i, %c2 : index
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %v = arith.select %p, %e, %zero : f64
    tensor.yield %v : f64
  } : tensor<?xf64>
  %f = tensor.generate %n {
  ^bb0(%i: index):
    %e = tensor.extract %z[%i] : tensor<?xf32>
    %w = arith.extf %e : f32 to f64
    tensor.yield %w : f64
  } : tensor<?xf64>
  return %a, %b, %c, %d, %f : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// What one output adds up is read by the other; more numbers than a sum should have; numbers of two types;
// and a store.
// REMARK: 'linalg.generic' reads sums before they are complete
// REMARK: 'arith.constant' has more than 16 elements of their own
// REMARK: 'math.exp' has numbers of type f32 where others are of type f64
// REMARK: 'tensor.generate' has 'memref.store' inside, which has effects
func.func @more(%x: tensor<?xf64>, %s: tensor<?xf64>, %y: tensor<?xf32>, %m: memref<f64>, %n: index) -> (tensor<?xf64>, tensor<f64>, tensor<17xf64>, tensor<?xf64>, tensor<?xf32>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %start = tensor.from_elements %zero : tensor<f64>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf64>) outs(%s, %start : tensor<?xf64>, tensor<f64>) {
  ^bb0(%e: f64, %f: f64, %sum: f64):
    %next = arith.addf %sum, %e : f64
    linalg.yield %next, %next : f64, f64
  } -> (tensor<?xf64>, tensor<f64>)
  %many = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0]> : tensor<17xf64>
  %double = arith.addf %x, %x : tensor<?xf64>
  %single = math.exp %y : tensor<?xf32>
  %stored = tensor.generate %n {
  ^bb0(%i: index):
    memref.store %zero, %m[] : memref<f64>
    tensor.yield %zero : f64
  } : tensor<?xf64>
  return %r#0, %r#1, %many, %double, %single, %stored : tensor<?xf64>, tensor<f64>, tensor<17xf64>, tensor<?xf64>, tensor<?xf32>, tensor<?xf64>
}

// Joined dimensions, a stride among other elements, and what is in a loop.
// REMARK: 'tensor.collapse_shape' joins dimensions, so that places are quotients and remainders
// REMARK: 'tensor.insert_slice' inserts with a stride into other elements than zeros
// REMARK: 'scf.for' is none of what the tensor language can say
// CHECK-LABEL: func.func @others(
// CHECK-NOT: atl.
// CHECK: return
func.func @others(%x: tensor<?x?xf64>, %y: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xf64> into tensor<?xf64>
  %b = tensor.insert_slice %a into %y[0] [%n] [2] : tensor<?xf64> into tensor<?xf64>
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%z = %y) -> tensor<?xf64> {
    %w = arith.addf %z, %y : tensor<?xf64>
    scf.yield %w : tensor<?xf64>
  }
  return %a, %b, %c : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// A sine and a cosine at once are two results of one operation.
// CHECK-LABEL: func.func @two_results(
// CHECK: math.sincos %{{.*}} : tensor<?xf64>
// CHECK: atl.gen
func.func @two_results(%x: tensor<?xf64>) -> tensor<?xf64> {
  %s, %c = math.sincos %x : tensor<?xf64>
  %y = arith.mulf %s, %c : tensor<?xf64>
  return %y : tensor<?xf64>
}
