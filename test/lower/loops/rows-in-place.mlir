// An array whose rows a loop updates, each in one iteration, is not copied row by row.
// RUN: ad-opt %s --lower-own-destinations | FileCheck %s
// RUN: ad-opt %s --ad-place-buffers --ad-free-buffers | FileCheck %s --check-prefix=BUFFERS
// RUN: ad-opt run %s --entry=updated --input=3 --input=2 | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt run %s --entry=updated --input=3 --input=2 --target=gpu-emulate | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt run %s --entry=updated --input=0 --input=2 | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=read_later --input=3 --input=2 | FileCheck %s --check-prefix=LATER
// RUN: ad-opt run %s --entry=same_row --input=3 --input=2 | FileCheck %s --check-prefix=SAME

#id = affine_map<(d0) -> (d0)>
#both = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @updated
// CHECK:         %[[ALL:.*]] = linalg.generic
// CHECK:         scf.for %[[T:[a-z0-9]+]] = {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[OWN:.*]] = %[[ALL]])
// CHECK:           %[[ROW:.*]] = tensor.extract_slice %[[OWN]][%[[T]], 0]
// CHECK:           %[[NEW:.*]] = linalg.generic {{.*}} outs(%[[ROW]] :
// CHECK:           %[[KEPT:.*]] = tensor.insert_slice %[[NEW]] into %[[OWN]][%[[T]], 0] [1, %{{.*}}] [1, 1]
// CHECK:           scf.yield %{{.*}}, %[[KEPT]]
// BUFFERS-LABEL: func @updated
// BUFFERS-NOT:     memref.copy
// BUFFERS-LABEL: func @read_later
// VALUE: 30.0
// NONE: 1.0
func.func @updated(%n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty(%n, %m) : tensor<?x?xf64>
  %all = linalg.generic {indexing_maps = [#both], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<?x?xf64>) {
  ^bb0(%x: f64):
    %i = linalg.index 0 : index
    %integer = arith.index_cast %i : index to i64
    %float = arith.sitofp %integer : i64 to f64
    %y = arith.addf %float, %one : f64
    linalg.yield %y : f64
  } -> tensor<?x?xf64>
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%s = %one) -> (f64) {
    %row = tensor.extract_slice %all[%t, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %new = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%row : tensor<?xf64>) {
    ^bb0(%x: f64):
      %y = arith.addf %x, %s : f64
      linalg.yield %y : f64
    } -> tensor<?xf64>
    %p = soac.reduce ins(%new : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    scf.yield %p : f64
  }
  return %r : f64
}

// Another iteration reads the row, or updates it: it is copied.
// CHECK-LABEL: func @read_later
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f64)
// LATER: 8.5
func.func @read_later(%n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty(%n, %m) : tensor<?x?xf64>
  %all = linalg.generic {indexing_maps = [#both], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<?x?xf64>) {
  ^bb0(%x: f64):
    %i = linalg.index 0 : index
    %integer = arith.index_cast %i : index to i64
    %float = arith.sitofp %integer : i64 to f64
    %y = arith.addf %float, %one : f64
    linalg.yield %y : f64
  } -> tensor<?x?xf64>
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%s = %one) -> (f64) {
    %row = tensor.extract_slice %all[%t, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %new = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%row : tensor<?xf64>) {
    ^bb0(%x: f64):
      %y = arith.addf %x, %s : f64
      linalg.yield %y : f64
    } -> tensor<?xf64>
    %first = tensor.extract %all[%c0, %c0] : tensor<?x?xf64>
    %p = soac.reduce ins(%new : tensor<?xf64>) neutral(%first : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %half = arith.constant 0.5 : f64
    %q = arith.mulf %p, %half : f64
    scf.yield %q : f64
  }
  return %r : f64
}

// CHECK-LABEL: func @same_row
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f64)
// SAME: 22.0
func.func @same_row(%n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty(%n, %m) : tensor<?x?xf64>
  %all = linalg.generic {indexing_maps = [#both], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<?x?xf64>) {
  ^bb0(%x: f64):
    %i = linalg.index 0 : index
    %integer = arith.index_cast %i : index to i64
    %float = arith.sitofp %integer : i64 to f64
    %y = arith.addf %float, %one : f64
    linalg.yield %y : f64
  } -> tensor<?x?xf64>
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%s = %one) -> (f64) {
    %row = tensor.extract_slice %all[%c0, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %new = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%row : tensor<?xf64>) {
    ^bb0(%x: f64):
      %y = arith.addf %x, %s : f64
      linalg.yield %y : f64
    } -> tensor<?xf64>
    %p = soac.reduce ins(%new : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    scf.yield %p : f64
  }
  return %r : f64
}
