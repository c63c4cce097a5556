// A sum that is made in tiles is of a number that a map reads from a tensor without dimensions: that tensor was stored by rows,
// which are numbers.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(3,)' 1 2 3
// RUN: ad-opt run %s --entry=main --input=%t.npy | FileCheck %s
// RUN: ad-opt run %s --entry=main --input=%t.npy --target=gpu-emulate | FileCheck %s
// RUN: ad-opt %s --ad-tile-sums | FileCheck %s --check-prefix=TILES
// CHECK: {{\[\[}}42.0, 48.0, 54.0],
// CHECK: [78.0, 84.0, 90.0],
// CHECK: [114.0, 120.0, 126.0]]
// TILES: %[[STORED:.*]] = soac.map {{.*}} -> tensor<?xf64>
// TILES: linalg.generic {{.*}}"parallel", "parallel", "reduction"
// TILES-SAME: ins(%[[STORED]],

// (x_i s + x_j) s, where s is the sum of all elements.
func.func @main(%x: tensor<?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant dense<0.0> : tensor<f64>
  %y = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?x?xf64> {
    %total = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
        ins(%x : tensor<?xf64>) outs(%none : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %p = arith.mulf %in, %a : f64
      %s = arith.addf %out, %p : f64
      linalg.yield %s : f64
    } -> tensor<f64>
    %e = tensor.extract %total[] : tensor<f64>
    %row = soac.map ins(%x : tensor<?xf64>) (%b: f64) -> tensor<?xf64> {
      %terms = soac.map ins(%x : tensor<?xf64>) (%c: f64) -> tensor<?xf64> {
        %f = arith.addf %e, %b : f64
        %t = arith.mulf %f, %c : f64
        soac.yield %t : f64
      }
      %sum = soac.reduce ins(%terms : tensor<?xf64>) neutral(%zero : f64) (%p: f64, %q: f64) {
        %r = arith.addf %p, %q : f64
        soac.yield %r : f64
      }
      soac.yield %sum : f64
    }
    soac.yield %row : tensor<?xf64>
  }
  return %y : tensor<?x?xf64>
}
