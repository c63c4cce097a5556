// Destination passing: what is updated in place is not copied, and loops do not allocate.
// RUN: ad-opt %s --ad-bufferize | FileCheck %s --implicit-check-not=memref.copy

// One allocation for the result; the inner loop writes into its row.
// CHECK-LABEL: func.func @map_nest
// CHECK: %[[OUT:[a-zA-Z0-9_]+]] = memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: scf.for %[[I:[a-zA-Z0-9_]+]] =
// CHECK: %[[ROW:[a-zA-Z0-9_]+]] = memref.subview %[[OUT]][%[[I]], 0]
// CHECK: scf.for %[[J:[a-zA-Z0-9_]+]] =
// CHECK: memref.store %{{.*}}, %[[ROW]][%[[J]]]
// CHECK-NOT: memref.alloc
// CHECK: return %[[OUT]]
func.func @map_nest(%xss: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = soac.map ins(%xss : tensor<?x?xf64>) (%xs: tensor<?xf64>) -> tensor<?x?xf64> {
    %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
      %y = arith.mulf %x, %x : f64
      soac.yield %y : f64
    }
    soac.yield %ys : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}

// Three levels, with rows of rows.
// CHECK-LABEL: func.func @deep_nest
// CHECK: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @deep_nest(%n: index) -> tensor<?x?x?xindex> {
  %is = soac.iota %n : tensor<?xindex>
  %r = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?x?x?xindex> {
    %r1 = soac.map ins(%is : tensor<?xindex>) (%j: index) -> tensor<?x?xindex> {
      %r2 = soac.map ins(%is : tensor<?xindex>) (%k: index) -> tensor<?xindex> {
        %a = arith.addi %i, %j : index
        %b = arith.addi %a, %k : index
        soac.yield %b : index
      }
      soac.yield %r2 : tensor<?xindex>
    }
    soac.yield %r1 : tensor<?x?xindex>
  }
  return %r : tensor<?x?x?xindex>
}

