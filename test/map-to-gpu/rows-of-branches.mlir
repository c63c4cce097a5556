// Rows that come out of a branch, a choice or a loop that ends when it has converged are as long as others, also where sizes are
// known when the program runs only: there is a thread for each row, in place of launches for each row, and the values are those of
// the CPU.
// RUN: %python %S/../bench/Inputs/random_npy.py %t.x.npy '<f8' '(70,9)' -1 1
// RUN: %python %S/../bench/Inputs/random_npy.py %t.w.npy '<f8' '(9,)' -1 1 2
// RUN: %python %S/../bench/Inputs/random_npy.py %t.s.npy '<f8' '(70,)' -1 1 3
// DEFINE: %{entry} = largest_gradient
// DEFINE: %{inputs} = --input=%t.x.npy --input=%t.s.npy
// DEFINE: %{launches} = LAUNCHES2
// DEFINE: %{both} = ad-opt run %s --entry=%{entry} %{inputs} > %t.cpu && \
// DEFINE:   ad-opt run %s --entry=%{entry} %{inputs} --target=gpu-emulate --repeat=1 > %t.gpu 2> %t.report && \
// DEFINE:   %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-13 && FileCheck %s --check-prefix=%{launches} < %t.report
// RUN: %{both}
// REDEFINE: %{entry} = product_gradient
// RUN: %{both}
// REDEFINE: %{entry} = neuron_gradient
// REDEFINE: %{inputs} = --input=%t.x.npy --input=%t.w.npy --input=%t.s.npy
// RUN: %{both}
// REDEFINE: %{entry} = branch
// REDEFINE: %{inputs} = --input=%t.x.npy
// RUN: %{both}
// REDEFINE: %{entry} = converged
// REDEFINE: %{launches} = LAUNCHES1
// RUN: %{both}
// REDEFINE: %{entry} = switch
// REDEFINE: %{launches} = LAUNCHES2
// RUN: %{both}
//
// LAUNCHES1: "launches":1,
// LAUNCHES2: "launches":2,

// The largest number of each row; the derivative is where it is.
func.func @largest(%x: tensor<?x?xf64>) -> tensor<?xf64> {
  %least = arith.constant 0xFFF0000000000000 : f64
  %v = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
    %a = soac.reduce ins(%row : tensor<?xf64>) neutral(%least : f64) (%l: f64, %r: f64) {
      %c = arith.maximumf %l, %r : f64
      soac.yield %c : f64
    }
    soac.yield %a : f64
  }
  return %v : tensor<?xf64>
}
func.func @largest_gradient(%x: tensor<?x?xf64>, %s: tensor<?xf64>) -> tensor<?x?xf64> {
  %y, %x_bar = ad.vjp @largest(%x) seed(%s) : (tensor<?x?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>)
  return %x_bar : tensor<?x?xf64>
}

// The product of each row, whose derivative depends on how many zeros there are.
func.func @product(%x: tensor<?x?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %v = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
    %a = soac.reduce ins(%row : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64) {
      %c = arith.mulf %l, %r : f64
      soac.yield %c : f64
    }
    soac.yield %a : f64
  }
  return %v : tensor<?xf64>
}
func.func @product_gradient(%x: tensor<?x?xf64>, %s: tensor<?xf64>) -> tensor<?x?xf64> {
  %y, %x_bar = ad.vjp @product(%x) seed(%s) : (tensor<?x?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>)
  return %x_bar : tensor<?x?xf64>
}

// max(0, x w) for each row x: the derivative for x is w or zero.
func.func @neuron(%x: tensor<?x?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %v = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
    %p = soac.map ins(%row, %w : tensor<?xf64>, tensor<?xf64>) (%l: f64, %r: f64) -> tensor<?xf64> {
      %c = arith.mulf %l, %r : f64
      soac.yield %c : f64
    }
    %a = soac.reduce ins(%p : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %c = arith.addf %l, %r : f64
      soac.yield %c : f64
    }
    %b = arith.maximumf %a, %zero : f64
    soac.yield %b : f64
  }
  return %v : tensor<?xf64>
}
func.func @neuron_gradient(%x: tensor<?x?xf64>, %w: tensor<?xf64>, %s: tensor<?xf64>) -> tensor<?x?xf64> {
  %y, %x_bar = ad.vjp @neuron(%x, %w) seed(%s) {wrt = array<i64: 0>} : (tensor<?x?xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>)
  return %x_bar : tensor<?x?xf64>
}

