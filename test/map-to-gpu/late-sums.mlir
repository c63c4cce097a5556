// What a loop adds up of many numbers in each iteration is kept, and reduced behind the loop, if there is an array of such
// rows anyhow.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(3,2)' 1 2 -3 4 5 -6
// RUN: %python %S/../driver/Inputs/npy.py %t.0.npy '<f8' '(0,2)'
// RUN: %python %S/../driver/Inputs/npy.py %t.00.npy '<f8' '(3,0)'
// RUN: %python %S/../driver/Inputs/npy.py %t.i.npy '<i8' '(3,2)' 1 2 -3 4 5 -6
// DEFINE: %{run} = ad-opt run %s --target=gpu-emulate
// RUN: %{run} --entry=squares --input=%t.npy --input=0.5 | FileCheck %s --check-prefix=SQUARES
// RUN: %{run} --entry=squares --input=%t.0.npy --input=0.5 | FileCheck %s --check-prefix=NONE
// RUN: %{run} --entry=squares --input=%t.00.npy --input=0.5 | FileCheck %s --check-prefix=NONE
// RUN: %{run} --entry=greatest --input=%t.i.npy --input=2 | FileCheck %s --check-prefix=GREATEST
// RUN: %{run} --entry=several --input=%t.npy | FileCheck %s --check-prefix=SEVERAL
// RUN: %{run} --entry=nested --input=%t.npy --input=3 | FileCheck %s --check-prefix=NESTED
// RUN: %{run} --entry=other_operator --input=%t.npy | FileCheck %s --check-prefix=OTHER
// RUN: %{run} --entry=read --input=%t.npy | FileCheck %s --check-prefix=READ
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(1,1)' 1
// RUN: %python %S/../driver/Inputs/npy.py %t.w.npy '<f8' '(1,2)' 1 2
// RUN: %python %S/../driver/Inputs/npy.py %t.goals.npy '<f8' '(2,1,2)' 0 1 1 1
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,1,2)'
// RUN: %{run} --entry=of_product --input=%t.x.npy --input=%t.w.npy --input=%t.goals.npy --input=0.5 | FileCheck %s --check-prefix=PRODUCT
// RUN: %{run} --entry=of_product --input=%t.x.npy --input=%t.w.npy --input=%t.none.npy --input=0.5 | FileCheck %s --check-prefix=NONE
// RUN: %{run} --entry=of_rows --input=%t.goals.npy --input=0.5 | FileCheck %s --check-prefix=ROWS
// RUN: %{run} --entry=nothing_as_long --input=%t.npy --input=4 | FileCheck %s --check-prefix=LONG

// CHECK-LABEL: func.func @squares(
// CHECK: %[[LOOP:.*]] = scf.for %[[T:.*]] = %c0 to %{{.*}} step %c1 iter_args(%[[ALL:.*]] = %{{.*}}) -> (tensor<?x?xf64>)
// CHECK-NOT: scf.for
// CHECK: scf.forall
// CHECK-NOT: scf.for {{.*}} iter_args
// CHECK: tensor.insert_slice %{{.*}} into %[[ALL]][%[[T]], 0]
// CHECK: }
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[LOOP]]
// CHECK: scf.forall
// 0.5 + 1 + 4 + 9 + 16 + 25 + 36
// SQUARES: 91.5
// NONE: 0.5
func.func @squares(%xss: tensor<?x?xf64>, %start: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xss, %c0 : tensor<?x?xf64>
  %m = tensor.dim %xss, %c1 : tensor<?x?xf64>
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%s = %start) -> f64 {
    %xs = tensor.extract_slice %xss[%t, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
      %y = arith.mulf %x, %x : f64
      soac.yield %y : f64
    }
    %sum = soac.reduce ins(%ys : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %next = arith.addf %s, %sum : f64
    scf.yield %next : f64
  }
  return %r : f64
}

