// Hand tracking by linear blend skinning: the HAND problems of ADBench, simple and complicated.
//
//   A hand has nb bones in a tree (parents come first, -1 is the root), nv vertices with weights of
//   the bones, and nt triangles. theta has 26 numbers: global rotation (angle-axis), global
//   translation, then four angles per finger: the first bone's flexion and abduction, the second's
//   and the third's flexion. p points were measured, each with a vertex (simple), or a triangle and
//   two barycentric coordinates u (complicated), to which it corresponds.
//
//   R = Rz(abduction) Rx(flexion),   local = rel R,   absolute = absolute[parent] local,
//   skinning = absolute inv,   vertex = rotation sum_b wts[b] skinning[b] (pos, 1) + translation
//   error = pts - vertex[corr]                                  (simple)
//   error = pts - (u0 v0 + u1 v1 + (1 - u0 - u1) v2)             (complicated)
//
// Public entries, all with the same arguments (the simple ones do not read us and tris):
//   objective, objective_complicated   the errors, p x 3
//   jacobian                           d error / d theta, 26 x p x 3
//   jacobian_complicated               d error / d(own us, theta), 28 x p x 3
//
// The Jacobian with respect to theta is a map of one ad.jvp per basis vector. A point's own
// coordinates only concern its own error: one ad.jvp of the code of one point each.

func.func @objective(%theta: tensor<?xf64>, %us: tensor<?x2xf64>, %parents: tensor<?xi64>,
                     %rel: tensor<?x4x4xf64>, %inv: tensor<?x4x4xf64>, %pos: tensor<?x3xf64>,
                     %wts: tensor<?x?xf64>, %tris: tensor<?x3xi64>, %corr: tensor<?xi64>,
                     %pts: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %vertices = func.call @skin(%theta, %parents, %rel, %inv, %pos, %wts)
      : (tensor<?xf64>, tensor<?xi64>, tensor<?x4x4xf64>, tensor<?x4x4xf64>, tensor<?x3xf64>,
         tensor<?x?xf64>) -> tensor<?x3xf64>
  %axes = soac.iota : tensor<3xindex>
  %errors = soac.map ins(%corr, %pts : tensor<?xi64>, tensor<?x3xf64>)
      (%id: i64, %point: tensor<3xf64>) -> tensor<?x3xf64> {
    %v = arith.index_cast %id : i64 to index
    %error = soac.map ins(%axes, %point : tensor<3xindex>, tensor<3xf64>)
        (%axis: index, %measured: f64) -> tensor<3xf64> {
      %model = tensor.extract %vertices[%v, %axis] : tensor<?x3xf64>
      %difference = arith.subf %measured, %model : f64
      soac.yield %difference : f64
    }
    soac.yield %error : tensor<3xf64>
  }
  return %errors : tensor<?x3xf64>
}

func.func @objective_complicated(
    %theta: tensor<?xf64>, %us: tensor<?x2xf64>, %parents: tensor<?xi64>,
    %rel: tensor<?x4x4xf64>, %inv: tensor<?x4x4xf64>, %pos: tensor<?x3xf64>,
    %wts: tensor<?x?xf64>, %tris: tensor<?x3xi64>, %corr: tensor<?xi64>,
    %pts: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %vertices = func.call @skin(%theta, %parents, %rel, %inv, %pos, %wts)
      : (tensor<?xf64>, tensor<?xi64>, tensor<?x4x4xf64>, tensor<?x4x4xf64>, tensor<?x3xf64>,
         tensor<?x?xf64>) -> tensor<?x3xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %errors = soac.map ins(%us, %corr, %pts : tensor<?x2xf64>, tensor<?xi64>, tensor<?x3xf64>)
      (%u: tensor<2xf64>, %id: i64, %point: tensor<3xf64>) -> tensor<?x3xf64> {
    %u0 = tensor.extract %u[%c0] : tensor<2xf64>
    %u1 = tensor.extract %u[%c1] : tensor<2xf64>
    %error = func.call @point_error(%u0, %u1, %id, %point, %tris, %vertices)
        : (f64, f64, i64, tensor<3xf64>, tensor<?x3xi64>, tensor<?x3xf64>) -> tensor<3xf64>
    soac.yield %error : tensor<3xf64>
  }
  return %errors : tensor<?x3xf64>
}

