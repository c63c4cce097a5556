// The cotangent of Q in a sum of |Q v|^2 over many v is Q times the sum of v v^T, half of which is added up.
// RUN: ad-opt %s --ad-optimize | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.q.npy '<f8' '(2, 2)' 1 0.5 -2 0.25
// RUN: %python %S/../driver/Inputs/npy.py %t.m.npy '<f8' '(2,)' 0.5 -1
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(5, 2)' 1 2 -1 0.5 0.25 0.75 2 -2 0.125 1
// RUN: %python %S/../driver/Inputs/npy.py %t.w.npy '<f8' '(5,)' 1 0.5 2 -1 0.25
// RUN: %python %S/../driver/Inputs/npy.py %t.x4.npy '<f8' '(4, 2)' 1 2 -1 0.5 0.25 0.75 2 -2
// RUN: %python %S/../driver/Inputs/npy.py %t.w4.npy '<f8' '(4,)' 1 0.5 2 -1
// RUN: %python %S/../driver/Inputs/npy.py %t.x0.npy '<f8' '(0, 2)'
// RUN: %python %S/../driver/Inputs/npy.py %t.w0.npy '<f8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.q1.npy '<f8' '(1, 1)' -2
// RUN: %python %S/../driver/Inputs/npy.py %t.m1.npy '<f8' '(1,)' 0.5
// RUN: %python %S/../driver/Inputs/npy.py %t.x1.npy '<f8' '(4, 1)' 1 2 -1 0.5
// RUN: %python %S/../driver/Inputs/npy.py %t.thin.npy '<f8' '(4, 0)'
// RUN: %python %S/../driver/Inputs/npy.py %t.thinq.npy '<f8' '(0, 0)'
// RUN: %python %S/../driver/Inputs/npy.py %t.thinm.npy '<f8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.qf.npy '<f4' '(2, 2)' 1 0.5 -2 0.25
// RUN: %python %S/../driver/Inputs/npy.py %t.xf.npy '<f4' '(5, 2)' 1 2 -1 0.5 0.25 0.75 2 -2 0.125 1
// RUN: ad-opt check %s --entry=triangle --input=%t.q.npy --input=%t.m.npy --input=%t.x.npy --input=%t.w.npy
// RUN: ad-opt check %s --entry=triangle --input=%t.q.npy --input=%t.m.npy --input=%t.x4.npy --input=%t.w4.npy
// RUN: ad-opt check %s --entry=triangle --input=%t.q.npy --input=%t.m.npy --input=%t.x0.npy --input=%t.w0.npy
// RUN: ad-opt check %s --entry=triangle --input=%t.q1.npy --input=%t.m1.npy --input=%t.x1.npy --input=%t.w4.npy
// RUN: ad-opt check %s --entry=triangle --input=%t.thinq.npy --input=%t.thinm.npy --input=%t.thin.npy --input=%t.w4.npy
// RUN: %python %S/../driver/Inputs/npy.py %t.ix.npy '<i8' '(7, 2)' 1 2 -1 0 3 1 2 -2 0 1 1 1 -3 2
// RUN: %python %S/../driver/Inputs/npy.py %t.iw.npy '<i8' '(7,)' 1 0 2 -1 3 1 1
// RUN: %python %S/../driver/Inputs/npy.py %t.ix1.npy '<i8' '(7, 1)' 1 2 -1 0 3 1 2
// RUN: %python %S/../driver/Inputs/npy.py %t.ix5.npy '<i8' '(5, 2)' 1 2 -1 0 3 1 2 -2 0 1
// RUN: ad-opt check %s --entry=triangle_at --input=%t.q.npy --input=%t.m.npy --input=%t.ix.npy --input=%t.iw.npy
// RUN: ad-opt check %s --entry=triangle_at --input=%t.q1.npy --input=%t.m1.npy --input=%t.ix1.npy --input=%t.iw.npy
// RUN: ad-opt check %s --entry=static_at --input=%t.qf.npy --input=%t.ix5.npy
// RUN: ad-opt check %s --entry=dense --input=%t.q.npy --input=%t.x.npy
// RUN: ad-opt check %s --entry=static --input=%t.qf.npy --input=%t.xf.npy
// RUN: ad-opt check %s --entry=fourth_powers --input=%t.q.npy --input=%t.x.npy
// RUN: ad-opt check %s --entry=band --input=%t.m.npy --input=%t.x.npy
// RUN: ad-opt run %s --entry=triangle_vjp --input=%t.q.npy --input=%t.m.npy --input=%t.x.npy --input=%t.w.npy | FileCheck %s --check-prefix=VALUES

