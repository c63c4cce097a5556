// Bundle adjustment: the BA problem of ADBench.
//
//   n cameras, m points, p observations. Observation o says that camera obs[o, 0] has seen point
//   obs[o, 1] at the pixel feats[o], with weight w[o]. A camera has eleven numbers: rotation r
//   (angle-axis), centre c, focal length f, principal point (u0, v0), radial distortion k1, k2.
//
//   P = rotate(r, X - c),   e = (P_0, P_1) / P_2,   s = 1 + k1 |e|^2 + k2 |e|^4
//   reprojection error  w (f s e + (u0, v0) - feat),   weight error  1 - w^2
//
// Public entries:
//   objective  the reprojection errors (p x 2) and the weight errors (p)
//   jacobian   the blocks of the sparse Jacobian: for each row of the reprojection error its
//              derivatives with respect to the camera (11), the point (3) and the weight,
//              p x 2 x 15; and the derivatives of the weight errors (p)
//
// Each row asks for one vjp of the code of one observation; no dense Jacobian exists, and the
// primal that the two rows of an observation share is computed once.

func.func @objective(%cams: tensor<?x11xf64>, %X: tensor<?x3xf64>, %w: tensor<?xf64>,
                     %feats: tensor<?x2xf64>, %obs: tensor<?x2xi64>)
    -> (tensor<?x2xf64>, tensor<?xf64>) {
  %errors = soac.map ins(%w, %feats, %obs : tensor<?xf64>, tensor<?x2xf64>, tensor<?x2xi64>)
      (%weight: f64, %feat: tensor<2xf64>, %ids: tensor<2xi64>) -> tensor<?x2xf64> {
    %r0, %r1, %r2, %c0, %c1, %c2, %f, %u0, %v0, %k1, %k2, %X0, %X1, %X2, %u, %v =
        func.call @observed(%cams, %X, %feat, %ids)
        : (tensor<?x11xf64>, tensor<?x3xf64>, tensor<2xf64>, tensor<2xi64>)
        -> (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64)
    %e0, %e1 = func.call @reproject(%r0, %r1, %r2, %c0, %c1, %c2, %f, %u0, %v0, %k1, %k2,
                                    %X0, %X1, %X2, %weight, %u, %v)
        : (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64)
        -> (f64, f64)
    %error = tensor.from_elements %e0, %e1 : tensor<2xf64>
    soac.yield %error : tensor<2xf64>
  }
  %weight_errors = soac.map ins(%w : tensor<?xf64>) (%weight: f64) -> tensor<?xf64> {
    %error = func.call @weight_error(%weight) : (f64) -> f64
    soac.yield %error : f64
  }
  return %errors, %weight_errors : tensor<?x2xf64>, tensor<?xf64>
}

func.func @jacobian(%cams: tensor<?x11xf64>, %X: tensor<?x3xf64>, %w: tensor<?xf64>,
                    %feats: tensor<?x2xf64>, %obs: tensor<?x2xi64>)
    -> (tensor<?x2x15xf64>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %blocks = soac.map ins(%w, %feats, %obs : tensor<?xf64>, tensor<?x2xf64>, tensor<?x2xi64>)
      (%weight: f64, %feat: tensor<2xf64>, %ids: tensor<2xi64>) -> tensor<?x2x15xf64> {
    %r0, %r1, %r2, %c0, %c1, %c2, %f, %u0, %v0, %k1, %k2, %X0, %X1, %X2, %u, %v =
        func.call @observed(%cams, %X, %feat, %ids)
        : (tensor<?x11xf64>, tensor<?x3xf64>, tensor<2xf64>, tensor<2xi64>)
        -> (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64)
    %e_u:2, %r0_u, %r1_u, %r2_u, %c0_u, %c1_u, %c2_u, %f_u, %u0_u, %v0_u, %k1_u, %k2_u, %X0_u,
    %X1_u, %X2_u, %w_u =
        ad.vjp @reproject(%r0, %r1, %r2, %c0, %c1, %c2, %f, %u0, %v0, %k1, %k2,
                          %X0, %X1, %X2, %weight, %u, %v) seed(%one, %zero)
        {wrt = array<i64: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14>}
        : (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64),
          (f64, f64)
        -> (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64,
            f64, f64, f64)
    %e_v:2, %r0_v, %r1_v, %r2_v, %c0_v, %c1_v, %c2_v, %f_v, %u0_v, %v0_v, %k1_v, %k2_v, %X0_v,
    %X1_v, %X2_v, %w_v =
        ad.vjp @reproject(%r0, %r1, %r2, %c0, %c1, %c2, %f, %u0, %v0, %k1, %k2,
                          %X0, %X1, %X2, %weight, %u, %v) seed(%zero, %one)
        {wrt = array<i64: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14>}
        : (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64),
          (f64, f64)
        -> (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64,
            f64, f64, f64)
    %block = tensor.from_elements
        %r0_u, %r1_u, %r2_u, %c0_u, %c1_u, %c2_u, %f_u, %u0_u, %v0_u, %k1_u, %k2_u, %X0_u,
        %X1_u, %X2_u, %w_u, %r0_v, %r1_v, %r2_v, %c0_v, %c1_v, %c2_v, %f_v, %u0_v, %v0_v,
        %k1_v, %k2_v, %X0_v, %X1_v, %X2_v, %w_v
        : tensor<2x15xf64>
    soac.yield %block : tensor<2x15xf64>
  }
  %slopes = soac.map ins(%w : tensor<?xf64>) (%weight: f64) -> tensor<?xf64> {
    %error, %slope = ad.vjp @weight_error(%weight) seed(%one) : (f64), (f64) -> (f64, f64)
    soac.yield %slope : f64
  }
  return %blocks, %slopes : tensor<?x2x15xf64>, tensor<?xf64>
}

