// Histograms with every operator in a loop that carries their destination, which also
// depends on what is there, and in a map; both orders of derivative.
// RUN: %python %S/../../driver/Inputs/npy.py %t.i.npy '<i8' '(5,)' 2 0 2 -3 1
// RUN: %python %S/../../driver/Inputs/npy.py %t.v.npy '<f8' '(5,)' 1.25 -0.5 0.75 0.3 0.9
// RUN: %python %S/../../driver/Inputs/npy.py %t.d.npy '<f8' '(3,)' 0.5 1.5 -0.7
// RUN: ad-opt check %s --entry=add --engine=interpreter --input=%t.i.npy --input=%t.v.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=g_add --engine=interpreter --input=%t.i.npy --input=%t.v.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=m_add --engine=interpreter --input=%t.i.npy --input=%t.v.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=m_add --input=%t.i.npy --input=%t.v.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=mul --engine=interpreter --input=%t.i.npy --input=%t.v.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=g_mul --engine=interpreter --input=%t.i.npy --input=%t.v.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=m_mul --engine=interpreter --input=%t.i.npy --input=%t.v.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=m_mul --input=%t.i.npy --input=%t.v.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=min --engine=interpreter --input=%t.i.npy --input=%t.v.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=g_min --engine=interpreter --input=%t.i.npy --input=%t.v.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=m_min --engine=interpreter --input=%t.i.npy --input=%t.v.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=m_min --input=%t.i.npy --input=%t.v.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=gen --engine=interpreter --input=%t.i.npy --input=%t.v.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=g_gen --engine=interpreter --input=%t.i.npy --input=%t.v.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=m_gen --engine=interpreter --input=%t.i.npy --input=%t.v.npy --input=%t.d.npy
// RUN: ad-opt check %s --entry=m_gen --input=%t.i.npy --input=%t.v.npy --input=%t.d.npy

func.func @mul(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%d = %dest) -> tensor<?xf64> {
    %x = tensor.extract %d[%k] : tensor<?xf64>
    %ws = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
      %s = math.sin %x : f64
      %w = arith.addf %v, %s : f64
      soac.yield %w : f64
    }
    %h = soac.hist at(%is : tensor<?xindex>) ins(%ws : tensor<?xf64>)
        into(%d : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64) {
      %p = arith.mulf %l, %r : f64
      soac.yield %p : f64
    }
    scf.yield %h : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

func.func @min(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 0x7FF0000000000000 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%d = %dest) -> tensor<?xf64> {
    %x = tensor.extract %d[%k] : tensor<?xf64>
    %ws = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
      %s = math.sin %x : f64
      %w = arith.addf %v, %s : f64
      soac.yield %w : f64
    }
    %h = soac.hist at(%is : tensor<?xindex>) ins(%ws : tensor<?xf64>)
        into(%d : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64) {
      %p = arith.minimumf %l, %r : f64
      soac.yield %p : f64
    }
    scf.yield %h : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

func.func @gen(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%d = %dest) -> tensor<?xf64> {
    %x = tensor.extract %d[%k] : tensor<?xf64>
    %ws = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
      %s = math.sin %x : f64
      %w = arith.addf %v, %s : f64
      soac.yield %w : f64
    }
    %h = soac.hist at(%is : tensor<?xindex>) ins(%ws : tensor<?xf64>)
        into(%d : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64) {
      %q = arith.mulf %l, %r : f64
      %t = arith.addf %l, %r : f64
      %p = arith.addf %q, %t : f64
      soac.yield %p : f64
    }
    scf.yield %h : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

func.func @add(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%d = %dest) -> tensor<?xf64> {
    %x = tensor.extract %d[%k] : tensor<?xf64>
    %ws = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
      %s = math.sin %x : f64
      %w = arith.addf %v, %s : f64
      soac.yield %w : f64
    }
    %h = soac.hist at(%is : tensor<?xindex>) ins(%ws : tensor<?xf64>)
        into(%d : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64) {
      %p = arith.addf %l, %r : f64
      soac.yield %p : f64
    }
    scf.yield %h : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

func.func @g_mul(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @mul(%is, %vs, %dest) seed(%dest)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

func.func @m_mul(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<3xf64>) -> tensor<?x3xf64> {
  %y = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?x3xf64> {
    %ws = soac.map ins(%vs : tensor<?xf64>) (%u: f64) -> tensor<?xf64> {
      %w = arith.mulf %v, %u : f64
      soac.yield %w : f64
    }
    %d = tensor.cast %dest : tensor<3xf64> to tensor<?xf64>
    %h = func.call @mul(%is, %ws, %d) : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %z = tensor.cast %h : tensor<?xf64> to tensor<3xf64>
    soac.yield %z : tensor<3xf64>
  }
  return %y : tensor<?x3xf64>
}

func.func @g_min(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @min(%is, %vs, %dest) seed(%dest)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

func.func @m_min(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<3xf64>) -> tensor<?x3xf64> {
  %y = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?x3xf64> {
    %ws = soac.map ins(%vs : tensor<?xf64>) (%u: f64) -> tensor<?xf64> {
      %w = arith.mulf %v, %u : f64
      soac.yield %w : f64
    }
    %d = tensor.cast %dest : tensor<3xf64> to tensor<?xf64>
    %h = func.call @min(%is, %ws, %d) : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %z = tensor.cast %h : tensor<?xf64> to tensor<3xf64>
    soac.yield %z : tensor<3xf64>
  }
  return %y : tensor<?x3xf64>
}

func.func @g_gen(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @gen(%is, %vs, %dest) seed(%dest)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

func.func @m_gen(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<3xf64>) -> tensor<?x3xf64> {
  %y = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?x3xf64> {
    %ws = soac.map ins(%vs : tensor<?xf64>) (%u: f64) -> tensor<?xf64> {
      %w = arith.mulf %v, %u : f64
      soac.yield %w : f64
    }
    %d = tensor.cast %dest : tensor<3xf64> to tensor<?xf64>
    %h = func.call @gen(%is, %ws, %d) : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %z = tensor.cast %h : tensor<?xf64> to tensor<3xf64>
    soac.yield %z : tensor<3xf64>
  }
  return %y : tensor<?x3xf64>
}

func.func @g_add(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @add(%is, %vs, %dest) seed(%dest)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

func.func @m_add(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<3xf64>) -> tensor<?x3xf64> {
  %y = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?x3xf64> {
    %ws = soac.map ins(%vs : tensor<?xf64>) (%u: f64) -> tensor<?xf64> {
      %w = arith.mulf %v, %u : f64
      soac.yield %w : f64
    }
    %d = tensor.cast %dest : tensor<3xf64> to tensor<?xf64>
    %h = func.call @add(%is, %ws, %d) : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %z = tensor.cast %h : tensor<?xf64> to tensor<3xf64>
    soac.yield %z : tensor<3xf64>
  }
  return %y : tensor<?x3xf64>
}
