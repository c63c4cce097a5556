// A loop in which nothing is large runs as it was: one branch in front of it decides.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-parallelize{threads=2},canonicalize,cse)' | FileCheck %s

// CHECK-LABEL: func.func @carried(
// CHECK-SAME: %[[X:.*]]: tensor<?xf64>
// CHECK: %[[SIZE:.*]] = tensor.dim %[[X]]
// CHECK: %[[LARGE:.*]] = arith.andi
// CHECK: scf.if %[[LARGE]]
// CHECK:   scf.for
// CHECK:     scf.if
// CHECK:       scf.forall
// CHECK:     } else {
// CHECK: } else {
// CHECK-NEXT:   scf.for
// CHECK-NEXT:     soac.map
// CHECK-NOT: scf.if
// CHECK: return
func.func @carried(%x: tensor<?xf64>, %steps: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %y = scf.for %k = %c0 to %steps step %c1 iter_args(%now = %x) -> tensor<?xf64> {
    %next = soac.map ins(%now, %x : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
      %c = arith.mulf %a, %half : f64
      %d = arith.addf %c, %b : f64
      soac.yield %d : f64
    }
    scf.yield %next : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}

// So does one over rows, and one around another one.
// CHECK-LABEL: func.func @rows(
// CHECK: scf.if
// CHECK:   scf.for
// CHECK:     scf.for
// CHECK:       scf.forall
// CHECK:     } else {
// CHECK: } else {
// CHECK-NEXT:   scf.for
// CHECK-NEXT:     scf.for
// CHECK-NOT: scf.forall
// CHECK: return
func.func @rows(%x: tensor<?x?xf64>, %steps: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %d = tensor.dim %x, %c1 : tensor<?x?xf64>
  %start = tensor.splat %half[%d] : tensor<?xf64>
  %y = scf.for %k = %c0 to %steps step %c1 iter_args(%outer = %start) -> tensor<?xf64> {
    %z = scf.for %i = %c0 to %n step %c1 iter_args(%now = %outer) -> tensor<?xf64> {
      %row = tensor.extract_slice %x[%i, 0] [1, %d] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
      %next = soac.map ins(%row, %now : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
        %c = arith.mulf %b, %half : f64
        %e = arith.addf %a, %c : f64
        soac.yield %e : f64
      }
      scf.yield %next : tensor<?xf64>
    }
    scf.yield %z : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}

// Where a size is only known inside, the branch stays there.
// CHECK-LABEL: func.func @inside(
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK:   scf.if
// CHECK: return
func.func @inside(%x: tensor<?xf64>, %sizes: tensor<?xindex>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %sizes, %c0 : tensor<?xindex>
  %y = scf.for %k = %c0 to %m step %c1 iter_args(%before = %zero) -> f64 {
    %size = tensor.extract %sizes[%k] : tensor<?xindex>
    %part = tensor.extract_slice %x[0] [%size] [1] : tensor<?xf64> to tensor<?xf64>
    %sum = soac.reduce ins(%part : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %after = arith.addf %before, %sum : f64
    scf.yield %after : f64
  }
  return %y : f64
}

// With x = 1 everywhere, three steps give 1.875 from 1: both loops do, and for no element there is no sum.
// RUN: ad-opt run %s --entry=sum --input=0 --threads=2 | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=sum --input=8 --threads=2 | FileCheck %s --check-prefix=FEW
// RUN: ad-opt run %s --entry=sum --input=80000 --threads=2 | FileCheck %s --check-prefix=MANY
// NONE: {{^}}0.0{{$}}
// FEW: {{^}}15.0{{$}}
// MANY: {{^}}150000.0{{$}}
func.func @sum(%n: index) -> f64 {
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %x = tensor.splat %one[%n] : tensor<?xf64>
  %y = func.call @carried(%x, %c3) : (tensor<?xf64>, index) -> tensor<?xf64>
  %sum = soac.reduce ins(%y : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %sum : f64
}