// What the code of one observation reads: its camera, its point, its pixel.
func.func private @observed(%cams: tensor<?x11xf64>, %X: tensor<?x3xf64>, %feat: tensor<2xf64>,
                            %ids: tensor<2xi64>)
    -> (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %id_camera = tensor.extract %ids[%c0] : tensor<2xi64>
  %id_point = tensor.extract %ids[%c1] : tensor<2xi64>
  %camera = arith.index_cast %id_camera : i64 to index
  %point = arith.index_cast %id_point : i64 to index
  %r0 = tensor.extract %cams[%camera, %c0] : tensor<?x11xf64>
  %r1 = tensor.extract %cams[%camera, %c1] : tensor<?x11xf64>
  %r2 = tensor.extract %cams[%camera, %c2] : tensor<?x11xf64>
  %centre0 = tensor.extract %cams[%camera, %c3] : tensor<?x11xf64>
  %centre1 = tensor.extract %cams[%camera, %c4] : tensor<?x11xf64>
  %centre2 = tensor.extract %cams[%camera, %c5] : tensor<?x11xf64>
  %f = tensor.extract %cams[%camera, %c6] : tensor<?x11xf64>
  %u0 = tensor.extract %cams[%camera, %c7] : tensor<?x11xf64>
  %v0 = tensor.extract %cams[%camera, %c8] : tensor<?x11xf64>
  %k1 = tensor.extract %cams[%camera, %c9] : tensor<?x11xf64>
  %k2 = tensor.extract %cams[%camera, %c10] : tensor<?x11xf64>
  %X0 = tensor.extract %X[%point, %c0] : tensor<?x3xf64>
  %X1 = tensor.extract %X[%point, %c1] : tensor<?x3xf64>
  %X2 = tensor.extract %X[%point, %c2] : tensor<?x3xf64>
  %u = tensor.extract %feat[%c0] : tensor<2xf64>
  %v = tensor.extract %feat[%c1] : tensor<2xf64>
  return %r0, %r1, %r2, %centre0, %centre1, %centre2, %f, %u0, %v0, %k1, %k2, %X0, %X1, %X2, %u, %v
      : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64
}

// The reprojection error of one observation.
func.func private @reproject(%r0: f64, %r1: f64, %r2: f64, %c0: f64, %c1: f64, %c2: f64, %f: f64,
                             %u0: f64, %v0: f64, %k1: f64, %k2: f64,
                             %X0: f64, %X1: f64, %X2: f64, %w: f64, %u: f64, %v: f64)
    -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %d0 = arith.subf %X0, %c0 : f64
  %d1 = arith.subf %X1, %c1 : f64
  %d2 = arith.subf %X2, %c2 : f64
  %P0, %P1, %P2 = func.call @rotate(%r0, %r1, %r2, %d0, %d1, %d2)
      : (f64, f64, f64, f64, f64, f64) -> (f64, f64, f64)
  %depth = arith.divf %one, %P2 : f64
  %e0 = arith.mulf %P0, %depth : f64
  %e1 = arith.mulf %P1, %depth : f64
  %e00 = arith.mulf %e0, %e0 : f64
  %e11 = arith.mulf %e1, %e1 : f64
  %square = arith.addf %e00, %e11 : f64
  %k2_square = arith.mulf %k2, %square : f64
  %k12 = arith.addf %k1, %k2_square : f64
  %distortion = arith.mulf %k12, %square : f64
  %s = arith.addf %one, %distortion : f64
  %fs = arith.mulf %f, %s : f64
  %x = arith.mulf %fs, %e0 : f64
  %y = arith.mulf %fs, %e1 : f64
  %xu0 = arith.addf %x, %u0 : f64
  %yv0 = arith.addf %y, %v0 : f64
  %du = arith.subf %xu0, %u : f64
  %dv = arith.subf %yv0, %v : f64
  %error0 = arith.mulf %w, %du : f64
  %error1 = arith.mulf %w, %dv : f64
  return %error0, %error1 : f64, f64
}