func.func @jacobian(%theta: tensor<?xf64>, %us: tensor<?x2xf64>, %parents: tensor<?xi64>,
                    %rel: tensor<?x4x4xf64>, %inv: tensor<?x4x4xf64>, %pos: tensor<?x3xf64>,
                    %wts: tensor<?x?xf64>, %tris: tensor<?x3xi64>, %corr: tensor<?xi64>,
                    %pts: tensor<?x3xf64>) -> tensor<?x?x3xf64> {
  %c0 = arith.constant 0 : index
  %parameters = tensor.dim %theta, %c0 : tensor<?xf64>
  %basis = soac.iota %parameters : tensor<?xindex>
  %rows = soac.map ins(%basis : tensor<?xindex>) (%k: index) -> tensor<?x?x3xf64> {
    %direction = func.call @one_hot(%k, %parameters) : (index, index) -> tensor<?xf64>
    %errors, %row = ad.jvp @objective(%theta, %us, %parents, %rel, %inv, %pos, %wts, %tris, %corr,
                                      %pts) seed(%direction) {wrt = array<i64: 0>}
        : (tensor<?xf64>, tensor<?x2xf64>, tensor<?xi64>, tensor<?x4x4xf64>, tensor<?x4x4xf64>,
           tensor<?x3xf64>, tensor<?x?xf64>, tensor<?x3xi64>, tensor<?xi64>, tensor<?x3xf64>),
          (tensor<?xf64>) -> (tensor<?x3xf64>, tensor<?x3xf64>)
    soac.yield %row : tensor<?x3xf64>
  }
  return %rows : tensor<?x?x3xf64>
}

