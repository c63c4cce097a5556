// A sum that is made in tiles is of a number that a map reads from a tensor without dimensions: that tensor was stored by rows,
// which are numbers.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(2,2)' 1 2 3 4
// RUN: ad-opt run %s --entry=main --input=%t.npy | FileCheck %s
// RUN: ad-opt run %s --entry=main --input=%t.npy --target=gpu-emulate | FileCheck %s
// RUN: ad-opt %s --ad-tile-sums | FileCheck %s --check-prefix=TILES
// CHECK: {{\[\[}}14.0, 32.0],
// CHECK: [32.0, 74.0]]
// TILES: %[[STORED:.*]] = soac.map {{.*}} -> tensor<?xf64>
// TILES: linalg.generic {{.*}}"parallel", "parallel", "reduction"{{.*}} ins(%[[STORED]],

// The sums of (s_i + w[i,k]) w[j,k] over k, where s_i is the sum of w[i,k] over k.
func.func @main(%w: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant dense<0.0> : tensor<f64>
  %y = soac.map ins(%w : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    %total = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
        ins(%row : tensor<?xf64>) outs(%none : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %s = arith.addf %out, %in : f64
      linalg.yield %s : f64
    } -> tensor<f64>
    %e = tensor.extract %total[] : tensor<f64>
    %sums = soac.map ins(%w : tensor<?x?xf64>) (%other: tensor<?xf64>) -> tensor<?xf64> {
      %terms = soac.map ins(%row, %other : tensor<?xf64>, tensor<?xf64>) (%b: f64, %c: f64) -> tensor<?xf64> {
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
    soac.yield %sums : tensor<?xf64>
  }
  return %y : tensor<?x?xf64>
}
