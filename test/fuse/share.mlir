// A costly value that an earlier map has computed is read from there, and the reduction in between runs
// in the loop that stores it.
// RUN: ad-opt %s --ad-fuse --canonicalize --cse | FileCheck %s
// RUN: ad-opt %s --ad-fuse --canonicalize --cse --lower-soac-to-loops | FileCheck %s --check-prefix=LOOPS
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(5,)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.x1.npy '<f8' '(1,)' 0.5
// RUN: %python %S/../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: ad-opt check %s --entry=softmax --input=%t.x.npy --input=0.25
// RUN: ad-opt check %s --entry=softmax --input=%t.x1.npy --input=0.25
// RUN: ad-opt check %s --entry=softmax --input=%t.x0.npy --input=0.25
// RUN: ad-opt check %s --entry=others --input=%t.x.npy --input=%t.x.npy
// RUN: ad-opt check %s --entry=updates --input=%t.x.npy --input=%t.x.npy --input=0.25
// RUN: ad-opt check %s --entry=updates --input=%t.x0.npy --input=%t.x0.npy --input=0.25
// RUN: ad-opt run %s --entry=values | FileCheck %s --check-prefix=VALUES

// exp (0, log 3) = (1, 3), and their shares of the sum.
// VALUES: [0.25, 0.75

// CHECK-LABEL: func.func @softmax(
// CHECK:         %[[E:.*]] = soac.map
// CHECK:           math.exp
// CHECK:         %[[S:.*]] = soac.reduce ins(%[[E]]
// CHECK:         %[[Y:.*]] = soac.map ins(%[[E]] : tensor<?xf64>) (%[[EI:.*]]: f64)
// CHECK-NEXT:      arith.divf %[[EI]], %[[S]]
// CHECK-NOT:     math.exp
// CHECK:         return %[[Y]]
// LOOPS-LABEL: func.func @softmax(
// LOOPS:         scf.for {{.*}} -> (tensor<?xf64>, f64)
// LOOPS:         scf.for {{.*}} -> (tensor<?xf64>)
// LOOPS-NOT:     scf.for
// LOOPS:         return
func.func @softmax(%x: tensor<?xf64>, %m: f64) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %e = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %d = arith.subf %a, %m : f64
    %exp = math.exp %d : f64
    soac.yield %exp : f64
  }
  %s = soac.reduce ins(%e : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  %y = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %d = arith.subf %a, %m : f64
    %exp = math.exp %d : f64
    %share = arith.divf %exp, %s : f64
    soac.yield %share : f64
  }
  return %y : tensor<?xf64>
}

// Not the same: of another array, of other flags, and a root, which costs no more than a read.
// CHECK-LABEL: func.func @others(
// CHECK:         math.exp
// CHECK:         math.sqrt
// CHECK:         soac.reduce
// CHECK:         soac.map ins(%arg0, %arg1
// CHECK-DAG:       math.exp %{{.*}} fastmath<fast> : f64
// CHECK-DAG:       math.exp %{{[^ ]*}} : f64
// CHECK-DAG:       math.sqrt
// CHECK:         return
func.func @others(%x: tensor<?xf64>, %z: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %e = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %exp = math.exp %a : f64
    %root = math.sqrt %exp : f64
    %p = arith.mulf %root, %a : f64
    soac.yield %p : f64
  }
  %s = soac.reduce ins(%e : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  %y = soac.map ins(%x, %z : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
    %fast = math.exp %a fastmath<fast> : f64
    %other = math.exp %b : f64
    %root = math.sqrt %fast : f64
    %p = arith.mulf %root, %other : f64
    %q = arith.divf %p, %s : f64
    soac.yield %q : f64
  }
  return %y : tensor<?xf64>
}

func.func @values() -> tensor<?xf64> {
  %x = arith.constant dense<[0.0, 1.0986122886681098]> : tensor<2xf64>
  %zero = arith.constant 0.0 : f64
  %xs = tensor.cast %x : tensor<2xf64> to tensor<?xf64>
  %y = call @softmax(%xs, %zero) : (tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// The later map adds to an array.
// CHECK-LABEL: func.func @updates(
// CHECK:         %[[E:.*]] = soac.map
// CHECK:           math.exp
// CHECK:         %[[S:.*]] = soac.reduce ins(%[[E]]
// CHECK:         soac.map ins(%{{.*}}, %[[E]] : tensor<?xindex>, tensor<?xf64>) accs({{.*}}) (%[[I:[a-z0-9]+]]: index, %[[EI:[a-z0-9]+]]: f64, %[[A:[a-z0-9]+]]:
// CHECK-NEXT:      %[[SHARE:.*]] = arith.divf %[[EI]], %[[S]]
// CHECK-NEXT:      soac.update_acc %[[A]][%[[I]]], %[[SHARE]]
// CHECK-NOT:     math.exp
// CHECK:         return
func.func @updates(%x: tensor<?xf64>, %y: tensor<?xf64>, %m: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %numbers = soac.iota %n : tensor<?xindex>
  %r = soac.with_acc ins(%y : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %e = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
      %d = arith.subf %a, %m : f64
      %exp = math.exp %d : f64
      soac.yield %exp : f64
    }
    %s = soac.reduce ins(%e : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %all = soac.map ins(%x, %numbers : tensor<?xf64>, tensor<?xindex>) accs(%acc : !soac.acc<tensor<?xf64>>)
        (%a: f64, %i: index, %b: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
      %d = arith.subf %a, %m : f64
      %exp = math.exp %d : f64
      %share = arith.divf %exp, %s : f64
      %next = soac.update_acc %b[%i], %share : !soac.acc<tensor<?xf64>>, f64
      soac.yield %next : !soac.acc<tensor<?xf64>>
    }
    soac.yield %all : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}

// What does not depend on an element is the same in maps over other numbers of elements, whose arrays are not.
// CHECK-LABEL: func.func @other_widths(
// CHECK: soac.map ins(%{{[a-z0-9]+}} : tensor<?xf64>)
// CHECK: soac.map ins(%{{[a-z0-9]+}} : tensor<?xf64>)
// CHECK: math.exp
// CHECK: return
func.func @other_widths(%xs: tensor<?xf64>, %ys: tensor<?xf64>, %s: f64) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %es, %as = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> (tensor<?xf64>, tensor<?xf64>) {
    %e = math.exp %s : f64
    %a = arith.mulf %e, %x : f64
    soac.yield %e, %a : f64, f64
  }
  %bs = soac.map ins(%ys : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
    %e = math.exp %s : f64
    %b = arith.addf %e, %y : f64
    soac.yield %b : f64
  }
  return %es, %as, %bs : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// Nor is what is made of arrays whose elements are all the same.
// CHECK-LABEL: func.func @of_same_elements(
// CHECK: math.exp
// CHECK: math.exp
// CHECK: return
func.func @of_same_elements(%xs: tensor<?xf64>, %ys: tensor<?xf64>, %s: f64) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %as = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %a = arith.addf %s, %s : f64
    soac.yield %a : f64
  }
  %bs = soac.map ins(%ys : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
    %b = arith.addf %s, %s : f64
    soac.yield %b : f64
  }
  %es = soac.map ins(%as : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %e = math.exp %a : f64
    soac.yield %e : f64
  }
  %fs = soac.map ins(%bs : tensor<?xf64>) (%b: f64) -> tensor<?xf64> {
    %e = math.exp %b : f64
    soac.yield %e : f64
  }
  return %as, %bs, %es, %fs : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