func.func @jacobian_complicated(
    %theta: tensor<?xf64>, %us: tensor<?x2xf64>, %parents: tensor<?xi64>,
    %rel: tensor<?x4x4xf64>, %inv: tensor<?x4x4xf64>, %pos: tensor<?x3xf64>,
    %wts: tensor<?x?xf64>, %tris: tensor<?x3xi64>, %corr: tensor<?xi64>,
    %pts: tensor<?x3xf64>) -> tensor<?x?x3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %parameters = tensor.dim %theta, %c0 : tensor<?xf64>
  %points = tensor.dim %pts, %c0 : tensor<?x3xf64>

  // The two directions that every point has for itself.
  %vertices = func.call @skin(%theta, %parents, %rel, %inv, %pos, %wts)
      : (tensor<?xf64>, tensor<?xi64>, tensor<?x4x4xf64>, tensor<?x4x4xf64>, tensor<?x3xf64>,
         tensor<?x?xf64>) -> tensor<?x3xf64>
  %own0, %own1 = soac.map ins(%us, %corr, %pts : tensor<?x2xf64>, tensor<?xi64>, tensor<?x3xf64>)
      (%u: tensor<2xf64>, %id: i64, %point: tensor<3xf64>) -> (tensor<?x3xf64>, tensor<?x3xf64>) {
    %u0 = tensor.extract %u[%c0] : tensor<2xf64>
    %u1 = tensor.extract %u[%c1] : tensor<2xf64>
    %error0, %slope0 = ad.jvp @point_error(%u0, %u1, %id, %point, %tris, %vertices)
        seed(%one, %zero) {wrt = array<i64: 0, 1>}
        : (f64, f64, i64, tensor<3xf64>, tensor<?x3xi64>, tensor<?x3xf64>), (f64, f64)
        -> (tensor<3xf64>, tensor<3xf64>)
    %error1, %slope1 = ad.jvp @point_error(%u0, %u1, %id, %point, %tris, %vertices)
        seed(%zero, %one) {wrt = array<i64: 0, 1>}
        : (f64, f64, i64, tensor<3xf64>, tensor<?x3xi64>, tensor<?x3xf64>), (f64, f64)
        -> (tensor<3xf64>, tensor<3xf64>)
    soac.yield %slope0, %slope1 : tensor<3xf64>, tensor<3xf64>
  }

  %basis = soac.iota %parameters : tensor<?xindex>
  %rows = soac.map ins(%basis : tensor<?xindex>) (%k: index) -> tensor<?x?x3xf64> {
    %direction = func.call @one_hot(%k, %parameters) : (index, index) -> tensor<?xf64>
    %errors, %row = ad.jvp @objective_complicated(%theta, %us, %parents, %rel, %inv, %pos, %wts,
                                                  %tris, %corr, %pts)
        seed(%direction) {wrt = array<i64: 0>}
        : (tensor<?xf64>, tensor<?x2xf64>, tensor<?xi64>, tensor<?x4x4xf64>, tensor<?x4x4xf64>,
           tensor<?x3xf64>, tensor<?x?xf64>, tensor<?x3xi64>, tensor<?xi64>, tensor<?x3xf64>),
          (tensor<?xf64>) -> (tensor<?x3xf64>, tensor<?x3xf64>)
    soac.yield %row : tensor<?x3xf64>
  }

  %all = arith.addi %parameters, %c2 : index
  %empty = tensor.empty(%all, %points) : tensor<?x?x3xf64>
  %with0 = tensor.insert_slice %own0 into %empty[0, 0, 0] [1, %points, 3] [1, 1, 1]
      : tensor<?x3xf64> into tensor<?x?x3xf64>
  %with1 = tensor.insert_slice %own1 into %with0[1, 0, 0] [1, %points, 3] [1, 1, 1]
      : tensor<?x3xf64> into tensor<?x?x3xf64>
  %jacobian = tensor.insert_slice %rows into %with1[2, 0, 0] [%parameters, %points, 3] [1, 1, 1]
      : tensor<?x?x3xf64> into tensor<?x?x3xf64>
  return %jacobian : tensor<?x?x3xf64>
}

// The error of one point on its triangle.
func.func private @point_error(%u0: f64, %u1: f64, %id: i64, %point: tensor<3xf64>,
                               %tris: tensor<?x3xi64>, %vertices: tensor<?x3xf64>)
    -> tensor<3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f64
  %triangle = arith.index_cast %id : i64 to index
  %id0 = tensor.extract %tris[%triangle, %c0] : tensor<?x3xi64>
  %id1 = tensor.extract %tris[%triangle, %c1] : tensor<?x3xi64>
  %id2 = tensor.extract %tris[%triangle, %c2] : tensor<?x3xi64>
  %v0 = arith.index_cast %id0 : i64 to index
  %v1 = arith.index_cast %id1 : i64 to index
  %v2 = arith.index_cast %id2 : i64 to index
  %rest = arith.subf %one, %u0 : f64
  %u2 = arith.subf %rest, %u1 : f64
  %axes = soac.iota : tensor<3xindex>
  %error = soac.map ins(%axes, %point : tensor<3xindex>, tensor<3xf64>)
      (%axis: index, %measured: f64) -> tensor<3xf64> {
    %x0 = tensor.extract %vertices[%v0, %axis] : tensor<?x3xf64>
    %x1 = tensor.extract %vertices[%v1, %axis] : tensor<?x3xf64>
    %x2 = tensor.extract %vertices[%v2, %axis] : tensor<?x3xf64>
    %p0 = arith.mulf %u0, %x0 : f64
    %p1 = arith.mulf %u1, %x1 : f64
    %p2 = arith.mulf %u2, %x2 : f64
    %p01 = arith.addf %p0, %p1 : f64
    %model = arith.addf %p01, %p2 : f64
    %difference = arith.subf %measured, %model : f64
    soac.yield %difference : f64
  }
  return %error : tensor<3xf64>
}

