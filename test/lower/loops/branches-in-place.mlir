// What branches fill a new array with is written to where it is inserted, if nothing else is known of that place.
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-own-destinations,canonicalize)' | FileCheck %s
// RUN: ad-opt %s --ad-place-buffers --ad-free-buffers | FileCheck %s --check-prefix=BUFFERS
// DEFINE: %{run} = ad-opt run %s
// RUN: %{run} --entry=rows --input=3 --input=2 | FileCheck %s --check-prefix=ROWS
// RUN: %{run} --entry=rows --input=3 --input=2 --target=gpu-emulate | FileCheck %s --check-prefix=ROWS
// RUN: %{run} --entry=rows --input=0 --input=2 | FileCheck %s --check-prefix=NONE
// RUN: %{run} --entry=other_row --input=3 --input=2 | FileCheck %s --check-prefix=OTHER
// RUN: %{run} --entry=handed_on --input=3 --input=2 | FileCheck %s --check-prefix=HANDED
// RUN: %{run} --entry=given --input=3 --input=2 | FileCheck %s --check-prefix=GIVEN

// Three versions, of which branches choose one, and a row whose number and size are asked for behind the branches. What is
// read before it is inserted is there already.
// CHECK-LABEL: func.func @rows
// CHECK:         %[[ALL:.*]] = scf.for %[[T:.*]] = {{.*}} iter_args(%[[OWN:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK-DAG:       %[[I:.*]] = arith.subi
// CHECK-DAG:       %[[SIZE:.*]] = tensor.dim %[[OWN]]
// CHECK:           %[[ROW:.*]] = tensor.extract_slice %[[OWN]][%[[I]], 0] [1, %[[SIZE]]] [1, 1]
// CHECK-NOT:       tensor.empty
// CHECK:           scf.if
// CHECK:             linalg.fill {{.*}} outs(%[[ROW]] :
// CHECK:             scf.if
// CHECK:               linalg.fill {{.*}} outs(%[[ROW]] :
// CHECK:               linalg.fill {{.*}} outs(%[[ROW]] :
// CHECK:           tensor.insert_slice
// BUFFERS-LABEL: func.func @rows
// BUFFERS-NOT:     memref.copy
// BUFFERS-LABEL: func.func @other_row
// ROWS: {{\[\[}}7.0, 7.0],
// ROWS-NEXT: [5.0, 5.0],
// ROWS-NEXT: [3.0, 3.0{{\]\]}}
// ROWS: 15.0
// NONE: []
// NONE: 0.0
func.func @rows(%n: index, %m: index) -> (tensor<?x?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %three = arith.constant 3.0 : f64
  %five = arith.constant 5.0 : f64
  %seven = arith.constant 7.0 : f64
  %all = tensor.empty(%n, %m) : tensor<?x?xf64>
  %last = arith.subi %n, %c1 : index
  %r, %sum = scf.for %t = %c0 to %n step %c1 iter_args(%a = %all, %s = %zero) -> (tensor<?x?xf64>, f64) {
    %is_first = arith.cmpi eq, %t, %c0 : index
    %row = scf.if %is_first -> tensor<?xf64> {
      %e = tensor.empty(%m) : tensor<?xf64>
      %x = linalg.fill ins(%three : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
      scf.yield %x : tensor<?xf64>
    } else {
      %is_second = arith.cmpi eq, %t, %c1 : index
      %inner = scf.if %is_second -> tensor<?xf64> {
        %e = tensor.empty(%m) : tensor<?xf64>
        %x = linalg.fill ins(%five : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
        scf.yield %x : tensor<?xf64>
      } else {
        %e = tensor.empty(%m) : tensor<?xf64>
        %x = linalg.fill ins(%seven : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
        scf.yield %x : tensor<?xf64>
      }
      scf.yield %inner : tensor<?xf64>
    }
    %x = tensor.extract %row[%c0] : tensor<?xf64>
    %next = arith.addf %s, %x : f64
    %i = arith.subi %last, %t : index
    %size = tensor.dim %a, %c1 : tensor<?x?xf64>
    %b = tensor.insert_slice %row into %a[%i, 0] [1, %size] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    scf.yield %b, %next : tensor<?x?xf64>, f64
  }
  return %r, %sum : tensor<?x?xf64>, f64
}

// A branch reads another row of the array; it could be the same one.
// CHECK-LABEL: func.func @other_row
// CHECK:         scf.for
// CHECK:           %[[NEW:.*]] = tensor.empty
// CHECK:           scf.if
// CHECK:             linalg.fill {{.*}} outs(%[[NEW]] :
// CHECK:             linalg.fill {{.*}} outs(%[[NEW]] :
// OTHER: {{\[\[}}1.0, 1.0],
// OTHER-NEXT: [2.0, 2.0],
// OTHER-NEXT: [1.0, 1.0{{\]\]}}
func.func @other_row(%n: index, %m: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %empty = tensor.empty(%n, %m) : tensor<?x?xf64>
  %all = linalg.fill ins(%zero : f64) outs(%empty : tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%a = %all) -> tensor<?x?xf64> {
    %is_odd = arith.remui %t, %c2 : index
    %condition = arith.cmpi eq, %is_odd, %c1 : index
    %row = scf.if %condition -> tensor<?xf64> {
      %before = arith.subi %t, %c1 : index
      %x = tensor.extract %a[%before, %c0] : tensor<?x?xf64>
      %y = arith.addf %x, %one : f64
      %e = tensor.empty(%m) : tensor<?xf64>
      %f = linalg.fill ins(%y : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
      scf.yield %f : tensor<?xf64>
    } else {
      %e = tensor.empty(%m) : tensor<?xf64>
      %f = linalg.fill ins(%one : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
      scf.yield %f : tensor<?xf64>
    }
    %b = tensor.insert_slice %row into %a[%t, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    scf.yield %b : tensor<?x?xf64>
  }
  return %r : tensor<?x?xf64>
}

// The next iteration has the row besides the array, and may write to it.
// CHECK-LABEL: func.func @handed_on
// CHECK:         scf.for
// CHECK:           %[[NEW:.*]] = tensor.empty
// CHECK:           scf.if
// CHECK:             linalg.fill {{.*}} outs(%[[NEW]] :
// HANDED: {{\[\[}}1.0, 1.0],
// HANDED-NEXT: [2.0, 2.0],
// HANDED-NEXT: [1.0, 1.0{{\]\]}}
// HANDED: [1.0, 1.0]
func.func @handed_on(%n: index, %m: index) -> (tensor<?x?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %all = tensor.empty(%n, %m) : tensor<?x?xf64>
  %e = tensor.empty(%m) : tensor<?xf64>
  %start = linalg.fill ins(%zero : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
  %r, %s = scf.for %t = %c0 to %n step %c1 iter_args(%a = %all, %before = %start) -> (tensor<?x?xf64>, tensor<?xf64>) {
    %x = tensor.extract %before[%c0] : tensor<?xf64>
    %is_one = arith.cmpf oeq, %x, %one : f64
    %row = scf.if %is_one -> tensor<?xf64> {
      %new = tensor.empty(%m) : tensor<?xf64>
      %f = linalg.fill ins(%two : f64) outs(%new : tensor<?xf64>) -> tensor<?xf64>
      scf.yield %f : tensor<?xf64>
    } else {
      %new = tensor.empty(%m) : tensor<?xf64>
      %f = linalg.fill ins(%one : f64) outs(%new : tensor<?xf64>) -> tensor<?xf64>
      scf.yield %f : tensor<?xf64>
    }
    %b = tensor.insert_slice %row into %a[%t, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    scf.yield %b, %row : tensor<?x?xf64>, tensor<?xf64>
  }
  return %r, %s : tensor<?x?xf64>, tensor<?xf64>
}

// An argument of a function is copied to be inserted into, and the row of it need not be.
// CHECK-LABEL: func.func private @inserted
// CHECK:         tensor.empty
// CHECK:         scf.if
func.func private @inserted(%all: tensor<?x?xf64>, %condition: i1, %m: index) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %row = scf.if %condition -> tensor<?xf64> {
    %new = tensor.empty(%m) : tensor<?xf64>
    %f = linalg.fill ins(%two : f64) outs(%new : tensor<?xf64>) -> tensor<?xf64>
    scf.yield %f : tensor<?xf64>
  } else {
    %new = tensor.empty(%m) : tensor<?xf64>
    %f = linalg.fill ins(%one : f64) outs(%new : tensor<?xf64>) -> tensor<?xf64>
    scf.yield %f : tensor<?xf64>
  }
  %b = tensor.insert_slice %row into %all[1, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
  return %b : tensor<?x?xf64>
}

// GIVEN: {{\[\[}}0.0, 0.0],
// GIVEN-NEXT: [1.0, 1.0],
// GIVEN-NEXT: [0.0, 0.0{{\]\]}}
// GIVEN: {{\[\[}}0.0, 0.0],
// GIVEN-NEXT: [0.0, 0.0],
// GIVEN-NEXT: [0.0, 0.0{{\]\]}}
func.func @given(%n: index, %m: index) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %zero = arith.constant 0.0 : f64
  %c3 = arith.constant 3 : index
  %empty = tensor.empty(%n, %m) : tensor<?x?xf64>
  %all = linalg.fill ins(%zero : f64) outs(%empty : tensor<?x?xf64>) -> tensor<?x?xf64>
  %condition = arith.cmpi slt, %n, %c3 : index
  %new = func.call @inserted(%all, %condition, %m) : (tensor<?x?xf64>, i1, index) -> tensor<?x?xf64>
  return %new, %all : tensor<?x?xf64>, tensor<?x?xf64>
}
