// Values of dear functions that maps in loops yield and loops save, and inner loops whose tapes the loop
// around saves.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x5.npy '<f8' '(5,)' --vary=1
// RUN: %python %S/../../driver/Inputs/npy.py %t.w5.npy '<f8' '(5,)' --vary=2
// RUN: %python %S/../../driver/Inputs/npy.py %t.x1.npy '<f8' '(1,)' 0.5
// RUN: %python %S/../../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.f9.npy '<f4' '(9,)' --vary=1
// RUN: %python %S/../../driver/Inputs/npy.py %t.m23.npy '<f8' '(2,3)' --vary=1
// RUN: %python %S/../../driver/Inputs/npy.py %t.s23.npy '<f8' '(2,3)' --vary=2
// RUN: %python %S/../../driver/Inputs/npy.py %t.x3.npy '<f8' '(3,)' --vary=3
// RUN: %python %S/../../driver/Inputs/npy.py %t.m11.npy '<f8' '(1,1)' 0.4
// RUN: %python %S/../../driver/Inputs/npy.py %t.m03.npy '<f8' '(0,3)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.m20.npy '<f8' '(2,0)'
// RUN: ad-opt check %s --entry=recurrent --input=4 --input=%t.x5.npy --input=%t.w5.npy
// RUN: ad-opt check %s --entry=recurrent --input=1 --input=%t.x1.npy --input=%t.x1.npy
// RUN: ad-opt check %s --entry=recurrent --input=0 --input=%t.x5.npy --input=%t.w5.npy
// RUN: ad-opt check %s --entry=recurrent --input=2 --input=%t.x0.npy --input=%t.x0.npy
// RUN: ad-opt check %s --entry=single --input=%t.f9.npy
// RUN: ad-opt check %s --entry=layers --input=3 --input=%t.x3.npy --input=%t.m23.npy --input=%t.s23.npy
// RUN: ad-opt check %s --entry=layers --input=1 --input=%t.x1.npy --input=%t.m11.npy --input=%t.m11.npy
// RUN: ad-opt check %s --entry=layers --input=3 --input=%t.x3.npy --input=%t.m03.npy --input=%t.m03.npy
// RUN: ad-opt check %s --entry=layers --input=3 --input=%t.x0.npy --input=%t.m20.npy --input=%t.m20.npy
// RUN: ad-opt check %s --entry=layers --input=0 --input=%t.x3.npy --input=%t.m23.npy --input=%t.s23.npy
// RUN: ad-opt check %s --entry=batch --input=3 --input=%t.m23.npy --input=%t.s23.npy
// RUN: ad-opt check %s --entry=batch --input=3 --input=%t.m03.npy --input=%t.m03.npy
// RUN: ad-opt check %s --entry=scalar --input=3 --input=0.3 --input=%t.x5.npy
// RUN: ad-opt check %s --entry=branch --input=4 --input=%t.x5.npy
// RUN: ad-opt check %s --entry=outside --input=3 --input=0.3 --input=%t.m23.npy
// RUN: ad-opt check %s --entry=outside --input=3 --input=0.3 --input=%t.m03.npy
// RUN: ad-opt check %s --entry=pulled --input=%t.x3.npy --input=%t.m23.npy --input=%t.s23.npy