// All vertices of the hand in the pose theta.
func.func private @skin(%theta: tensor<?xf64>, %parents: tensor<?xi64>, %rel: tensor<?x4x4xf64>,
                        %inv: tensor<?x4x4xf64>, %pos: tensor<?x3xf64>, %wts: tensor<?x?xf64>)
    -> tensor<?x3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f64
  %locals = func.call @local_transforms(%theta, %rel) : (tensor<?xf64>, tensor<?x4x4xf64>)
      -> tensor<?x4x4xf64>
  %skinning = func.call @skinning_transforms(%parents, %locals, %inv)
      : (tensor<?xi64>, tensor<?x4x4xf64>, tensor<?x4x4xf64>) -> tensor<?x3x4xf64>
  %rotation = func.call @global_rotation(%theta) : (tensor<?xf64>) -> tensor<3x3xf64>
  %bones = tensor.dim %wts, %c1 : tensor<?x?xf64>
  %bone_range = soac.iota %bones : tensor<?xindex>
  %axes = soac.iota : tensor<3xindex>
  %vertices = soac.map ins(%pos, %wts : tensor<?x3xf64>, tensor<?x?xf64>)
      (%p: tensor<3xf64>, %w: tensor<?xf64>) -> tensor<?x3xf64> {
    %p0 = tensor.extract %p[%c0] : tensor<3xf64>
    %p1 = tensor.extract %p[%c1] : tensor<3xf64>
    %p2 = tensor.extract %p[%c2] : tensor<3xf64>
    %t0, %t1, %t2 = soac.map ins(%bone_range, %w : tensor<?xindex>, tensor<?xf64>)
        (%b: index, %weight: f64) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
      %x0 = func.call @apply_row(%skinning, %b, %c0, %p0, %p1, %p2)
          : (tensor<?x3x4xf64>, index, index, f64, f64, f64) -> f64
      %x1 = func.call @apply_row(%skinning, %b, %c1, %p0, %p1, %p2)
          : (tensor<?x3x4xf64>, index, index, f64, f64, f64) -> f64
      %x2 = func.call @apply_row(%skinning, %b, %c2, %p0, %p1, %p2)
          : (tensor<?x3x4xf64>, index, index, f64, f64, f64) -> f64
      %w0 = arith.mulf %weight, %x0 : f64
      %w1 = arith.mulf %weight, %x1 : f64
      %w2 = arith.mulf %weight, %x2 : f64
      soac.yield %w0, %w1, %w2 : f64, f64, f64
    }
    %s0 = func.call @sum(%t0) : (tensor<?xf64>) -> f64
    %s1 = func.call @sum(%t1) : (tensor<?xf64>) -> f64
    %s2 = func.call @sum(%t2) : (tensor<?xf64>) -> f64
    %vertex = soac.map ins(%axes : tensor<3xindex>) (%axis: index) -> tensor<3xf64> {
      %q0 = tensor.extract %rotation[%axis, %c0] : tensor<3x3xf64>
      %q1 = tensor.extract %rotation[%axis, %c1] : tensor<3x3xf64>
      %q2 = tensor.extract %rotation[%axis, %c2] : tensor<3x3xf64>
      %y0 = arith.mulf %q0, %s0 : f64
      %y1 = arith.mulf %q1, %s1 : f64
      %y2 = arith.mulf %q2, %s2 : f64
      %y01 = arith.addf %y0, %y1 : f64
      %turned = arith.addf %y01, %y2 : f64
      %position = arith.addi %axis, %c3 : index
      %shift = tensor.extract %theta[%position] : tensor<?xf64>
      %x = arith.addf %turned, %shift : f64
      soac.yield %x : f64
    }
    soac.yield %vertex : tensor<3xf64>
  }
  return %vertices : tensor<?x3xf64>
}

