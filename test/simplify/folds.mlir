// The folds of ad-simplify, one function each.
// RUN: ad-opt %s --ad-simplify --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @plus_zero
// CHECK-SAME: %[[X:[a-z0-9_]+]]: f64
// CHECK-NEXT: return %[[X]]
func.func @plus_zero(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %0 = arith.addf %zero, %x : f64
  return %0 : f64
}

// Zero times infinity is not zero: the product stays without the flags that rule it out.
// CHECK-LABEL: func.func @times_zero
// CHECK-DAG: %[[Z:[a-z0-9_]+]] = arith.constant 0.000000e+00 : f64
// CHECK-DAG: %[[P:[a-z0-9_]+]] = arith.mulf %{{.*}}, %[[Z]] : f64
// CHECK: return %[[P]], %[[Z]]
func.func @times_zero(%x: f64) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %0 = arith.mulf %x, %zero : f64
  %1 = arith.mulf %x, %zero fastmath<nnan,nsz> : f64
  return %0, %1 : f64, f64
}

// CHECK-LABEL: func.func @signs
// CHECK-SAME: %[[X:[a-z0-9_]+]]: f64, %[[Y:[a-z0-9_]+]]: f64
// CHECK-NEXT: %[[A:[a-z0-9_]+]] = arith.subf %[[X]], %[[Y]]
// CHECK-NEXT: %[[B:[a-z0-9_]+]] = arith.addf %[[X]], %[[Y]]
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @signs(%x: f64, %y: f64) -> (f64, f64) {
  %0 = arith.negf %y : f64
  %1 = arith.addf %x, %0 : f64
  %2 = arith.subf %x, %0 : f64
  return %1, %2 : f64, f64
}

// CHECK-LABEL: func.func @array_of_zeros
// CHECK-SAME: %[[X:[a-z0-9_]+]]: tensor<?xf64>
// CHECK-NEXT: return %[[X]]
func.func @array_of_zeros(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty(%n) : tensor<?xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
  %0 = arith.addf %x, %f : tensor<?xf64>
  return %0 : tensor<?xf64>
}

// A slice of a filled array is filled; a map reads the value itself.
// CHECK-LABEL: func.func @filled
// CHECK-SAME: %[[N:[a-z0-9_]+]]: index, %[[V:[a-z0-9_]+]]: f64
// CHECK: %[[E:[a-z0-9_]+]] = tensor.empty(%[[N]])
// CHECK-NEXT: linalg.fill ins(%[[V]] : f64) outs(%[[E]]
// CHECK-NOT: tensor.extract_slice
func.func @filled(%n: index, %v: f64) -> tensor<?xf64> {
  %e = tensor.empty(%n, %n) : tensor<?x?xf64>
  %f = linalg.fill ins(%v : f64) outs(%e : tensor<?x?xf64>) -> tensor<?x?xf64>
  %s = tensor.extract_slice %f[0, 0] [1, %n] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
  return %s : tensor<?xf64>
}

// An update by zero is none; the accumulator takes over what it is added to [FUT 4.2].
// CHECK-LABEL: func.func @take_over
// CHECK-SAME: %[[Y:[a-z0-9_]+]]: tensor<?xf64>
// CHECK-NOT: linalg.fill
// CHECK: %[[R:[a-z0-9_]+]] = soac.with_acc ins(%[[Y]] : tensor<?xf64>)
// CHECK-NOT: arith.addf
// CHECK: return %[[R]]
func.func @take_over(%y: tensor<?xf64>, %n: index, %i: index, %v: f64) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty(%n) : tensor<?xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
  %a = soac.with_acc ins(%f : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>) {
    %1 = soac.update_acc %acc[%i], %v : !soac.acc<tensor<?xf64>>, f64
    %2 = soac.update_acc %1[%i], %zero : !soac.acc<tensor<?xf64>>, f64
    soac.yield %2 : !soac.acc<tensor<?xf64>>
  }
  %s = arith.addf %a, %y : tensor<?xf64>
  return %s : tensor<?xf64>
}

// An inner accumulation is made into the outer accumulator at once.
// CHECK-LABEL: func.func @nested
// CHECK: soac.with_acc
// CHECK-NOT: soac.with_acc
// CHECK: soac.update_acc %{{.*}}[%{{.*}}], %{{.*}} : !soac.acc<tensor<?xf64>>, f64
// CHECK-NOT: soac.update_acc
// CHECK: return
func.func @nested(%y: tensor<?xf64>, %xs: tensor<?xf64>, %n: index, %i: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty(%n) : tensor<?xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
  %r = soac.with_acc ins(%y : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>) {
    %m = soac.map ins(%xs : tensor<?xf64>) accs(%acc : !soac.acc<tensor<?xf64>>)
        (%x: f64, %b: !soac.acc<tensor<?xf64>>) -> (!soac.acc<tensor<?xf64>>) {
      %g = soac.with_acc ins(%f : tensor<?xf64>) (%c: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>) {
        %1 = soac.update_acc %c[%i], %x : !soac.acc<tensor<?xf64>>, f64
        soac.yield %1 : !soac.acc<tensor<?xf64>>
      }
      %2 = soac.update_acc %b[], %g : !soac.acc<tensor<?xf64>>, tensor<?xf64>
      soac.yield %2 : !soac.acc<tensor<?xf64>>
    }
    soac.yield %m : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}

// A component of a reduction, or of a loop, that only computes itself.
// CHECK-LABEL: func.func @dead_components
// CHECK: soac.reduce ins(%{{[a-z0-9_]+}} : tensor<?xf64>)
// CHECK: scf.for {{.*}} -> (f64)
func.func @dead_components(%xs: tensor<?xf64>, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %s, %p = soac.reduce ins(%xs, %xs : tensor<?xf64>, tensor<?xf64>) neutral(%zero, %zero : f64, f64)
      (%a: f64, %b: f64, %c: f64, %d: f64) {
    %1 = arith.addf %a, %c : f64
    %2 = arith.maximumf %b, %d : f64
    soac.yield %1, %2 : f64, f64
  }
  %u, %v = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s, %b = %s) -> (f64, f64) {
    %1 = arith.mulf %a, %s : f64
    %2 = arith.mulf %b, %a : f64
    scf.yield %1, %2 : f64, f64
  }
  return %s, %u : f64, f64
}

// What stays of a reduction may be its left operand as it is, and then is the neutral element.
// CHECK-LABEL: func.func @dead_component_beside_left
// CHECK-SAME: %{{[a-z0-9_]+}}: tensor<?xf64>, %[[X:[a-z0-9_]+]]: f64
// CHECK-NEXT: return %[[X]]
func.func @dead_component_beside_left(%xs: tensor<?xf64>, %x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s, %p = soac.reduce ins(%xs, %xs : tensor<?xf64>, tensor<?xf64>) neutral(%x, %zero : f64, f64)
      (%a: f64, %b: f64, %c: f64, %d: f64) {
    %1 = arith.addf %b, %d : f64
    soac.yield %a, %1 : f64, f64
  }
  return %s : f64
}
