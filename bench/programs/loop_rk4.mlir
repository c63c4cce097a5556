// The sum of squares of the state after n RK4 steps of the Lorenz system, and its gradient
// (BENCHMARKS: loop_rk4).
//
//   x' = p0 (y - x), y' = x (p1 - z) - y, z' = x y - p2 z
//
// objective(y0: 3, p: 3, dt: f64, n: i64) -> f64
// gradient, gradient_stripmined(same) -> (3, 3)
//
// The second gradient splits the loop into three levels: n / 10000 + 100 + 100 saved states
// instead of n, and the body runs four times instead of twice.

func.func @objective(%y0: tensor<3xf64>, %p: tensor<3xf64>, %dt: f64, %n: i64) -> f64 {
  %first = arith.constant 0 : index
  %second = arith.constant 1 : index
  %third = arith.constant 2 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2.0 : f64
  %six = arith.constant 6.0 : f64
  %half = arith.divf %dt, %two : f64
  %sixth = arith.divf %dt, %six : f64
  %p0 = tensor.extract %p[%first] : tensor<3xf64>
  %p1 = tensor.extract %p[%second] : tensor<3xf64>
  %p2 = tensor.extract %p[%third] : tensor<3xf64>
  %x0 = tensor.extract %y0[%first] : tensor<3xf64>
  %x1 = tensor.extract %y0[%second] : tensor<3xf64>
  %x2 = tensor.extract %y0[%third] : tensor<3xf64>
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%x = %x0, %y = %x1, %z = %x2) -> (f64, f64, f64) : i64 {
    %a0 = arith.subf %y, %x : f64
    %ax = arith.mulf %p0, %a0 : f64
    %a1 = arith.subf %p1, %z : f64
    %a2 = arith.mulf %x, %a1 : f64
    %ay = arith.subf %a2, %y : f64
    %a3 = arith.mulf %x, %y : f64
    %a4 = arith.mulf %p2, %z : f64
    %az = arith.subf %a3, %a4 : f64
    %smx = arith.mulf %half, %ax : f64
    %sx = arith.addf %x, %smx : f64
    %smy = arith.mulf %half, %ay : f64
    %sy = arith.addf %y, %smy : f64
    %smz = arith.mulf %half, %az : f64
    %sz = arith.addf %z, %smz : f64
    %b0 = arith.subf %sy, %sx : f64
    %bx = arith.mulf %p0, %b0 : f64
    %b1 = arith.subf %p1, %sz : f64
    %b2 = arith.mulf %sx, %b1 : f64
    %by = arith.subf %b2, %sy : f64
    %b3 = arith.mulf %sx, %sy : f64
    %b4 = arith.mulf %p2, %sz : f64
    %bz = arith.subf %b3, %b4 : f64
    %tmx = arith.mulf %half, %bx : f64
    %tx = arith.addf %x, %tmx : f64
    %tmy = arith.mulf %half, %by : f64
    %ty = arith.addf %y, %tmy : f64
    %tmz = arith.mulf %half, %bz : f64
    %tz = arith.addf %z, %tmz : f64
    %c0 = arith.subf %ty, %tx : f64
    %cx = arith.mulf %p0, %c0 : f64
    %c1 = arith.subf %p1, %tz : f64
    %c2 = arith.mulf %tx, %c1 : f64
    %cy = arith.subf %c2, %ty : f64
    %c3 = arith.mulf %tx, %ty : f64
    %c4 = arith.mulf %p2, %tz : f64
    %cz = arith.subf %c3, %c4 : f64
    %umx = arith.mulf %dt, %cx : f64
    %ux = arith.addf %x, %umx : f64
    %umy = arith.mulf %dt, %cy : f64
    %uy = arith.addf %y, %umy : f64
    %umz = arith.mulf %dt, %cz : f64
    %uz = arith.addf %z, %umz : f64
    %d0 = arith.subf %uy, %ux : f64
    %dx = arith.mulf %p0, %d0 : f64
    %d1 = arith.subf %p1, %uz : f64
    %d2 = arith.mulf %ux, %d1 : f64
    %dy = arith.subf %d2, %uy : f64
    %d3 = arith.mulf %ux, %uy : f64
    %d4 = arith.mulf %p2, %uz : f64
    %dz = arith.subf %d3, %d4 : f64
    %ex = arith.addf %bx, %cx : f64
    %fx = arith.mulf %two, %ex : f64
    %gx = arith.addf %ax, %dx : f64
    %hx = arith.addf %fx, %gx : f64
    %ix = arith.mulf %sixth, %hx : f64
    %nx = arith.addf %x, %ix : f64
    %ey = arith.addf %by, %cy : f64
    %fy = arith.mulf %two, %ey : f64
    %gy = arith.addf %ay, %dy : f64
    %hy = arith.addf %fy, %gy : f64
    %iy = arith.mulf %sixth, %hy : f64
    %ny = arith.addf %y, %iy : f64
    %ez = arith.addf %bz, %cz : f64
    %fz = arith.mulf %two, %ez : f64
    %gz = arith.addf %az, %dz : f64
    %hz = arith.addf %fz, %gz : f64
    %iz = arith.mulf %sixth, %hz : f64
    %nz = arith.addf %z, %iz : f64
    scf.yield %nx, %ny, %nz : f64, f64, f64
  }
  %q0 = arith.mulf %r#0, %r#0 : f64
  %q1 = arith.mulf %r#1, %r#1 : f64
  %q2 = arith.mulf %r#2, %r#2 : f64
  %q3 = arith.addf %q0, %q1 : f64
  %q4 = arith.addf %q3, %q2 : f64
  return %q4 : f64
}