// rel[b] R_b. Bone 0 has no angle; of every four bones from there on, the first has none, the
// second flexion and abduction, the third and the fourth flexion, as long as theta lasts.
func.func private @local_transforms(%theta: tensor<?xf64>, %rel: tensor<?x4x4xf64>)
    -> tensor<?x4x4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f64
  %parameters = tensor.dim %theta, %c0 : tensor<?xf64>
  %bones = tensor.dim %rel, %c0 : tensor<?x4x4xf64>
  %range = soac.iota %bones : tensor<?xindex>
  %locals = soac.map ins(%range, %rel : tensor<?xindex>, tensor<?x4x4xf64>)
      (%b: index, %m: tensor<4x4xf64>) -> tensor<?x4x4xf64> {
    %from_3 = arith.addi %b, %c3 : index
    %finger_1 = arith.divui %from_3, %c4 : index
    %joint = arith.remui %from_3, %c4 : index
    %angles_end = arith.muli %finger_1, %c4 : index
    %first = arith.addi %angles_end, %c2 : index
    %end = arith.addi %first, %c4 : index
    %is_below_wrist = arith.cmpi ne, %finger_1, %c0 : index
    %is_in_theta = arith.cmpi ule, %end, %parameters : index
    %is_on_finger = arith.andi %is_below_wrist, %is_in_theta : i1
    %is_joint = arith.cmpi ne, %joint, %c0 : index
    %bends = arith.andi %is_on_finger, %is_joint : i1
    %spreads = arith.cmpi eq, %joint, %c1 : index
    %flexion, %abduction = scf.if %bends -> (f64, f64) {
      %after = arith.select %spreads, %c0, %joint : index
      %at = arith.addi %first, %after : index
      %x = tensor.extract %theta[%at] : tensor<?xf64>
      %z = scf.if %spreads -> f64 {
        %next = arith.addi %first, %c1 : index
        %angle = tensor.extract %theta[%next] : tensor<?xf64>
        scf.yield %angle : f64
      } else {
        scf.yield %zero : f64
      }
      scf.yield %x, %z : f64, f64
    } else {
      scf.yield %zero, %zero : f64, f64
    }

    // R = Rz Rx has the columns (cz, sz, 0), (-sz cx, cz cx, sx) and (sz sx, -cz sx, cx).
    %sx = math.sin %flexion : f64
    %cx = math.cos %flexion : f64
    %sz = math.sin %abduction : f64
    %cz = math.cos %abduction : f64
    %minus_sz = arith.negf %sz : f64
    %minus_cz = arith.negf %cz : f64
    %r01 = arith.mulf %minus_sz, %cx : f64
    %r11 = arith.mulf %cz, %cx : f64
    %r02 = arith.mulf %sz, %sx : f64
    %r12 = arith.mulf %minus_cz, %sx : f64
    %local = soac.map ins(%m : tensor<4x4xf64>) (%row: tensor<4xf64>) -> tensor<4x4xf64> {
      %m0 = tensor.extract %row[%c0] : tensor<4xf64>
      %m1 = tensor.extract %row[%c1] : tensor<4xf64>
      %m2 = tensor.extract %row[%c2] : tensor<4xf64>
      %m3 = tensor.extract %row[%c3] : tensor<4xf64>
      %l0 = func.call @dot(%m0, %m1, %m2, %cz, %sz, %zero)
          : (f64, f64, f64, f64, f64, f64) -> f64
      %l1 = func.call @dot(%m0, %m1, %m2, %r01, %r11, %sx)
          : (f64, f64, f64, f64, f64, f64) -> f64
      %l2 = func.call @dot(%m0, %m1, %m2, %r02, %r12, %cx)
          : (f64, f64, f64, f64, f64, f64) -> f64
      %new = tensor.from_elements %l0, %l1, %l2, %m3 : tensor<4xf64>
      soac.yield %new : tensor<4xf64>
    }
    soac.yield %local : tensor<4x4xf64>
  }
  return %locals : tensor<?x4x4xf64>
}

