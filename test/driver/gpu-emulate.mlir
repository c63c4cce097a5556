// The code for a graphics processor, run on this computer's processor, gives what the code for that one gives.
// RUN: %python %S/Inputs/npy.py %t.xs.npy '<f8' '(3,)' 1 2 3
// RUN: %python %S/Inputs/npy.py %t.ws.npy '<f8' '(3,)' 0.5 1 2
// RUN: ad-opt run %s --entry=gradient --input=%t.xs.npy --input=%t.ws.npy --target=cpu | FileCheck %s --check-prefix=GRADIENT
// RUN: ad-opt run %s --entry=gradient --input=%t.xs.npy --input=%t.ws.npy --target=gpu-emulate | FileCheck %s --check-prefix=GRADIENT
// RUN: ad-opt run %s --entry=gradient --input=%t.xs.npy --input=%t.ws.npy --target=gpu-emulate --emulate-races=false | FileCheck %s --check-prefix=GRADIENT

// Any order of threads and blocks gives the same integers.
// RUN: ad-opt run %s --entry=bins --input=1000 --target=cpu | FileCheck %s --check-prefix=BINS
// RUN: ad-opt run %s --entry=bins --input=1000 --target=gpu-emulate | FileCheck %s --check-prefix=BINS
// RUN: ad-opt run %s --entry=bins --input=1000 --target=gpu-emulate --emulate-seed=1 | FileCheck %s --check-prefix=BINS
// RUN: ad-opt run %s --entry=bins --input=1000 --target=gpu-emulate --emulate-seed=2 | FileCheck %s --check-prefix=BINS
// RUN: ad-opt run %s --entry=bins --input=1000 --target=gpu-emulate --emulate-seed=2 --emulate-races=false | FileCheck %s --check-prefix=BINS

// RUN: not ad-opt run %s --entry=bins --input=1000 --target=gpu-emulate --emulate-races=maybe 2>&1 | FileCheck %s --check-prefix=RACES
// RUN: not ad-opt run %s --entry=bins --input=1000 --target=gpu-emulate --emulate-seed=-1 2>&1 | FileCheck %s --check-prefix=SEED

// RACES: error: invalid value 'maybe' for '--emulate-races <BOOL>'
// SEED: error: invalid value '-1' for '--emulate-seed <N>'

func.func @weighted(%xs: tensor<?xf64>, %ws: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %ps = soac.map ins(%xs, %ws : tensor<?xf64>, tensor<?xf64>) (%x: f64, %w: f64) -> tensor<?xf64> {
    %s = arith.mulf %x, %x : f64
    %p = arith.mulf %s, %w : f64
    soac.yield %p : f64
  }
  %y = soac.reduce ins(%ps : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  return %y : f64
}

// The sum of w x x has the derivatives 2 w x and x x.
// GRADIENT: 22.5
// GRADIENT-NEXT: [1.0, 4.0, 12.0]
// GRADIENT-NEXT: [1.0, 4.0, 9.0]
func.func @gradient(%xs: tensor<?xf64>, %ws: tensor<?xf64>) -> (f64, tensor<?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %y:3 = ad.vjp @weighted(%xs, %ws) seed(%one) : (tensor<?xf64>, tensor<?xf64>), (f64) -> (f64, tensor<?xf64>, tensor<?xf64>)
  return %y#0, %y#1, %y#2 : f64, tensor<?xf64>, tensor<?xf64>
}

// BINS: [124500, 124750, 125000, 125250]
// BINS-NEXT: [996, 997, 998, 999]
// BINS-NEXT: 499500
func.func @bins(%n: index) -> (tensor<4xi64>, tensor<4xi64>, i64) {
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i64
  %none = arith.constant dense<0> : tensor<4xi64>
  %is = soac.iota %n : tensor<?xindex>
  %at, %vs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> (tensor<?xindex>, tensor<?xi64>) {
    %k = arith.remui %i, %c4 : index
    %v = arith.index_cast %i : index to i64
    soac.yield %k, %v : index, i64
  }
  %sums = soac.hist at(%at : tensor<?xindex>) ins(%vs : tensor<?xi64>) into(%none : tensor<4xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  %last = soac.scatter at(%at : tensor<?xindex>) ins(%vs : tensor<?xi64>) into(%none : tensor<4xi64>)
  %total = soac.reduce ins(%vs : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  return %sums, %last, %total : tensor<4xi64>, tensor<4xi64>, i64
}