// The second function reads what the first gives; one of them is yielded as it is.
func.func @recurrent(%n: index, %x: tensor<?xf64>, %w: tensor<?xf64>) -> (f64, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %h = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> tensor<?xf64> {
    %e, %new = soac.map ins(%h, %w : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> (tensor<?xf64>, tensor<?xf64>) {
      %ab = arith.mulf %a, %b : f64
      %t = math.tanh %ab : f64
      %tb = arith.mulf %t, %b : f64
      %e = math.exp %tb : f64
      %te = arith.mulf %t, %e : f64
      soac.yield %e, %te : f64, f64
    }
    %sum = soac.map ins(%e, %new : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
      %s = arith.addf %a, %b : f64
      %t = math.sin %s : f64
      soac.yield %t : f64
    }
    scf.yield %sum : tensor<?xf64>
  }
  %s = soac.reduce ins(%h : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %s, %h : f64, tensor<?xf64>
}

func.func @single(%x: tensor<9xf32>) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %h = scf.for %i = %c0 to %c3 step %c1 iter_args(%h = %x) -> tensor<9xf32> {
    %new = soac.map ins(%h, %x : tensor<9xf32>, tensor<9xf32>) (%a: f32, %b: f32) -> tensor<9xf32> {
      %t = math.tanh %a : f32
      %u = arith.mulf %t, %b : f32
      soac.yield %u : f32
    }
    scf.yield %new : tensor<9xf32>
  }
  return %h : tensor<9xf32>
}

// Every layer updates its row of the state, and hands on what it makes.
func.func @layers(%n: index, %x: tensor<?xf64>, %w: tensor<?x?xf64>, %s0: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y, %s = scf.for %t = %c0 to %n step %c1 iter_args(%y = %x, %s = %s0) -> (tensor<?xf64>, tensor<?x?xf64>) {
    %z = soac.map ins(%y, %x : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %rows = tensor.dim %w, %c0 : tensor<?x?xf64>
    %width = tensor.dim %z, %c0 : tensor<?xf64>
    %top, %next = scf.for %i = %c0 to %rows step %c1 iter_args(%in = %z, %r = %s) -> (tensor<?xf64>, tensor<?x?xf64>) {
      %wi = tensor.extract_slice %w[%i, 0] [1, %width] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
      %ri = tensor.extract_slice %r[%i, 0] [1, %width] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
      %out, %cell = soac.map ins(%in, %wi, %ri : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
          (%a: f64, %b: f64, %c: f64) -> (tensor<?xf64>, tensor<?xf64>) {
        %ab = arith.mulf %a, %b : f64
        %g = math.tanh %ab : f64
        %gc = arith.mulf %g, %c : f64
        %new = arith.addf %gc, %a : f64
        %u = math.tanh %new : f64
        %o = arith.mulf %u, %g : f64
        soac.yield %o, %new : f64, f64
      }
      %r_1 = tensor.insert_slice %cell into %r[%i, 0] [1, %width] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
      scf.yield %out, %r_1 : tensor<?xf64>, tensor<?x?xf64>
    }
    scf.yield %top, %next : tensor<?xf64>, tensor<?x?xf64>
  }
  return %y, %s : tensor<?xf64>, tensor<?x?xf64>
}

// Maps in maps, and a second map that reads the first one's row.
func.func @batch(%n: index, %x: tensor<?x?xf64>, %goal: tensor<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %total, %h = scf.for %t = %c0 to %n step %c1 iter_args(%total = %zero, %h = %x) -> (f64, tensor<?x?xf64>) {
    %new, %errors = soac.map ins(%h, %goal : tensor<?x?xf64>, tensor<?x?xf64>)
        (%row: tensor<?xf64>, %wanted: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>) {
      %next = soac.map ins(%row : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
        %g = math.tanh %a : f64
        %e = math.exp %g : f64
        %b = arith.mulf %g, %e : f64
        soac.yield %b : f64
      }
      %squares = soac.map ins(%next, %wanted : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
        %d = arith.subf %a, %b : f64
        %dd = arith.mulf %d, %d : f64
        soac.yield %dd : f64
      }
      %error = func.call @sum(%squares) : (tensor<?xf64>) -> f64
      soac.yield %next, %error : tensor<?xf64>, f64
    }
    %error = func.call @sum(%errors) : (tensor<?xf64>) -> f64
    %more = arith.addf %total, %error : f64
    scf.yield %more, %new : f64, tensor<?x?xf64>
  }
  return %total : f64
}

func.func private @sum(%v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%v : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %s : f64
}

// The loop carries a number only.
func.func @scalar(%n: index, %s0: f64, %x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %t = %c0 to %n step %c1 iter_args(%s = %s0) -> f64 {
    %e = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
      %as = arith.mulf %a, %s : f64
      %e = math.tanh %as : f64
      soac.yield %e : f64
    }
    %next = func.call @sum(%e) : (tensor<?xf64>) -> f64
    scf.yield %next : f64
  }
  return %s : f64
}

// A map under a branch of the loop.
func.func @branch(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> tensor<?xf64> {
    %first = arith.cmpi eq, %i, %c1 : index
    %new = scf.if %first -> tensor<?xf64> {
      %e = soac.map ins(%h : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
        %t = math.tanh %a : f64
        soac.yield %t : f64
      }
      scf.yield %e : tensor<?xf64>
    } else {
      %e = soac.map ins(%h : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
        %t = math.exp %a : f64
        %u = math.tanh %t : f64
        soac.yield %u : f64
      }
      scf.yield %e : tensor<?xf64>
    }
    scf.yield %new : tensor<?xf64>
  }
  return %h : tensor<?xf64>
}

// The inner map yields what a function gives in front of the loop, which is not the map's to save.
func.func @outside(%n: index, %x: f64, %a: tensor<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %t = math.tanh %x : f64
  %total, %h = scf.for %i = %c0 to %n step %c1 iter_args(%total = %zero, %h = %a) -> (f64, tensor<?x?xf64>) {
    %new, %sums = soac.map ins(%h : tensor<?x?xf64>) (%row: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>) {
      %all = soac.map ins(%row : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
        soac.yield %t : f64
      }
      %next = soac.map ins(%row, %all : tensor<?xf64>, tensor<?xf64>) (%e: f64, %f: f64) -> tensor<?xf64> {
        %ef = arith.mulf %e, %f : f64
        soac.yield %ef : f64
      }
      %sum = func.call @sum(%all) : (tensor<?xf64>) -> f64
      soac.yield %next, %sum : tensor<?xf64>, f64
    }
    %sum = func.call @sum(%sums) : (tensor<?xf64>) -> f64
    %ts = arith.mulf %t, %sum : f64
    %more = arith.addf %total, %ts : f64
    scf.yield %more, %new : f64, tensor<?x?xf64>
  }
  %norms = soac.map ins(%h : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
    %norm = func.call @sum(%row) : (tensor<?xf64>) -> f64
    soac.yield %norm : f64
  }
  %norm = func.call @sum(%norms) : (tensor<?xf64>) -> f64
  %r = arith.addf %total, %norm : f64
  return %r : f64
}

// The derivative of @layers, to be differentiated again.
func.func @pulled(%x: tensor<?xf64>, %w: tensor<?x?xf64>, %s0: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>) {
  %n = arith.constant 2 : index
  %r:5 = ad.vjp @layers(%n, %x, %w, %s0) seed(%x, %w)
      : (index, tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>), (tensor<?xf64>, tensor<?x?xf64>)
      -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#2, %r#3 : tensor<?xf64>, tensor<?x?xf64>
}