// Rodrigues' formula: the vector X turned about the axis r by the angle |r|,
// X cos |r| + r x X sin |r| / |r| + r (r . X) (1 - cos |r|) / |r|^2. At r = 0 the first-order form
// X + r x X has the right derivative and no division by the angle.
func.func private @rotate(%r0: f64, %r1: f64, %r2: f64, %X0: f64, %X1: f64, %X2: f64)
    -> (f64, f64, f64) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %square = func.call @dot(%r0, %r1, %r2, %r0, %r1, %r2) : (f64, f64, f64, f64, f64, f64) -> f64
  %turned = arith.cmpf one, %square, %zero : f64
  %cos, %sine_part, %axis_part = scf.if %turned -> (f64, f64, f64) {
    %angle = math.sqrt %square : f64
    %sin_angle = math.sin %angle : f64
    %cos_angle = math.cos %angle : f64
    %ratio = arith.divf %sin_angle, %angle : f64
    %versine = arith.subf %one, %cos_angle : f64
    %rest = arith.divf %versine, %square : f64
    scf.yield %cos_angle, %ratio, %rest : f64, f64, f64
  } else {
    scf.yield %one, %one, %zero : f64, f64, f64
  }
  %q0, %q1, %q2 = func.call @cross(%r0, %r1, %r2, %X0, %X1, %X2)
      : (f64, f64, f64, f64, f64, f64) -> (f64, f64, f64)
  %along = func.call @dot(%r0, %r1, %r2, %X0, %X1, %X2) : (f64, f64, f64, f64, f64, f64) -> f64
  %part = arith.mulf %along, %axis_part : f64
  %X0_cos = arith.mulf %X0, %cos : f64
  %q0_sin = arith.mulf %q0, %sine_part : f64
  %r0_part = arith.mulf %r0, %part : f64
  %s0 = arith.addf %X0_cos, %q0_sin : f64
  %y0 = arith.addf %s0, %r0_part : f64
  %X1_cos = arith.mulf %X1, %cos : f64
  %q1_sin = arith.mulf %q1, %sine_part : f64
  %r1_part = arith.mulf %r1, %part : f64
  %s1 = arith.addf %X1_cos, %q1_sin : f64
  %y1 = arith.addf %s1, %r1_part : f64
  %X2_cos = arith.mulf %X2, %cos : f64
  %q2_sin = arith.mulf %q2, %sine_part : f64
  %r2_part = arith.mulf %r2, %part : f64
  %s2 = arith.addf %X2_cos, %q2_sin : f64
  %y2 = arith.addf %s2, %r2_part : f64
  return %y0, %y1, %y2 : f64, f64, f64
}

func.func private @cross(%a0: f64, %a1: f64, %a2: f64, %b0: f64, %b1: f64, %b2: f64)
    -> (f64, f64, f64) {
  %p0 = arith.mulf %a1, %b2 : f64
  %n0 = arith.mulf %a2, %b1 : f64
  %c0 = arith.subf %p0, %n0 : f64
  %p1 = arith.mulf %a2, %b0 : f64
  %n1 = arith.mulf %a0, %b2 : f64
  %c1 = arith.subf %p1, %n1 : f64
  %p2 = arith.mulf %a0, %b1 : f64
  %n2 = arith.mulf %a1, %b0 : f64
  %c2 = arith.subf %p2, %n2 : f64
  return %c0, %c1, %c2 : f64, f64, f64
}

func.func private @dot(%a0: f64, %a1: f64, %a2: f64, %b0: f64, %b1: f64, %b2: f64) -> f64 {
  %p0 = arith.mulf %a0, %b0 : f64
  %p1 = arith.mulf %a1, %b1 : f64
  %p2 = arith.mulf %a2, %b2 : f64
  %s = arith.addf %p0, %p1 : f64
  %sum = arith.addf %s, %p2 : f64
  return %sum : f64
}

func.func private @weight_error(%w: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %square = arith.mulf %w, %w : f64
  %error = arith.subf %one, %square : f64
  return %error : f64
}