// With c = x - m = (0.5, 3), (-1.5, 1.5), (-0.25, 1.75), (1.5, -1), (-0.375, 2), the sums of w c c^T are
// s = [[-0.71484375, 0.8125], [0.8125, 16.25]], and the cotangent of Q is 2 Q s below the diagonal:
// 2 s00, 2 (-2 s00 + 0.25 s10) and 2 (-2 s01 + 0.25 s11). The sums of w c are t = (-2.34375, 8.75), and the
// cotangent of m is -2 Q^T Q t.
// VALUES: {{\[\[}}-1.4296875, 0.0],
// VALUES-NEXT: [3.265625, 4.875]]
// VALUES: [32.1875, -3.4375]

// CHECK-LABEL: func.func @triangle_vjp(
// CHECK: %[[TWICE:.*]] = arith.muli
// CHECK: %[[ENOUGH:.*]] = arith.cmpi sgt, %{{.*}}, %[[TWICE]]
// CHECK: scf.if %[[ENOUGH]]
// CHECK:   %[[SUMS:.*]]:2 = soac.with_acc ins(%{{.*}}, %{{.*}} : tensor<?xf64>, tensor<?x?xf64>)
// The points, and for each the half of a matrix.
// CHECK:     soac.map
// CHECK:       %[[C:.*]] = soac.map
// CHECK:       soac.map {{.*}} (%[[L:[a-z0-9]+]]: index, %[[A0:[a-z0-9]+]]: !soac.acc<tensor<?xf64>>, %[[A1:[a-z0-9]+]]: !soac.acc<tensor<?x?xf64>>)
// CHECK:         %[[CL:.*]] = tensor.extract %[[C]][%[[L]]]
// CHECK:         %[[WCL:.*]] = arith.mulf %{{.*}}, %[[CL]]
// CHECK:         soac.update_acc %[[A0]][%[[L]]], %[[WCL]]
// CHECK:         soac.map {{.*}} (%[[J:[a-z0-9]+]]: index, %[[A:[a-z0-9]+]]:
// CHECK:           %[[CJ:.*]] = tensor.extract %[[C]][%[[J]]]
// CHECK:           %[[P:.*]] = arith.mulf %[[WCL]], %[[CJ]]
// CHECK:           soac.update_acc %[[A]][%[[L]], %[[J]]], %[[P]]
// CHECK:   %[[S:.*]] = soac.map
// CHECK:     arith.minui
// CHECK:     arith.maxui
// CHECK:     tensor.extract %[[SUMS]]#1
// Q times the sums.
// CHECK:   soac.map
// CHECK:     soac.map {{.*}} (%[[K:[a-z0-9]+]]: index, %{{.*}}: !soac.acc<tensor<?x?xf64>>)
// CHECK:       soac.map {{.*}} (%[[L:[a-z0-9]+]]: index)
// CHECK:         tensor.extract %[[S]][%[[K]], %[[L]]]
// CHECK:       soac.reduce
// CHECK: } else {
func.func @triangle_vjp(%q: tensor<?x?xf64>, %m: tensor<?xf64>, %x: tensor<?x?xf64>, %w: tensor<?xf64>)
    -> (tensor<?x?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %y, %q_bar, %m_bar = ad.vjp @triangle(%q, %m, %x, %w) seed(%one) {wrt = array<i64: 0, 1>}
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>), (f64) -> (f64, tensor<?x?xf64>, tensor<?xf64>)
  return %q_bar, %m_bar : tensor<?x?xf64>, tensor<?xf64>
}

