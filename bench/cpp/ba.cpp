// Bundle adjustment: reprojection errors and the blocks of their Jacobian by
// hand.
//
// What depends on the camera only is computed once per camera: the matrix R of
// its rotation, and J with d(R v) = (J dr) x (R v).
//
// For an observation, P = R (X - c), e = (P_0, P_1) / P_2, q = |e|^2, s = 1 +
// k1 q + k2 q^2. The derivatives a = d(error) / dP of a row give the row's
// other entries:
//
//   by X: R^T a     by c: -R^T a     by r: J^T (P x a)

#include "ba.h"

#include "arrays.h"
#include "rotation.h"

#include <cstring>
#include <new>

namespace {

// Three numbers and one that does not matter.
typedef double Three __attribute__((vector_size(32)));

struct Camera {
  Three R[3], J[3]; // rows
  double centre[3], focal, principal[2], k1, k2;

  explicit Camera(const double *numbers)
      : centre{numbers[3], numbers[4], numbers[5]}, focal(numbers[6]),
        principal{numbers[7], numbers[8]}, k1(numbers[9]), k2(numbers[10]) {
    const Rotation rotation(numbers);
    for (int i = 0; i < 3; ++i) {
      R[i] = Three{rotation.R[i][0], rotation.R[i][1], rotation.R[i][2], 0};
      J[i] = Three{rotation.J[i][0], rotation.J[i][1], rotation.J[i][2], 0};
    }
  }
};

struct Projection {
  double P[3], depth, e[2], square, s;

  Projection(const Camera &camera, const double *X) {
    const double v[3] = {X[0] - camera.centre[0], X[1] - camera.centre[1],
                         X[2] - camera.centre[2]};
    for (int i = 0; i < 3; ++i)
      P[i] =
          camera.R[i][0] * v[0] + camera.R[i][1] * v[1] + camera.R[i][2] * v[2];
    depth = 1 / P[2];
    e[0] = P[0] * depth;
    e[1] = P[1] * depth;
    square = e[0] * e[0] + e[1] * e[1];
    s = 1 + square * (camera.k1 + camera.k2 * square);
  }
};

struct Cameras {
  Buffer<Camera> cameras;

  explicit Cameras(const ad_f64_2d *cams)
      : cameras(new_buffer<Camera>(cams->sizes[0])) {
    for (int64_t i = 0; i < cams->sizes[0]; ++i)
      new (&cameras[i]) Camera(cams->aligned + i * 11);
  }
};

/// One row of a block: `along` is the component of the error, `error` what the
/// weight multiplies.
void write_row(const Camera &camera, const Projection &p, double w, int along,
               double error, double *row) {
  // f s e[along] has the derivative f (s + e[along] ds / de ...) by e, and e
  // has one by P.
  const double wf = w * camera.focal, *e = p.e;
  const double slope =
      wf * 2 * (camera.k1 + 2 * camera.k2 * p.square) * e[along];
  double by_e[2] = {slope * e[0], slope * e[1]};
  by_e[along] += wf * p.s;
  const double a[3] = {by_e[0] * p.depth, by_e[1] * p.depth,
                       -(by_e[0] * e[0] + by_e[1] * e[1]) * p.depth};
  const double *P = p.P;
  const double turn[3] = {P[1] * a[2] - P[2] * a[1], P[2] * a[0] - P[0] * a[2],
                          P[0] * a[1] - P[1] * a[0]};
  // A store leaves a fourth number, which a later one replaces.
  const Three by_rotation =
      camera.J[0] * turn[0] + camera.J[1] * turn[1] + camera.J[2] * turn[2];
  const Three by_point =
      camera.R[0] * a[0] + camera.R[1] * a[1] + camera.R[2] * a[2];
  const Three by_centre = -by_point;
  std::memcpy(row, &by_rotation, sizeof(Three));
  std::memcpy(row + 3, &by_centre, sizeof(Three));
  std::memcpy(row + 11, &by_point, sizeof(Three));
  row[6] = w * p.s * e[along];
  row[7] = along == 0 ? w : 0;
  row[8] = along == 1 ? w : 0;
  row[9] = wf * e[along] * p.square;
  row[10] = row[9] * p.square;
  row[14] = error;
}

} // namespace

void objective(const ad_f64_2d *cams, const ad_f64_2d *X, const ad_f64_1d *w,
               const ad_f64_2d *feats, const ad_i64_2d *obs, ad_f64_2d *result0,
               ad_f64_1d *result1) {
  const int64_t p = w->sizes[0];
  double *__restrict errors = new_result(result0, {p, 2});
  double *__restrict weight_errors = new_result(result1, {p});
  const Cameras table(cams);
  for (int64_t o = 0; o < p; ++o) {
    const Camera &camera = table.cameras[obs->aligned[2 * o]];
    const Projection projection(camera,
                                X->aligned + 3 * obs->aligned[2 * o + 1]);
    const double weight = w->aligned[o], fs = camera.focal * projection.s;
    for (int i = 0; i < 2; ++i)
      errors[2 * o + i] = weight * (fs * projection.e[i] + camera.principal[i] -
                                    feats->aligned[2 * o + i]);
    weight_errors[o] = 1 - weight * weight;
  }
}

void jacobian(const ad_f64_2d *cams, const ad_f64_2d *X, const ad_f64_1d *w,
              const ad_f64_2d *feats, const ad_i64_2d *obs, ad_f64_3d *result0,
              ad_f64_1d *result1) {
  const int64_t p = w->sizes[0];
  double *__restrict blocks = new_result(result0, {p, 2, 15});
  double *__restrict slopes = new_result(result1, {p});
  const Cameras table(cams);
  for (int64_t o = 0; o < p; ++o) {
    const Camera &camera = table.cameras[obs->aligned[2 * o]];
    const Projection projection(camera,
                                X->aligned + 3 * obs->aligned[2 * o + 1]);
    const double weight = w->aligned[o], fs = camera.focal * projection.s;
    for (int i = 0; i < 2; ++i) {
      const double error = fs * projection.e[i] + camera.principal[i] -
                           feats->aligned[2 * o + i];
      write_row(camera, projection, weight, i, error,
                blocks + (2 * o + i) * 15);
    }
    slopes[o] = -2 * weight;
  }
}