// Of integers, by another operator, with the operands the other way round.
// CHECK-LABEL: func.func @greatest(
// CHECK: iter_args(%{{.*}} = %{{.*}}) -> (tensor<?x2xi64>)
// GREATEST: 5
func.func @greatest(%xss: tensor<?x2xi64>, %start: i64) -> i64 {
  %low = arith.constant -100 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xss, %c0 : tensor<?x2xi64>
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%s = %start) -> i64 {
    %xs = tensor.extract_slice %xss[%t, 0] [1, 2] [1, 1] : tensor<?x2xi64> to tensor<2xi64>
    %most = soac.reduce ins(%xs : tensor<2xi64>) neutral(%low : i64) (%a: i64, %b: i64) {
      %c = arith.maxsi %b, %a : i64
      soac.yield %c : i64
    }
    %next = arith.maxsi %most, %s : i64
    scf.yield %next : i64
  }
  return %r : i64
}

// Two sums, and an array that the loop carries besides.
// CHECK-LABEL: func.func @several(
// CHECK: -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
// 1 + 2 - 3 + 4 + 5 - 6; 1 + 2 + (1 - 3) + (2 + 4) + (1 - 3 + 5) + (2 + 4 - 6)
// SEVERAL: 3.0
// SEVERAL: 10.0
// SEVERAL: [3.0, 0.0]
func.func @several(%xss: tensor<?x?xf64>) -> (f64, f64, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xss, %c0 : tensor<?x?xf64>
  %m = tensor.dim %xss, %c1 : tensor<?x?xf64>
  %start = soac.replicate %zero, %m : f64 -> tensor<?xf64>
  %r:3 = scf.for %t = %c0 to %n step %c1 iter_args(%s = %zero, %all = %zero, %before = %start) -> (f64, f64, tensor<?xf64>) {
    %xs = tensor.extract_slice %xss[%t, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %now = soac.map ins(%xs, %before : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
      %z = arith.addf %x, %y : f64
      soac.yield %z : f64
    }
    %one = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %other = soac.reduce ins(%now : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %s2 = arith.addf %s, %one : f64
    %all2 = arith.addf %all, %other : f64
    scf.yield %s2, %all2, %now : f64, f64, tensor<?xf64>
  }
  return %r#0, %r#1, %r#2 : f64, f64, tensor<?xf64>
}

// A loop around it goes through all rows each time.
// 3 * 3
// NESTED: 9.0
func.func @nested(%xss: tensor<?x?xf64>, %k: index) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xss, %c0 : tensor<?x?xf64>
  %m = tensor.dim %xss, %c1 : tensor<?x?xf64>
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%outer = %zero) -> f64 {
    %q = scf.for %t = %c0 to %n step %c1 iter_args(%s = %outer) -> f64 {
      %xs = tensor.extract_slice %xss[%t, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
      %sum = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %c = arith.addf %a, %b : f64
        soac.yield %c : f64
      }
      %next = arith.addf %s, %sum : f64
      scf.yield %next : f64
    }
    scf.yield %q : f64
  }
  return %r : f64
}

// Sums of rows of what is made of a product: what they add up is kept, so that an iteration of the loop makes nothing but
// elements, where the product is made.
// CHECK-LABEL: func.func @of_product(
// CHECK: %[[LOOP:.*]] = scf.for %[[T:.*]] = %c0 to %{{.*}} step %c1 iter_args(%[[ALL:.*]] = %{{.*}}) -> (tensor<?x?x?xf64>)
// CHECK: linalg.matmul
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in
// CHECK-NOT: scf.forall (
// CHECK: tensor.insert_slice %{{.*}} into %[[ALL]][%[[T]], 0, 0]
// CHECK: }
// CHECK: tensor.collapse_shape %[[LOOP]]
// 0.5 + (1 - 0)^2 + (2 - 1)^2 + (1 - 1)^2 + (2 - 1)^2
// PRODUCT: 3.5
func.func @of_product(%x: tensor<?x?xf64>, %w: tensor<?x?xf64>, %goals: tensor<?x?x?xf64>, %start: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %goals, %c0 : tensor<?x?x?xf64>
  %m = tensor.dim %goals, %c1 : tensor<?x?x?xf64>
  %h = tensor.dim %goals, %c2 : tensor<?x?x?xf64>
  %e = tensor.empty(%m, %h) : tensor<?x?xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%s = %start) -> f64 {
    %goal = tensor.extract_slice %goals[%t, 0, 0] [1, %m, %h] [1, 1, 1] : tensor<?x?x?xf64> to tensor<?x?xf64>
    %z = linalg.matmul ins(%x, %w : tensor<?x?xf64>, tensor<?x?xf64>) outs(%f : tensor<?x?xf64>) -> tensor<?x?xf64>
    %errors = soac.map ins(%z, %goal : tensor<?x?xf64>, tensor<?x?xf64>) (%row: tensor<?xf64>, %wanted: tensor<?xf64>) -> tensor<?xf64> {
      %squares = soac.map ins(%row, %wanted : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
        %d = arith.subf %a, %b : f64
        %q = arith.mulf %d, %d : f64
        soac.yield %q : f64
      }
      %error = soac.reduce ins(%squares : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %c = arith.addf %a, %b : f64
        soac.yield %c : f64
      }
      soac.yield %error : f64
    }
    %sum = soac.reduce ins(%errors : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %next = arith.addf %s, %sum : f64
    scf.yield %next : f64
  }
  return %r : f64
}