// sum_i w_i |Q (x_i - m)|^2 for a lower triangular Q.
func.func @triangle(%q: tensor<?x?xf64>, %m: tensor<?xf64>, %x: tensor<?x?xf64>, %w: tensor<?xf64>) -> f64 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %d = tensor.dim %x, %c1 : tensor<?x?xf64>
  %rows = soac.iota %d : tensor<?xindex>
  %terms = soac.map ins(%x, %w : tensor<?x?xf64>, tensor<?xf64>) (%xi: tensor<?xf64>, %wi: f64) -> tensor<?xf64> {
    %c = soac.map ins(%xi, %m : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
      %difference = arith.subf %a, %b : f64
      soac.yield %difference : f64
    }
    %squares = soac.map ins(%rows : tensor<?xindex>) (%r: index) -> tensor<?xf64> {
      %length = arith.addi %r, %c1 : index
      %columns = soac.iota %length : tensor<?xindex>
      %products = soac.map ins(%columns : tensor<?xindex>) (%l: index) -> tensor<?xf64> {
        %q_rl = tensor.extract %q[%r, %l] : tensor<?x?xf64>
        %c_l = tensor.extract %c[%l] : tensor<?xf64>
        %product = arith.mulf %q_rl, %c_l : f64
        soac.yield %product : f64
      }
      %y = soac.reduce ins(%products : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %sum = arith.addf %a, %b : f64
        soac.yield %sum : f64
      }
      %square = arith.mulf %y, %y : f64
      soac.yield %square : f64
    }
    %norm = soac.reduce ins(%squares : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %sum = arith.addf %a, %b : f64
      soac.yield %sum : f64
    }
    %term = arith.mulf %wi, %norm : f64
    soac.yield %term : f64
  }
  %result = soac.reduce ins(%terms : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %sum = arith.addf %a, %b : f64
    soac.yield %sum : f64
  }
  return %result : f64
}

// All columns: both sums are products of matrices.
// CHECK-LABEL: func.func @dense_vjp(
// CHECK-NOT: arith.maxui
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK-NOT: arith.maxui
// CHECK: return
func.func @dense_vjp(%q: tensor<?x?xf64>, %x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %q_bar = ad.vjp @dense(%q, %x) seed(%one) {wrt = array<i64: 0>}
      : (tensor<?x?xf64>, tensor<?x?xf64>), (f64) -> (f64, tensor<?x?xf64>)
  return %q_bar : tensor<?x?xf64>
}

// Of what size there is enough is known at once.
// CHECK-LABEL: func.func @static_vjp(
// CHECK-NOT: scf.if
// CHECK: arith.maxui
// CHECK-NOT: scf.if
// CHECK: return
func.func @static_vjp(%q: tensor<2x2xf32>, %x: tensor<5x2xf32>) -> tensor<2x2xf32> {
  %one = arith.constant 1.0 : f32
  %y, %q_bar = ad.vjp @static(%q, %x) seed(%one) {wrt = array<i64: 0>}
      : (tensor<2x2xf32>, tensor<5x2xf32>), (f32) -> (f32, tensor<2x2xf32>)
  return %q_bar : tensor<2x2xf32>
}

// No linear function of what it reads.
// CHECK-LABEL: func.func @fourth_powers_vjp(
// CHECK-NOT: arith.maxui
// CHECK: return
func.func @fourth_powers_vjp(%q: tensor<?x?xf64>, %x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %q_bar = ad.vjp @fourth_powers(%q, %x) seed(%one) {wrt = array<i64: 0>}
      : (tensor<?x?xf64>, tensor<?x?xf64>), (f64) -> (f64, tensor<?x?xf64>)
  return %q_bar : tensor<?x?xf64>
}