// A loop that updates one element of the array it carries: a prefix sum.
// CHECK-LABEL: func.func @in_place_loop
// CHECK: %[[OUT:[a-zA-Z0-9_]+]] = memref.alloc
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %[[OUT]]
// CHECK-NOT: memref.alloc
// CHECK: return %[[OUT]]
func.func @in_place_loop(%n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %start = tensor.splat %one[%n] : tensor<?xf64>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%x = %start) -> tensor<?xf64> {
    %before = arith.subi %i, %c1 : index
    %a = tensor.extract %x[%before] : tensor<?xf64>
    %b = tensor.extract %x[%i] : tensor<?xf64>
    %c = arith.addf %a, %b : f64
    %y = tensor.insert %c into %x[%i] : tensor<?xf64>
    scf.yield %y : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// A loop whose body maps the carried array element by element.
// CHECK-LABEL: func.func @map_in_loop
// CHECK: %[[OUT:[a-zA-Z0-9_]+]] = memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: return %[[OUT]]
func.func @map_in_loop(%n: index, %t: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %start = tensor.splat %one[%n] : tensor<?xf64>
  %r = scf.for %i = %c0 to %t step %c1 iter_args(%x = %start) -> tensor<?xf64> {
    %y = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
      %b = arith.addf %a, %a : f64
      soac.yield %b : f64
    }
    scf.yield %y : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Accumulation under a branch, inside of a nest.
// CHECK-LABEL: func.func @accumulate
// CHECK: %[[OUT:[a-zA-Z0-9_]+]] = memref.alloc
// CHECK: linalg.fill
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.if
// CHECK: memref.load %[[OUT]]
// CHECK: memref.store %{{.*}}, %[[OUT]]
// CHECK-NOT: memref.alloc
// CHECK: return %[[OUT]]
func.func @accumulate(%xss: tensor<?x?xf64>, %iss: tensor<?x?xindex>, %n: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %z = tensor.splat %zero[%n] : tensor<?xf64>
  %r = soac.with_acc ins(%z : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>) {
    %a0 = soac.map ins(%xss, %iss : tensor<?x?xf64>, tensor<?x?xindex>) accs(%acc : !soac.acc<tensor<?xf64>>)
        (%xs: tensor<?xf64>, %is: tensor<?xindex>, %b0: !soac.acc<tensor<?xf64>>) -> (!soac.acc<tensor<?xf64>>) {
      %a1 = soac.map ins(%xs, %is : tensor<?xf64>, tensor<?xindex>) accs(%b0 : !soac.acc<tensor<?xf64>>)
          (%x: f64, %i: index, %b1: !soac.acc<tensor<?xf64>>) -> (!soac.acc<tensor<?xf64>>) {
        %positive = arith.cmpf ogt, %x, %zero : f64
        %a2 = scf.if %positive -> !soac.acc<tensor<?xf64>> {
          %a3 = soac.update_acc %b1[%i], %x : !soac.acc<tensor<?xf64>>, f64
          scf.yield %a3 : !soac.acc<tensor<?xf64>>
        } else {
          scf.yield %b1 : !soac.acc<tensor<?xf64>>
        }
        soac.yield %a2 : !soac.acc<tensor<?xf64>>
      }
      soac.yield %a1 : !soac.acc<tensor<?xf64>>
    }
    soac.yield %a0 : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}

// The adjoint of a stencil that gathers three neighbours: one array, no copy.
// CHECK-LABEL: func.func @stencil_adjoint
// CHECK: %[[BAR:[a-zA-Z0-9_]+]] = memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %[[BAR]]
// CHECK: memref.store %{{.*}}, %[[BAR]]
// CHECK: memref.store %{{.*}}, %[[BAR]]
// CHECK-NOT: memref.alloc
// CHECK: return %[[BAR]]
func.func private @stencil(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %is = soac.iota %n : tensor<?xindex>
  %r = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %i1 = arith.addi %i, %c1 : index
    %i2 = arith.addi %i, %c2 : index
    %a = tensor.extract %x[%i] : tensor<?xf64>
    %b = tensor.extract %x[%i1] : tensor<?xf64>
    %c = tensor.extract %x[%i2] : tensor<?xf64>
    %bc = arith.mulf %b, %c : f64
    %abc = arith.mulf %a, %bc : f64
    soac.yield %abc : f64
  }
  return %r : tensor<?xf64>
}
func.func @stencil_adjoint(%x: tensor<?xf64>, %n: index, %seed: tensor<?xf64>) -> tensor<?xf64> {
  %y, %x_bar = ad.vjp @stencil(%x, %n) seed(%seed)
      : (tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}

// Room that every iteration needs is allocated once, outside of the loop.
// CHECK-LABEL: func.func @workspace
// CHECK: memref.alloc
// CHECK: memref.alloc
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @workspace(%xss: tensor<?x?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %r = soac.map ins(%xss : tensor<?x?xf64>) (%xs: tensor<?xf64>) -> tensor<?xf64> {
    %es = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
      %e = math.exp %x : f64
      soac.yield %e : f64
    }
    %s = soac.reduce ins(%es : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %ws = soac.map ins(%es : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
      %w = arith.divf %e, %s : f64
      soac.yield %w : f64
    }
    %t = soac.reduce ins(%ws : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.maximumf %a, %b : f64
      soac.yield %c : f64
    }
    soac.yield %t : f64
  }
  return %r : tensor<?xf64>
}

// Two branches that each make the result write into the one allocation.
// CHECK-LABEL: func.func @branches
// CHECK: %[[OUT:[a-zA-Z0-9_]+]] = memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: scf.if
// CHECK: linalg.fill {{.*}} outs(%[[OUT]]
// CHECK: memref.store %{{.*}}, %[[OUT]]
// CHECK: else
// CHECK: memref.store %{{.*}}, %[[OUT]]
// CHECK: return %[[OUT]]
func.func @branches(%c: i1, %xs: tensor<?xf64>, %i: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %r = scf.if %c -> tensor<?xf64> {
    %zeros = tensor.splat %zero[%n] : tensor<?xf64>
    %unit = tensor.insert %one into %zeros[%i] : tensor<?xf64>
    scf.yield %unit : tensor<?xf64>
  } else {
    %es = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
      %e = math.exp %x : f64
      soac.yield %e : f64
    }
    scf.yield %es : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Branches whose results have different sizes have a buffer each, which nobody copies.
// CHECK-LABEL: func.func @sizes
// CHECK-COUNT-2: memref.alloc(
// CHECK-NOT: memref.alloc(
// CHECK: linalg.fill
// CHECK: linalg.fill
// CHECK: return
func.func @sizes(%c: i1, %n: index, %m: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %r = scf.if %c -> tensor<?xf64> {
    %short = tensor.splat %zero[%n] : tensor<?xf64>
    scf.yield %short : tensor<?xf64>
  } else {
    %long = tensor.splat %zero[%m] : tensor<?xf64>
    scf.yield %long : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