func.func @stripmined(%y0: tensor<3xf64>, %p: tensor<3xf64>, %dt: f64, %n: i64) -> f64 {
  %first = arith.constant 0 : index
  %second = arith.constant 1 : index
  %third = arith.constant 2 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2.0 : f64
  %six = arith.constant 6.0 : f64
  %half = arith.divf %dt, %two : f64
  %sixth = arith.divf %dt, %six : f64
  %p0 = tensor.extract %p[%first] : tensor<3xf64>
  %p1 = tensor.extract %p[%second] : tensor<3xf64>
  %p2 = tensor.extract %p[%third] : tensor<3xf64>
  %x0 = tensor.extract %y0[%first] : tensor<3xf64>
  %x1 = tensor.extract %y0[%second] : tensor<3xf64>
  %x2 = tensor.extract %y0[%third] : tensor<3xf64>
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%x = %x0, %y = %x1, %z = %x2) -> (f64, f64, f64) : i64 {
    %a0 = arith.subf %y, %x : f64
    %ax = arith.mulf %p0, %a0 : f64
    %a1 = arith.subf %p1, %z : f64
    %a2 = arith.mulf %x, %a1 : f64
    %ay = arith.subf %a2, %y : f64
    %a3 = arith.mulf %x, %y : f64
    %a4 = arith.mulf %p2, %z : f64
    %az = arith.subf %a3, %a4 : f64
    %smx = arith.mulf %half, %ax : f64
    %sx = arith.addf %x, %smx : f64
    %smy = arith.mulf %half, %ay : f64
    %sy = arith.addf %y, %smy : f64
    %smz = arith.mulf %half, %az : f64
    %sz = arith.addf %z, %smz : f64
    %b0 = arith.subf %sy, %sx : f64
    %bx = arith.mulf %p0, %b0 : f64
    %b1 = arith.subf %p1, %sz : f64
    %b2 = arith.mulf %sx, %b1 : f64
    %by = arith.subf %b2, %sy : f64
    %b3 = arith.mulf %sx, %sy : f64
    %b4 = arith.mulf %p2, %sz : f64
    %bz = arith.subf %b3, %b4 : f64
    %tmx = arith.mulf %half, %bx : f64
    %tx = arith.addf %x, %tmx : f64
    %tmy = arith.mulf %half, %by : f64
    %ty = arith.addf %y, %tmy : f64
    %tmz = arith.mulf %half, %bz : f64
    %tz = arith.addf %z, %tmz : f64
    %c0 = arith.subf %ty, %tx : f64
    %cx = arith.mulf %p0, %c0 : f64
    %c1 = arith.subf %p1, %tz : f64
    %c2 = arith.mulf %tx, %c1 : f64
    %cy = arith.subf %c2, %ty : f64
    %c3 = arith.mulf %tx, %ty : f64
    %c4 = arith.mulf %p2, %tz : f64
    %cz = arith.subf %c3, %c4 : f64
    %umx = arith.mulf %dt, %cx : f64
    %ux = arith.addf %x, %umx : f64
    %umy = arith.mulf %dt, %cy : f64
    %uy = arith.addf %y, %umy : f64
    %umz = arith.mulf %dt, %cz : f64
    %uz = arith.addf %z, %umz : f64
    %d0 = arith.subf %uy, %ux : f64
    %dx = arith.mulf %p0, %d0 : f64
    %d1 = arith.subf %p1, %uz : f64
    %d2 = arith.mulf %ux, %d1 : f64
    %dy = arith.subf %d2, %uy : f64
    %d3 = arith.mulf %ux, %uy : f64
    %d4 = arith.mulf %p2, %uz : f64
    %dz = arith.subf %d3, %d4 : f64
    %ex = arith.addf %bx, %cx : f64
    %fx = arith.mulf %two, %ex : f64
    %gx = arith.addf %ax, %dx : f64
    %hx = arith.addf %fx, %gx : f64
    %ix = arith.mulf %sixth, %hx : f64
    %nx = arith.addf %x, %ix : f64
    %ey = arith.addf %by, %cy : f64
    %fy = arith.mulf %two, %ey : f64
    %gy = arith.addf %ay, %dy : f64
    %hy = arith.addf %fy, %gy : f64
    %iy = arith.mulf %sixth, %hy : f64
    %ny = arith.addf %y, %iy : f64
    %ez = arith.addf %bz, %cz : f64
    %fz = arith.mulf %two, %ez : f64
    %gz = arith.addf %az, %dz : f64
    %hz = arith.addf %fz, %gz : f64
    %iz = arith.mulf %sixth, %hz : f64
    %nz = arith.addf %z, %iz : f64
    scf.yield %nx, %ny, %nz : f64, f64, f64
  } {ad.strip_mine = array<i64: 100, 100>}
  %q0 = arith.mulf %r#0, %r#0 : f64
  %q1 = arith.mulf %r#1, %r#1 : f64
  %q2 = arith.mulf %r#2, %r#2 : f64
  %q3 = arith.addf %q0, %q1 : f64
  %q4 = arith.addf %q3, %q2 : f64
  return %q4 : f64
}

func.func @gradient(%y0: tensor<3xf64>, %p: tensor<3xf64>, %dt: f64, %n: i64)
    -> (tensor<3xf64>, tensor<3xf64>) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @objective(%y0, %p, %dt, %n) seed(%one) {wrt = array<i64: 0, 1>}
      : (tensor<3xf64>, tensor<3xf64>, f64, i64), (f64) -> (f64, tensor<3xf64>, tensor<3xf64>)
  return %r#1, %r#2 : tensor<3xf64>, tensor<3xf64>
}

func.func @gradient_stripmined(%y0: tensor<3xf64>, %p: tensor<3xf64>, %dt: f64, %n: i64)
    -> (tensor<3xf64>, tensor<3xf64>) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @stripmined(%y0, %p, %dt, %n) seed(%one) {wrt = array<i64: 0, 1>}
      : (tensor<3xf64>, tensor<3xf64>, f64, i64), (f64) -> (f64, tensor<3xf64>, tensor<3xf64>)
  return %r#1, %r#2 : tensor<3xf64>, tensor<3xf64>
}
