// Gradients of rows that are updated, saved and restored are right whatever the length of the rows.
// RUN: %python %S/../driver/Inputs/npy.py %t.w0.npy '<f8' '(2,0)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.s0.npy '<f8' '(2,0)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)' --vary=3
// RUN: ad-opt check %s --entry=objective --input=%t.w0.npy --input=%t.s0.npy --input=%t.x0.npy
// RUN: %python %S/../driver/Inputs/npy.py %t.w1.npy '<f8' '(2,2)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.s1.npy '<f8' '(2,1)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.x1.npy '<f8' '(1,)' --vary=3
// RUN: ad-opt check %s --entry=objective --input=%t.w1.npy --input=%t.s1.npy --input=%t.x1.npy
// RUN: %python %S/../driver/Inputs/npy.py %t.w2.npy '<f8' '(2,4)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.s2.npy '<f8' '(2,2)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.x2.npy '<f8' '(2,)' --vary=3
// RUN: ad-opt check %s --entry=objective --input=%t.w2.npy --input=%t.s2.npy --input=%t.x2.npy
// RUN: %python %S/../driver/Inputs/npy.py %t.w13.npy '<f8' '(2,26)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.s13.npy '<f8' '(2,13)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.x13.npy '<f8' '(13,)' --vary=3
// RUN: ad-opt check %s --entry=objective --input=%t.w13.npy --input=%t.s13.npy --input=%t.x13.npy
// RUN: %python %S/../driver/Inputs/npy.py %t.w0.npy '<f8' '(0,26)'
// RUN: %python %S/../driver/Inputs/npy.py %t.s0.npy '<f8' '(0,13)'
// RUN: ad-opt check %s --entry=objective --input=%t.w0.npy --input=%t.s0.npy --input=%t.x13.npy
// RUN: %python %S/../driver/Inputs/npy.py %t.wf.npy '<f4' '(3,26)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.sf.npy '<f4' '(3,13)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.xf.npy '<f4' '(13,)' --vary=3
// RUN: ad-opt check %s --entry=objective_f32 --input=%t.wf.npy --input=%t.sf.npy --input=%t.xf.npy

// r rows of a state, which goes through r layers three times: y = tanh(input * w[i, :b] + s[i] * w[i, b:]), s[i] = y.
func.func @objective(%w: tensor<?x?xf64>, %s: tensor<?x?xf64>, %x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %r = tensor.dim %s, %c0 : tensor<?x?xf64>
  %b = tensor.dim %x, %c0 : tensor<?xf64>
  %all:2 = scf.for %t = %c0 to %c3 step %c1 iter_args(%sum = %zero, %s0 = %s) -> (f64, tensor<?x?xf64>) {
    %top:2 = scf.for %i = %c0 to %r step %c1 iter_args(%in = %x, %s1 = %s0) -> (tensor<?xf64>, tensor<?x?xf64>) {
      %w0 = tensor.extract_slice %w[%i, 0] [1, %b] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
      %w1 = tensor.extract_slice %w[%i, %b] [1, %b] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
      %h = tensor.extract_slice %s1[%i, 0] [1, %b] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
      %y = soac.map ins(%in, %h, %w0, %w1 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
          (%a: f64, %c: f64, %u: f64, %v: f64) -> tensor<?xf64> {
        %p = arith.mulf %a, %u : f64
        %q = arith.mulf %c, %v : f64
        %z = arith.addf %p, %q : f64
        %f = math.tanh %z : f64
        soac.yield %f : f64
      }
      %s2 = tensor.insert_slice %y into %s1[%i, 0] [1, %b] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
      scf.yield %y, %s2 : tensor<?xf64>, tensor<?x?xf64>
    }
    %more = soac.reduce ins(%top#0 : tensor<?xf64>) neutral(%sum : f64) (%a: f64, %c: f64) {
      %d = arith.addf %a, %c : f64
      soac.yield %d : f64
    }
    scf.yield %more, %top#1 : f64, tensor<?x?xf64>
  }
  return %all#0 : f64
}

// r rows of a state, which goes through r layers three times: y = tanh(input * w[i, :b] + s[i] * w[i, b:]), s[i] = y.
func.func @objective_f32(%w: tensor<?x?xf32>, %s: tensor<?x?xf32>, %x: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %r = tensor.dim %s, %c0 : tensor<?x?xf32>
  %b = tensor.dim %x, %c0 : tensor<?xf32>
  %all:2 = scf.for %t = %c0 to %c3 step %c1 iter_args(%sum = %zero, %s0 = %s) -> (f32, tensor<?x?xf32>) {
    %top:2 = scf.for %i = %c0 to %r step %c1 iter_args(%in = %x, %s1 = %s0) -> (tensor<?xf32>, tensor<?x?xf32>) {
      %w0 = tensor.extract_slice %w[%i, 0] [1, %b] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
      %w1 = tensor.extract_slice %w[%i, %b] [1, %b] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
      %h = tensor.extract_slice %s1[%i, 0] [1, %b] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
      %y = soac.map ins(%in, %h, %w0, %w1 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
          (%a: f32, %c: f32, %u: f32, %v: f32) -> tensor<?xf32> {
        %p = arith.mulf %a, %u : f32
        %q = arith.mulf %c, %v : f32
        %z = arith.addf %p, %q : f32
        %f = math.tanh %z : f32
        soac.yield %f : f32
      }
      %s2 = tensor.insert_slice %y into %s1[%i, 0] [1, %b] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
      scf.yield %y, %s2 : tensor<?xf32>, tensor<?x?xf32>
    }
    %more = soac.reduce ins(%top#0 : tensor<?xf32>) neutral(%sum : f32) (%a: f32, %c: f32) {
      %d = arith.addf %a, %c : f32
      soac.yield %d : f32
    }
    scf.yield %more, %top#1 : f32, tensor<?x?xf32>
  }
  return %all#0 : f32
}
