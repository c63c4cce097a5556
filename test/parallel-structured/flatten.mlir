// Reductions of what reductions of rows give are one reduction of all elements (F45): by as many threads as there are elements, not
// rows, and neighbouring threads read neighbouring elements. So are those of slices of arrays.
// RUN: ad-opt %s --ad-parallel-structured --canonicalize --cse | FileCheck %s
// RUN: %python %S/../bench/Inputs/random_npy.py %t.x.npy '<f8' '(40, 300)' -1 1
// RUN: ad-opt run %s --entry=both --input=%t.x.npy > %t.cpu
// RUN: ad-opt run %s --entry=both --input=%t.x.npy --target=gpu-emulate --emulate-report=%t.json > %t.gpu
// RUN: %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-12
// 40 and 38 rows of 300 and 298; what 32 threads ask for at a time is at most one sector more than the eight that it has.
// RUN: %python -c "import json, sys; d = json.load(open(sys.argv[1])).values(); b, m = (sum(v[k] for v in d) for k in ('bytes', 'moved_bytes')); assert b >= (40 * 300 + 38 * 298) * 8 and 8 * m <= 9 * b, (b, m)" %t.json
// RUN: %python %S/../bench/Inputs/random_npy.py %t.none.npy '<f8' '(2, 0)' -1 1
// RUN: ad-opt run %s --entry=rows --input=%t.none.npy --target=gpu-emulate | FileCheck %s --check-prefix=NONE
// NONE: 0.0
// RUN: %python %S/../bench/Inputs/random_npy.py %t.square.npy '<f8' '(3, 3, 4, 5)' -1 1
// RUN: ad-opt run %s --entry=diagonal --input=%t.square.npy > %t.cpu
// RUN: ad-opt run %s --entry=diagonal --input=%t.square.npy --target=gpu-emulate > %t.gpu
// RUN: %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-13
// RUN: %python %S/../bench/Inputs/random_npy.py %t.rows.npy '<f8' '(4, 9)' -1 1
// RUN: ad-opt run %s --entry=of_rows_of_pairs --input=%t.rows.npy > %t.cpu
// RUN: ad-opt run %s --entry=of_rows_of_pairs --input=%t.rows.npy --target=gpu-emulate > %t.gpu
// RUN: %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-13

// CHECK-LABEL: func.func @rows(
// CHECK-SAME:  %[[XSS:[a-z0-9]+]]: tensor<?x?xf64>
// CHECK:       %[[ALL:.*]] = arith.muli
// CHECK:       %[[IS:.*]] = soac.iota %[[ALL]]
// CHECK:       %[[TERMS:.*]] = soac.map ins(%[[IS]] : tensor<?xindex>) (%[[I:.*]]: index) -> tensor<?xf64>
// CHECK:         %[[ROW:.*]] = arith.divui %[[I]], %[[K:.*]] :
// CHECK:         %[[COLUMN:.*]] = arith.remui %[[I]], %[[K]]
// CHECK:         %[[X:.*]] = tensor.extract %[[XSS]][%[[ROW]], %[[COLUMN]]]
// CHECK:         arith.mulf %[[X]], %[[X]]
// CHECK:       soac.reduce ins(%[[TERMS]] :
// CHECK-NOT:   soac.map
// CHECK:       return
func.func @rows(%xss: tensor<?x?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sums = soac.map ins(%xss : tensor<?x?xf64>) (%xs: tensor<?xf64>) -> tensor<?xf64> {
    %squares = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
      %xx = arith.mulf %x, %x : f64
      soac.yield %xx : f64
    }
    %s = soac.reduce ins(%squares : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %t = arith.addf %l, %r : f64
      soac.yield %t : f64
    }
    soac.yield %s : f64
  }
  %sum = soac.reduce ins(%sums : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  return %sum : f64
}