// Two elements of each row are fewer than the rows of the Gram matrix are long.
// CHECK-LABEL: func.func @band_vjp(
// CHECK-NOT: arith.maxui
// CHECK: return
func.func @band_vjp(%q: tensor<?xf64>, %x: tensor<?x?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %q_bar = ad.vjp @band(%q, %x) seed(%one) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<?x?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %q_bar : tensor<?xf64>
}

// The same for points of integers, with respect to Q and m alone: those of a Gram matrix.
func.func @triangle_at(%q: tensor<?x?xf64>, %m: tensor<?xf64>, %x: tensor<?x?xi64>, %w: tensor<?xi64>) -> f64 {
  %points = arith.sitofp %x : tensor<?x?xi64> to tensor<?x?xf64>
  %weights = arith.sitofp %w : tensor<?xi64> to tensor<?xf64>
  %y = func.call @triangle(%q, %m, %points, %weights)
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>) -> f64
  return %y : f64
}

// sum_i |Q x_i|^2
func.func @dense(%q: tensor<?x?xf64>, %x: tensor<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %height = tensor.dim %q, %c0 : tensor<?x?xf64>
  %width = tensor.dim %x, %c1 : tensor<?x?xf64>
  %rows = soac.iota %height : tensor<?xindex>
  %columns = soac.iota %width : tensor<?xindex>
  %zero = arith.constant 0.0 : f64
  %terms = soac.map ins(%x : tensor<?x?xf64>) (%v: tensor<?xf64>) -> tensor<?xf64> {
    %powers = soac.map ins(%rows : tensor<?xindex>) (%r: index) -> tensor<?xf64> {
      %products = soac.map ins(%columns : tensor<?xindex>) (%l: index) -> tensor<?xf64> {
        %q_rl = tensor.extract %q[%r, %l] : tensor<?x?xf64>
        %v_l = tensor.extract %v[%l] : tensor<?xf64>
        %product = arith.mulf %q_rl, %v_l : f64
        soac.yield %product : f64
      }
      %y = soac.reduce ins(%products : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %sum = arith.addf %a, %b : f64
        soac.yield %sum : f64
      }
      %square = arith.mulf %y, %y : f64
      soac.yield %square : f64
    }
    %term = soac.reduce ins(%powers : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %sum = arith.addf %a, %b : f64
      soac.yield %sum : f64
    }
    soac.yield %term : f64
  }
  %result = soac.reduce ins(%terms : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %sum = arith.addf %a, %b : f64
    soac.yield %sum : f64
  }
  return %result : f64
}


// A triangle of static size.
func.func @static(%q: tensor<2x2xf32>, %x: tensor<5x2xf32>) -> f32 {
  %rows = soac.iota : tensor<2xindex>
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %terms = soac.map ins(%x : tensor<5x2xf32>) (%v: tensor<2xf32>) -> tensor<5xf32> {
    %powers = soac.map ins(%rows : tensor<2xindex>) (%r: index) -> tensor<2xf32> {
      %length = arith.addi %r, %c1 : index
      %columns = soac.iota %length : tensor<?xindex>
      %products = soac.map ins(%columns : tensor<?xindex>) (%l: index) -> tensor<?xf32> {
        %q_rl = tensor.extract %q[%r, %l] : tensor<2x2xf32>
        %v_l = tensor.extract %v[%l] : tensor<2xf32>
        %product = arith.mulf %q_rl, %v_l : f32
        soac.yield %product : f32
      }
      %y = soac.reduce ins(%products : tensor<?xf32>) neutral(%zero : f32) (%a: f32, %b: f32) {
        %sum = arith.addf %a, %b : f32
        soac.yield %sum : f32
      }
      %square = arith.mulf %y, %y : f32
      soac.yield %square : f32
    }
    %term = soac.reduce ins(%powers : tensor<2xf32>) neutral(%zero : f32) (%a: f32, %b: f32) {
      %sum = arith.addf %a, %b : f32
      soac.yield %sum : f32
    }
    soac.yield %term : f32
  }
  %result = soac.reduce ins(%terms : tensor<5xf32>) neutral(%zero : f32) (%a: f32, %b: f32) {
    %sum = arith.addf %a, %b : f32
    soac.yield %sum : f32
  }
  return %result : f32
}