// The first three rows of absolute[b] inv[b], which is all that moves a point.
func.func private @skinning_transforms(%parents: tensor<?xi64>, %locals: tensor<?x4x4xf64>,
                                       %inv: tensor<?x4x4xf64>) -> tensor<?x3x4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %zero = arith.constant 0.0 : f64
  %bones = tensor.dim %parents, %c0 : tensor<?xi64>
  %start = tensor.splat %zero[%bones] : tensor<?x3x4xf64>
  %absolutes = scf.for %b = %c0 to %bones step %c1 iter_args(%done = %start)
      -> (tensor<?x3x4xf64>) {
    %id = tensor.extract %parents[%b] : tensor<?xi64>
    %is_root = arith.cmpi slt, %id, %none : i64
    %local = tensor.extract_slice %locals[%b, 0, 0] [1, 4, 4] [1, 1, 1]
        : tensor<?x4x4xf64> to tensor<4x4xf64>
    %absolute = scf.if %is_root -> tensor<3x4xf64> {
      %own = tensor.extract_slice %local[0, 0] [3, 4] [1, 1] : tensor<4x4xf64> to tensor<3x4xf64>
      scf.yield %own : tensor<3x4xf64>
    } else {
      %parent = arith.index_cast %id : i64 to index
      %outer = tensor.extract_slice %done[%parent, 0, 0] [1, 3, 4] [1, 1, 1]
          : tensor<?x3x4xf64> to tensor<3x4xf64>
      %product = func.call @matmul(%outer, %local) : (tensor<3x4xf64>, tensor<4x4xf64>)
          -> tensor<3x4xf64>
      scf.yield %product : tensor<3x4xf64>
    }
    %next = tensor.insert_slice %absolute into %done[%b, 0, 0] [1, 3, 4] [1, 1, 1]
        : tensor<3x4xf64> into tensor<?x3x4xf64>
    scf.yield %next : tensor<?x3x4xf64>
  }
  %skinning = soac.map ins(%absolutes, %inv : tensor<?x3x4xf64>, tensor<?x4x4xf64>)
      (%absolute: tensor<3x4xf64>, %back: tensor<4x4xf64>) -> tensor<?x3x4xf64> {
    %product = func.call @matmul(%absolute, %back) : (tensor<3x4xf64>, tensor<4x4xf64>)
        -> tensor<3x4xf64>
    soac.yield %product : tensor<3x4xf64>
  }
  return %skinning : tensor<?x3x4xf64>
}

// The matrix that turns about the axis theta[0:3] by the angle |theta[0:3]|:
// cos I + sin / angle [theta]x + (1 - cos) / angle^2 theta theta^T; at zero, I + [theta]x.
func.func private @global_rotation(%theta: tensor<?xf64>) -> tensor<3x3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %x = tensor.extract %theta[%c0] : tensor<?xf64>
  %y = tensor.extract %theta[%c1] : tensor<?xf64>
  %z = tensor.extract %theta[%c2] : tensor<?xf64>
  %square = func.call @dot(%x, %y, %z, %x, %y, %z) : (f64, f64, f64, f64, f64, f64) -> f64
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
  %ax = arith.mulf %x, %axis_part : f64
  %ay = arith.mulf %y, %axis_part : f64
  %az = arith.mulf %z, %axis_part : f64
  %sx = arith.mulf %x, %sine_part : f64
  %sy = arith.mulf %y, %sine_part : f64
  %sz = arith.mulf %z, %sine_part : f64
  %xx = arith.mulf %x, %ax : f64
  %yy = arith.mulf %y, %ay : f64
  %zz = arith.mulf %z, %az : f64
  %xy = arith.mulf %x, %ay : f64
  %xz = arith.mulf %x, %az : f64
  %yz = arith.mulf %y, %az : f64
  %r00 = arith.addf %xx, %cos : f64
  %r01 = arith.subf %xy, %sz : f64
  %r02 = arith.addf %xz, %sy : f64
  %r10 = arith.addf %xy, %sz : f64
  %r11 = arith.addf %yy, %cos : f64
  %r12 = arith.subf %yz, %sx : f64
  %r20 = arith.subf %xz, %sy : f64
  %r21 = arith.addf %yz, %sx : f64
  %r22 = arith.addf %zz, %cos : f64
  %r = tensor.from_elements %r00, %r01, %r02, %r10, %r11, %r12, %r20, %r21, %r22
      : tensor<3x3xf64>
  return %r : tensor<3x3xf64>
}

