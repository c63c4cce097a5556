// Loops of blocks, and functions that call themselves last, become loops before they are differentiated for a GPU, in a kernel and
// around kernels; functions that call themselves otherwise keep what they need on tapes of the host. The values are those of
// the CPU.
// RUN: %python %S/../bench/Inputs/random_npy.py %t.x.npy '<f8' '(9,)' -2 2
// RUN: %python %S/../bench/Inputs/random_npy.py %t.s.npy '<f8' '(9,)' -1 1 2
// DEFINE: %{run} =
// DEFINE: %{both} = %{run} > %t.cpu && %{run} --target=gpu-emulate > %t.gpu && \
// DEFINE:           %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-13
// REDEFINE: %{run} = ad-opt run %s --entry=halves_gradient --input=%t.x.npy --input=%t.s.npy
// RUN: %{both}
// REDEFINE: %{run} = ad-opt run %s --entry=steps_gradient --input=%t.x.npy --input=5
// RUN: %{both}
// REDEFINE: %{run} = ad-opt run %s --entry=steps_gradient --input=%t.x.npy --input=0
// RUN: %{both}
// REDEFINE: %{run} = ad-opt run %s --entry=again_gradient --input=%t.x.npy --input=4
// RUN: %{both}
// REDEFINE: %{run} = ad-opt run %s --entry=tree_gradient --input=3 --input=%t.x.npy
// RUN: %{both}
// REDEFINE: %{run} = ad-opt run %s --entry=tree_gradient --input=0 --input=%t.x.npy
// RUN: %{both}

// v / 2 or 0.7 sin(v) until it is small, 50 times at most, times how often that was.
func.func private @halves(%start: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : index
  %zero = arith.constant 0.0 : f64
  %small = arith.constant 0.01 : f64
  %half = arith.constant 0.5 : f64
  %less = arith.constant 0.7 : f64
  cf.br ^head(%c0, %start : index, f64)
^head(%i: index, %v: f64):
  %size = math.absf %v : f64
  %is_large = arith.cmpf ogt, %size, %small : f64
  %is_early = arith.cmpi slt, %i, %c50 : index
  %goes_on = arith.andi %is_large, %is_early : i1
  cf.cond_br %goes_on, ^body, ^exit
^body:
  %is_positive = arith.cmpf ogt, %v, %zero : f64
  cf.cond_br %is_positive, ^halve, ^sine
^halve:
  %h = arith.mulf %v, %half : f64
  cf.br ^latch(%h : f64)
^sine:
  %s = math.sin %v : f64
  %t = arith.mulf %s, %less : f64
  cf.br ^latch(%t : f64)
^latch(%w: f64):
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %w : index, f64)
^exit:
  %n = arith.index_cast %i : index to i64
  %count = arith.sitofp %n : i64 to f64
  %r = arith.mulf %v, %count : f64
  return %r : f64
}
func.func @all_halves(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = soac.map ins(%x : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
    %r = func.call @halves(%v) : (f64) -> f64
    soac.yield %r : f64
  }
  return %y : tensor<?xf64>
}
func.func @halves_gradient(%x: tensor<?xf64>, %s: tensor<?xf64>) -> tensor<?xf64> {
  %y, %g = ad.vjp @all_halves(%x) seed(%s) : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %g : tensor<?xf64>
}

// The sum of x after n steps x := sin(x) x.
func.func private @sum(%x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%x : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %s : f64
}
func.func @steps(%x: tensor<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %x : index, tensor<?xf64>)
^head(%i: index, %v: tensor<?xf64>):
  %goes_on = arith.cmpi slt, %i, %n : index
  cf.cond_br %goes_on, ^body, ^exit
^body:
  %w = soac.map ins(%v : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %s = math.sin %e : f64
    %t = arith.mulf %s, %e : f64
    soac.yield %t : f64
  }
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %w : index, tensor<?xf64>)
^exit:
  %sum = func.call @sum(%v) : (tensor<?xf64>) -> f64
  return %sum : f64
}
func.func @steps_gradient(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %g = ad.vjp @steps(%x, %n) seed(%one) : (tensor<?xf64>, index), (f64) -> (f64, tensor<?xf64>)
  return %g : tensor<?xf64>
}

// The same by a function that calls itself last.
func.func private @again(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %is_over = arith.cmpi sle, %n, %c0 : index
  %y = scf.if %is_over -> tensor<?xf64> {
    scf.yield %x : tensor<?xf64>
  } else {
    %w = soac.map ins(%x : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
      %s = math.sin %e : f64
      %t = arith.mulf %s, %e : f64
      soac.yield %t : f64
    }
    %m = arith.subi %n, %c1 : index
    %p = func.call @again(%m, %w) : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %p : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}
func.func @sum_again(%x: tensor<?xf64>, %n: index) -> f64 {
  %y = func.call @again(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
  %sum = func.call @sum(%y) : (tensor<?xf64>) -> f64
  return %sum : f64
}
func.func @again_gradient(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %g = ad.vjp @sum_again(%x, %n) seed(%one) : (tensor<?xf64>, index), (f64) -> (f64, tensor<?xf64>)
  return %g : tensor<?xf64>
}

// It calls itself twice.
func.func private @tree(%n: index, %x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %is_over = arith.cmpi sle, %n, %c0 : index
  %y = scf.if %is_over -> f64 {
    %sum = func.call @sum(%x) : (tensor<?xf64>) -> f64
    scf.yield %sum : f64
  } else {
    %w = soac.map ins(%x : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
      %s = math.sin %e : f64
      soac.yield %s : f64
    }
    %m = arith.subi %n, %c1 : index
    %p = func.call @tree(%m, %w) : (index, tensor<?xf64>) -> f64
    %q = func.call @tree(%m, %x) : (index, tensor<?xf64>) -> f64
    %pq = arith.mulf %p, %q : f64
    scf.yield %pq : f64
  }
  return %y : f64
}
func.func @tree_gradient(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %g = ad.vjp @tree(%n, %x) seed(%one) {wrt = array<i64: 1>} : (index, tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %g : tensor<?xf64>
}