// Of what is no product, blocks reduce the rows, and what they make is kept.
// CHECK-LABEL: func.func @of_rows(
// CHECK: iter_args(%{{.*}} = %{{.*}}) -> (tensor<?x?xf64>)
// 0.5 + 0 + 1 + 1 + 1
// ROWS: 3.5
func.func @of_rows(%goals: tensor<?x?x?xf64>, %start: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %goals, %c0 : tensor<?x?x?xf64>
  %m = tensor.dim %goals, %c1 : tensor<?x?x?xf64>
  %h = tensor.dim %goals, %c2 : tensor<?x?x?xf64>
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%s = %start) -> f64 {
    %goal = tensor.extract_slice %goals[%t, 0, 0] [1, %m, %h] [1, 1, 1] : tensor<?x?x?xf64> to tensor<?x?xf64>
    %errors = soac.map ins(%goal : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
      %error = soac.reduce ins(%row : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %c = arith.addf %a, %b : f64
        soac.yield %c : f64
      }
      soac.yield %error : f64
    }
    %sum = soac.reduce ins(%errors : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %next = arith.addf %s, %sum : f64
    scf.yield %next : f64
  }
  return %r : f64
}

// A product of sums is no sum of products.
// CHECK-LABEL: func.func @other_operator(
// CHECK-NOT: tensor<?x?xf64>)
// CHECK: return
// 3 * 1 * -1
// OTHER: -3.0
func.func @other_operator(%xss: tensor<?x?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xss, %c0 : tensor<?x?xf64>
  %m = tensor.dim %xss, %c1 : tensor<?x?xf64>
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%s = %one) -> f64 {
    %xs = tensor.extract_slice %xss[%t, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %sum = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %next = arith.mulf %s, %sum : f64
    scf.yield %next : f64
  }
  return %r : f64
}

// An iteration reads what there is so far.
// CHECK-LABEL: func.func @read(
// CHECK-NOT: tensor<?x?xf64>)
// CHECK: return
// 3, then 3 + (1 + 2 * 3) = 10, then 10 + (-1 + 2 * 10) = 29: with s added to both numbers of a row
// READ: 29.0
func.func @read(%xss: tensor<?x?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xss, %c0 : tensor<?x?xf64>
  %m = tensor.dim %xss, %c1 : tensor<?x?xf64>
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %xs = tensor.extract_slice %xss[%t, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
      %y = arith.addf %x, %s : f64
      soac.yield %y : f64
    }
    %sum = soac.reduce ins(%ys : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %next = arith.addf %s, %sum : f64
    scf.yield %next : f64
  }
  return %r : f64
}

// No row is as long: nothing is kept.
// CHECK-LABEL: func.func @nothing_as_long(
// CHECK-NOT: tensor<?x?xf64>)
// CHECK: return
// LONG: 12.0
func.func @nothing_as_long(%xss: tensor<?x?xf64>, %m: index) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xss, %c0 : tensor<?x?xf64>
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %x = tensor.extract %xss[%t, %c0] : tensor<?x?xf64>
    %xs = soac.replicate %x, %m : f64 -> tensor<?xf64>
    %sum = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %next = arith.addf %s, %sum : f64
    scf.yield %next : f64
  }
  return %r : f64
}