// Row i of transform b, applied to (x, y, z, 1).
func.func private @apply_row(%transforms: tensor<?x3x4xf64>, %b: index, %i: index,
                             %x: f64, %y: f64, %z: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %a0 = tensor.extract %transforms[%b, %i, %c0] : tensor<?x3x4xf64>
  %a1 = tensor.extract %transforms[%b, %i, %c1] : tensor<?x3x4xf64>
  %a2 = tensor.extract %transforms[%b, %i, %c2] : tensor<?x3x4xf64>
  %a3 = tensor.extract %transforms[%b, %i, %c3] : tensor<?x3x4xf64>
  %turned = func.call @dot(%a0, %a1, %a2, %x, %y, %z) : (f64, f64, f64, f64, f64, f64) -> f64
  %moved = arith.addf %turned, %a3 : f64
  return %moved : f64
}

func.func private @matmul(%a: tensor<3x4xf64>, %b: tensor<4x4xf64>) -> tensor<3x4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %columns = soac.iota : tensor<4xindex>
  %product = soac.map ins(%a : tensor<3x4xf64>) (%row: tensor<4xf64>) -> tensor<3x4xf64> {
    %a0 = tensor.extract %row[%c0] : tensor<4xf64>
    %a1 = tensor.extract %row[%c1] : tensor<4xf64>
    %a2 = tensor.extract %row[%c2] : tensor<4xf64>
    %a3 = tensor.extract %row[%c3] : tensor<4xf64>
    %new = soac.map ins(%columns : tensor<4xindex>) (%j: index) -> tensor<4xf64> {
      %b0 = tensor.extract %b[%c0, %j] : tensor<4x4xf64>
      %b1 = tensor.extract %b[%c1, %j] : tensor<4x4xf64>
      %b2 = tensor.extract %b[%c2, %j] : tensor<4x4xf64>
      %b3 = tensor.extract %b[%c3, %j] : tensor<4x4xf64>
      %three = func.call @dot(%a0, %a1, %a2, %b0, %b1, %b2)
          : (f64, f64, f64, f64, f64, f64) -> f64
      %last = arith.mulf %a3, %b3 : f64
      %entry = arith.addf %three, %last : f64
      soac.yield %entry : f64
    }
    soac.yield %new : tensor<4xf64>
  }
  return %product : tensor<3x4xf64>
}

func.func private @dot(%a0: f64, %a1: f64, %a2: f64, %b0: f64, %b1: f64, %b2: f64) -> f64 {
  %p0 = arith.mulf %a0, %b0 : f64
  %p1 = arith.mulf %a1, %b1 : f64
  %p2 = arith.mulf %a2, %b2 : f64
  %s = arith.addf %p0, %p1 : f64
  %sum = arith.addf %s, %p2 : f64
  return %sum : f64
}

func.func private @sum(%v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = soac.reduce ins(%v : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %sum : f64
}

// The vector of n numbers with one at position k and zero elsewhere.
func.func private @one_hot(%k: index, %n: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %range = soac.iota %n : tensor<?xindex>
  %direction = soac.map ins(%range : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %here = arith.cmpi eq, %i, %k : index
    %entry = arith.select %here, %one, %zero : f64
    soac.yield %entry : f64
  }
  return %direction : tensor<?xf64>
}