// CHECK-LABEL: func.func private @slices(
// CHECK:       arith.divui
// CHECK:       tensor.extract
// CHECK:       soac.reduce
// CHECK-NOT:   linalg.generic
// CHECK:       return
#all = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> ()>
func.func private @slices(%xss: tensor<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %xss, %c0 : tensor<?x?xf64>
  %k = tensor.dim %xss, %c1 : tensor<?x?xf64>
  %m = arith.subi %n, %c2 : index
  %l = arith.subi %k, %c2 : index
  %inner = tensor.extract_slice %xss[1, 1] [%m, %l] [1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
  %init = tensor.from_elements %zero : tensor<f64>
  %s = linalg.generic {indexing_maps = [#all, #one], iterator_types = ["reduction", "reduction"]}
      ins(%inner : tensor<?x?xf64>) outs(%init : tensor<f64>) {
  ^bb0(%x: f64, %o: f64):
    %xx = arith.mulf %x, %x : f64
    %t = arith.addf %o, %xx : f64
    linalg.yield %t : f64
  } -> tensor<f64>
  %sum = tensor.extract %s[] : tensor<f64>
  return %sum : f64
}

// Products of rows are added up, a row of three is one thread's, and what is computed of a row as a whole is computed once for it.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:   arith.divui
// CHECK:       return
func.func @others(%xss: tensor<?x?xf64>, %triples: tensor<?x3xf64>, %ws: tensor<?xf64>) -> (f64, f64, f64) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %products = soac.map ins(%xss : tensor<?x?xf64>) (%xs: tensor<?xf64>) -> tensor<?xf64> {
    %p = soac.reduce ins(%xs : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64) {
      %t = arith.mulf %l, %r : f64
      soac.yield %t : f64
    }
    soac.yield %p : f64
  }
  %a = soac.reduce ins(%products : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  %sums = soac.map ins(%triples : tensor<?x3xf64>) (%xs: tensor<3xf64>) -> tensor<?xf64> {
    %p = soac.reduce ins(%xs : tensor<3xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %t = arith.addf %l, %r : f64
      soac.yield %t : f64
    }
    soac.yield %p : f64
  }
  %b = soac.reduce ins(%sums : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  %weighted = soac.map ins(%xss, %ws : tensor<?x?xf64>, tensor<?xf64>) (%xs: tensor<?xf64>, %w: f64) -> tensor<?xf64> {
    %f = math.exp %w : f64
    %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
      %y = arith.mulf %f, %x : f64
      soac.yield %y : f64
    }
    %p = soac.reduce ins(%ys : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %t = arith.addf %l, %r : f64
      soac.yield %t : f64
    }
    soac.yield %p : f64
  }
  %c = soac.reduce ins(%weighted : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  return %a, %b, %c : f64, f64, f64
}

func.func @both(%xss: tensor<?x?xf64>) -> (f64, f64) {
  %a = func.call @rows(%xss) : (tensor<?x?xf64>) -> f64
  %b = func.call @slices(%xss) : (tensor<?x?xf64>) -> f64
  return %a, %b : f64, f64
}

// A diagonal stays one: only the loops over the last two dimensions are one.
// CHECK-LABEL: func.func @diagonal(
// CHECK:       tensor.collapse_shape %{{.*}} {{\[\[}}0], [1], [2, 3]] : tensor<3x3x4x5xf64> into tensor<3x3x20xf64>
// CHECK:       return
func.func @diagonal(%u: tensor<3x3x4x5xf64>) -> tensor<3xf64> {
  %zeros = arith.constant dense<0.0> : tensor<3xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, i, j, k)>, affine_map<(i, j, k) -> (i)>],
                       iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%u : tensor<3x3x4x5xf64>) outs(%zeros : tensor<3xf64>) {
  ^bb0(%x: f64, %p: f64):
    %c = arith.addf %p, %x : f64
    linalg.yield %c : f64
  } -> tensor<3xf64>
  return %r : tensor<3xf64>
}

// Sums of arrays, of products of all pairs in a row, are not sums of numbers.
// CHECK-LABEL: func.func @of_rows_of_pairs(
// CHECK:       soac.reduce {{.*}} neutral(%{{.*}} : tensor<9xf64>)
// CHECK:       soac.reduce {{.*}} neutral(%{{.*}} : tensor<9xf64>)
// CHECK:       return
func.func @of_rows_of_pairs(%xs: tensor<4x9xf64>) -> tensor<9xf64> {
  %zeros = arith.constant dense<0.0> : tensor<9xf64>
  %sums = soac.map ins(%xs : tensor<4x9xf64>) (%x: tensor<9xf64>) -> tensor<4x9xf64> {
    %q = soac.map ins(%x : tensor<9xf64>) (%p: f64) -> tensor<9x9xf64> {
      %qq = soac.map ins(%x : tensor<9xf64>) (%z: f64) -> tensor<9xf64> {
        %m = arith.mulf %p, %z : f64
        soac.yield %m : f64
      }
      soac.yield %qq : tensor<9xf64>
    }
    %s = soac.reduce ins(%q : tensor<9x9xf64>) neutral(%zeros : tensor<9xf64>) (%l: tensor<9xf64>, %r: tensor<9xf64>) {
      %t = arith.addf %l, %r : tensor<9xf64>
      soac.yield %t : tensor<9xf64>
    }
    soac.yield %s : tensor<9xf64>
  }
  %s = soac.reduce ins(%sums : tensor<4x9xf64>) neutral(%zeros : tensor<9xf64>) (%l: tensor<9xf64>, %r: tensor<9xf64>) {
    %t = arith.addf %l, %r : tensor<9xf64>
    soac.yield %t : tensor<9xf64>
  }
  return %s : tensor<9xf64>
}