// One map or another for each row, by its sum.
func.func @branch(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %y = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    %a = soac.reduce ins(%row : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %c = arith.addf %l, %r : f64
      soac.yield %c : f64
    }
    %is_positive = arith.cmpf ogt, %a, %zero : f64
    %b = scf.if %is_positive -> tensor<?xf64> {
      %p = soac.map ins(%row : tensor<?xf64>) (%u: f64) -> tensor<?xf64> {
        %w = math.sin %u : f64
        soac.yield %w : f64
      }
      scf.yield %p : tensor<?xf64>
    } else {
      %p = soac.map ins(%row : tensor<?xf64>) (%u: f64) -> tensor<?xf64> {
        %w = arith.mulf %u, %a : f64
        soac.yield %w : f64
      }
      scf.yield %p : tensor<?xf64>
    }
    soac.yield %b : tensor<?xf64>
  }
  return %y : tensor<?x?xf64>
}

// The same of one of three, by the first number of the row.
func.func @switch(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %y = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    %a = soac.reduce ins(%row : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %c = arith.addf %l, %r : f64
      soac.yield %c : f64
    }
    %size = math.absf %a : f64
    %k = arith.fptosi %size : f64 to i64
    %case = arith.index_cast %k : i64 to index
    %b = scf.index_switch %case -> tensor<?xf64>
    case 0 {
      %p = soac.map ins(%row : tensor<?xf64>) (%u: f64) -> tensor<?xf64> {
        %w = arith.mulf %u, %u : f64
        soac.yield %w : f64
      }
      scf.yield %p : tensor<?xf64>
    }
    case 1 {
      scf.yield %row : tensor<?xf64>
    }
    default {
      %p = soac.map ins(%row : tensor<?xf64>) (%u: f64) -> tensor<?xf64> {
        %w = math.cos %u : f64
        soac.yield %w : f64
      }
      scf.yield %p : tensor<?xf64>
    }
    soac.yield %b : tensor<?xf64>
  }
  return %y : tensor<?x?xf64>
}

// u = cos(u) / 2 + v / 10 for each row v, until the changes of a row add up to less than 1e-6.
func.func @converged(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %half = arith.constant 0.5 : f64
  %tenth = arith.constant 0.1 : f64
  %small = arith.constant 1.0e-06 : f64
  %y = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {
    %b, %e = scf.while (%a = %row, %e = %one) : (tensor<?xf64>, f64) -> (tensor<?xf64>, f64) {
      %c = arith.cmpf ogt, %e, %small : f64
      scf.condition(%c) %a, %e : tensor<?xf64>, f64
    } do {
    ^bb0(%a: tensor<?xf64>, %e: f64):
      %next = soac.map ins(%a, %row : tensor<?xf64>, tensor<?xf64>) (%u: f64, %v: f64) -> tensor<?xf64> {
        %cos = math.cos %u : f64
        %p = arith.mulf %half, %cos : f64
        %q = arith.mulf %tenth, %v : f64
        %w = arith.addf %p, %q : f64
        soac.yield %w : f64
      }
      %changes = soac.map ins(%a, %next : tensor<?xf64>, tensor<?xf64>) (%u: f64, %v: f64) -> tensor<?xf64> {
        %d = arith.subf %u, %v : f64
        %w = math.absf %d : f64
        soac.yield %w : f64
      }
      %sum = soac.reduce ins(%changes : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      scf.yield %next, %sum : tensor<?xf64>, f64
    }
    soac.yield %b : tensor<?xf64>
  }
  return %y : tensor<?x?xf64>
}