func.func @static_at(%q: tensor<2x2xf32>, %x: tensor<5x2xi64>) -> f32 {
  %points = arith.sitofp %x : tensor<5x2xi64> to tensor<5x2xf32>
  %y = func.call @static(%q, %points) : (tensor<2x2xf32>, tensor<5x2xf32>) -> f32
  return %y : f32
}

// The sum of the fourth powers of the elements of Q x_i.
func.func @fourth_powers(%q: tensor<?x?xf64>, %x: tensor<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %height = tensor.dim %q, %c0 : tensor<?x?xf64>
  %width = tensor.dim %x, %c1 : tensor<?x?xf64>
  %rows = soac.iota %height : tensor<?xindex>
  %columns = soac.iota %width : tensor<?xindex>
  %zero = arith.constant 0.0 : f64
  %terms = soac.map ins(%x : tensor<?x?xf64>) (%v: tensor<?xf64>) -> tensor<?xf64> {
    %powers = soac.map ins(%rows : tensor<?xindex>) (%r: index) -> tensor<?xf64> {
      %products = soac.map ins(%columns : tensor<?xindex>) (%l: index) -> tensor<?xf64> {
        %q_rl = tensor.extract %q[%r, %l] : tensor<?x?xf64>
        %v_l = tensor.extract %v[%l] : tensor<?xf64>
        %product = arith.mulf %q_rl, %v_l : f64
        soac.yield %product : f64
      }
      %y = soac.reduce ins(%products : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %sum = arith.addf %a, %b : f64
        soac.yield %sum : f64
      }
      %square = arith.mulf %y, %y : f64
      %power = arith.mulf %square, %square : f64
      soac.yield %power : f64
    }
    %term = soac.reduce ins(%powers : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %sum = arith.addf %a, %b : f64
      soac.yield %sum : f64
    }
    soac.yield %term : f64
  }
  %result = soac.reduce ins(%terms : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %sum = arith.addf %a, %b : f64
    soac.yield %sum : f64
  }
  return %result : f64
}


// Neighbours, times the same two numbers everywhere.
func.func @band(%q: tensor<?xf64>, %x: tensor<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %width = tensor.dim %x, %c1 : tensor<?x?xf64>
  %height = arith.subi %width, %c1 : index
  %rows = soac.iota %height : tensor<?xindex>
  %columns = soac.iota : tensor<2xindex>
  %zero = arith.constant 0.0 : f64
  %terms = soac.map ins(%x : tensor<?x?xf64>) (%v: tensor<?xf64>) -> tensor<?xf64> {
    %powers = soac.map ins(%rows : tensor<?xindex>) (%r: index) -> tensor<?xf64> {
      %products = soac.map ins(%columns : tensor<2xindex>) (%l: index) -> tensor<2xf64> {
        %q_rl = tensor.extract %q[%l] : tensor<?xf64>
        %at = arith.addi %r, %l : index
        %v_l = tensor.extract %v[%at] : tensor<?xf64>
        %product = arith.mulf %q_rl, %v_l : f64
        soac.yield %product : f64
      }
      %y = soac.reduce ins(%products : tensor<2xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %sum = arith.addf %a, %b : f64
        soac.yield %sum : f64
      }
      %square = arith.mulf %y, %y : f64
      soac.yield %square : f64
    }
    %term = soac.reduce ins(%powers : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %sum = arith.addf %a, %b : f64
      soac.yield %sum : f64
    }
    soac.yield %term : f64
  }
  %result = soac.reduce ins(%terms : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %sum = arith.addf %a, %b : f64
    soac.yield %sum : f64
  }
  return %result : f64
}
