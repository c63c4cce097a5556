// Loops on the host that end when a number says so and carry arrays of sizes that are known when the program runs: an iteration
// reduces, scans, and sums the rows of, what it was given, and makes the next array. What the condition sees is not there in an
// iteration, whose kernels ask its own array for sizes.
// RUN: %python %S/../bench/Inputs/random_npy.py %t.x.npy '<f8' '(301,)' 0 1
// RUN: %python %S/../bench/Inputs/random_npy.py %t.xs.npy '<f8' '(7,33)' 0 1 2
// DEFINE: %{entry} = halve
// DEFINE: %{x} = x
// DEFINE: %{both} = ad-opt run %s --entry=%{entry} --input=%t.%{x}.npy --input=1.0 > %t.cpu && \
// DEFINE:   ad-opt run %s --entry=%{entry} --input=%t.%{x}.npy --input=1.0 --target=gpu-emulate > %t.gpu && \
// DEFINE:   %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-13
// RUN: %{both}
// REDEFINE: %{entry} = smooth
// RUN: %{both}
// REDEFINE: %{entry} = rows_gradient
// REDEFINE: %{x} = xs
// RUN: %{both}

func.func @halve(%b: tensor<?xf64>, %start: f64) -> (tensor<?xf64>, f64) {
  %zero = arith.constant 0.0 : f64
  %least = arith.constant 1.0e-3 : f64
  %half = arith.constant 0.5 : f64
  %x, %r = scf.while (%x = %b, %r = %start) : (tensor<?xf64>, f64) -> (tensor<?xf64>, f64) {
    %more = arith.cmpf ogt, %r, %least : f64
    scf.condition(%more) %x, %r : tensor<?xf64>, f64
  } do {
  ^bb0(%x: tensor<?xf64>, %r: f64):
    %s = soac.reduce ins(%x : tensor<?xf64>) neutral(%zero : f64) (%u: f64, %v: f64) {
      %w = arith.addf %u, %v : f64
      soac.yield %w : f64
    }
    %y = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
      %w = arith.mulf %a, %half : f64
      soac.yield %w : f64
    }
    scf.yield %y, %s : tensor<?xf64>, f64
  }
  return %x, %r : tensor<?xf64>, f64
}

func.func @smooth(%b: tensor<?xf64>, %start: f64) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %least = arith.constant 1.0e-1 : f64
  %third = arith.constant 0.3 : f64
  %x, %r = scf.while (%x = %b, %r = %start) : (tensor<?xf64>, f64) -> (tensor<?xf64>, f64) {
    %more = arith.cmpf ogt, %r, %least : f64
    scf.condition(%more) %x, %r : tensor<?xf64>, f64
  } do {
  ^bb0(%x: tensor<?xf64>, %r: f64):
    %y = soac.scan ins(%x : tensor<?xf64>) neutral(%zero : f64) (%u: f64, %v: f64) {
      %w = arith.addf %u, %v : f64
      soac.yield %w : f64
    }
    %z = soac.map ins(%y, %x : tensor<?xf64>, tensor<?xf64>) (%a: f64, %c: f64) -> tensor<?xf64> {
      %d = arith.mulf %a, %third : f64
      %w = arith.subf %c, %d : f64
      soac.yield %w : f64
    }
    %s = arith.mulf %r, %third : f64
    scf.yield %z, %s : tensor<?xf64>, f64
  }
  return %x : tensor<?xf64>
}

func.func @rows(%b: tensor<?x?xf64>, %start: f64) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %least = arith.constant 1.0e-2 : f64
  %tenth = arith.constant 0.1 : f64
  %x, %r = scf.while (%x = %b, %r = %start) : (tensor<?x?xf64>, f64) -> (tensor<?x?xf64>, f64) {
    %more = arith.cmpf ogt, %r, %least : f64
    scf.condition(%more) %x, %r : tensor<?x?xf64>, f64
  } do {
  ^bb0(%x: tensor<?x?xf64>, %r: f64):
    %y = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
      %s = soac.reduce ins(%row : tensor<?xf64>) neutral(%zero : f64) (%u: f64, %v: f64) {
        %w = arith.addf %u, %v : f64
        soac.yield %w : f64
      }
      %new = soac.map ins(%row : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
        %q = arith.divf %a, %s : f64
        %p = arith.addf %q, %a : f64
        soac.yield %p : f64
      }
      soac.yield %new : tensor<?xf64>
    }
    %less = arith.mulf %r, %tenth : f64
    scf.yield %y, %less : tensor<?x?xf64>, f64
  }
  return %x : tensor<?x?xf64>
}
func.func @rows_gradient(%b: tensor<?x?xf64>, %start: f64) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %b, %c0 : tensor<?x?xf64>
  %m = tensor.dim %b, %c1 : tensor<?x?xf64>
  %seed = tensor.splat %one[%n, %m] : tensor<?x?xf64>
  %y, %b_bar = ad.vjp @rows(%b, %start) seed(%seed) {wrt = array<i64: 0>} : (tensor<?x?xf64>, f64), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %b_bar : tensor<?x?xf64>
}
