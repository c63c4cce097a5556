// Bodies of structured operations that look up elements, make arrays or ask for the number of the point: one loop of two of
// them read what was not there yet, or was that of the point before.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(3,)' 1 2 3
// RUN: %python %S/../driver/Inputs/npy.py %t.w.npy '<f8' '(3,)' 10 20 30
// RUN: %python %S/../driver/Inputs/npy.py %t.at.npy '<i8' '(3,)' 2 0 1
// RUN: ad-opt run %s --entry=looked_up --input=%t.x.npy --input=%t.at.npy | FileCheck %s --check-prefix=LOOKED
// RUN: ad-opt run %s --entry=own_arrays --input=%t.x.npy --input=%t.w.npy | FileCheck %s --check-prefix=OWN
// RUN: ad-opt run %s --entry=own_arrays --input=%t.x.npy --input=%t.w.npy --threads=2 | FileCheck %s --check-prefix=OWN
// RUN: ad-opt run %s --entry=numbered --input=%t.x.npy | FileCheck %s --check-prefix=NUMBERED
// RUN: ad-opt check %s --entry=looked_up --input=%t.x.npy --input=%t.at.npy

// LOOKED: [2.7182818{{[0-9]*}}, 7.3890560{{[0-9]*}}, 20.0855369{{[0-9]*}}]
// LOOKED: [20.0855369{{[0-9]*}}, 5.4365636{{[0-9]*}}, 22.1671682{{[0-9]*}}]
func.func @looked_up(%x: tensor<3xf64>, %at: tensor<3xindex>) -> (tensor<3xf64>, tensor<3xf64>) {
  %none = tensor.empty() : tensor<3xf64>
  %y = linalg.map ins(%x : tensor<3xf64>) outs(%none : tensor<3xf64>) (%a: f64, %o: f64) {
    %e = math.exp %a : f64
    linalg.yield %e : f64
  }
  %z = linalg.map ins(%x, %at : tensor<3xf64>, tensor<3xindex>) outs(%none : tensor<3xf64>) (%a: f64, %i: index, %o: f64) {
    %l = tensor.extract %y[%i] : tensor<3xf64>
    %p = arith.mulf %a, %l : f64
    linalg.yield %p : f64
  }
  return %y, %z : tensor<3xf64>, tensor<3xf64>
}

// OWN: [1.0, 4.0, 9.0]
// OWN: [3.7182818{{[0-9]*}}, 8.3890560{{[0-9]*}}, 21.0855369{{[0-9]*}}]
func.func @own_arrays(%x: tensor<3xf64>, %w: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
  %zero = arith.constant 0.0 : f64
  %none = tensor.empty() : tensor<3xf64>
  %two = tensor.empty() : tensor<2xf64>
  %y = linalg.map ins(%x : tensor<3xf64>) outs(%none : tensor<3xf64>) (%a: f64, %o: f64) {
    %t = tensor.from_elements %zero, %a : tensor<2xf64>
    %s = linalg.square ins(%t : tensor<2xf64>) outs(%two : tensor<2xf64>) -> tensor<2xf64>
    %r = soac.reduce ins(%s : tensor<2xf64>) neutral(%zero : f64) (%p: f64, %q: f64) {
      %c = arith.addf %p, %q : f64
      soac.yield %c : f64
    }
    linalg.yield %r : f64
  }
  %z = linalg.map ins(%x, %w : tensor<3xf64>, tensor<3xf64>) outs(%none : tensor<3xf64>) (%a: f64, %b: f64, %o: f64) {
    %t = tensor.from_elements %zero, %a : tensor<2xf64>
    %e = linalg.exp ins(%t : tensor<2xf64>) outs(%two : tensor<2xf64>) -> tensor<2xf64>
    %r = soac.reduce ins(%e : tensor<2xf64>) neutral(%zero : f64) (%p: f64, %q: f64) {
      %c = arith.addf %p, %q : f64
      soac.yield %c : f64
    }
    linalg.yield %r : f64
  }
  return %y, %z : tensor<3xf64>, tensor<3xf64>
}

// NUMBERED: [2.7182818{{[0-9]*}}, 7.3890560{{[0-9]*}}, 20.0855369{{[0-9]*}}]
// NUMBERED: [0.0, 2.0, 6.0]
func.func @numbered(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
  %none = tensor.empty() : tensor<3xf64>
  %y = linalg.map ins(%x : tensor<3xf64>) outs(%none : tensor<3xf64>) (%a: f64, %o: f64) {
    %e = math.exp %a : f64
    linalg.yield %e : f64
  }
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf64>) outs(%none : tensor<3xf64>) {
  ^bb0(%a: f64, %o: f64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %f = arith.sitofp %n : i64 to f64
    %p = arith.mulf %a, %f : f64
    linalg.yield %p : f64
  } -> tensor<3xf64>
  return %y, %z : tensor<3xf64>, tensor<3xf64>
}
