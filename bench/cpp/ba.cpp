// Bundle adjustment: reprojection errors and the blocks of their Jacobian by
// hand.
//
// What depends on the camera only is computed once per camera: the matrix R of
// its rotation r and the left Jacobian J of the rotation, for which d(R v) = (J
// dr) x (R v). With angle = |r|,
//
//   R = cos I + sin / angle [r]x + (1 - cos) / angle^2 r r^T
//   J = sin / angle I + (1 - cos) / angle^2 [r]x + (angle - sin) / angle^3 r
//   r^T
//
// For an observation, P = R (X - c), e = (P_0, P_1) / P_2, q = |e|^2, s = 1 +
// k1 q + k2 q^2. The derivatives a = d(error) / dP of a row give the row's
// other entries:
//
//   by X: R^T a     by c: -R^T a     by r: J^T (P x a)

#include "ba.h"

#include "arrays.h"

#include <cmath>
#include <cstring>
#include <new>

namespace {

// Three numbers and one that does not matter.
typedef double Three __attribute__((vector_size(32)));

struct Camera {
  Three R[3], J[3]; // rows
  double centre[3], focal, principal[2], k1, k2;

  explicit Camera(const double *numbers) : R{}, J{} {
    const double *r = numbers;
    const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    // cos, sin / angle, (1 - cos) / angle^2, (angle - sin) / angle^3
    double cosine = 1, sine_part = 1, versine_part = 0, rest_part = 0;
    if (square != 0) {
      const double angle = std::sqrt(square), sine = std::sin(angle);
      cosine = std::cos(angle);
      sine_part = sine / angle;
      const double half = std::sin(0.5 * angle);
      versine_part = 2 * half * half / square;
      // Where the difference would cancel, its Taylor series.
      rest_part =
          square > 1e-2
              ? (angle - sine) / (square * angle)
              : 1. / 6 - square / 120 * (1 - square / 42 * (1 - square / 72));
    }
    const double cross[3][3] = {
        {0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0}};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        R[i][j] = sine_part * cross[i][j] + versine_part * r[i] * r[j];
        J[i][j] = versine_part * cross[i][j] + rest_part * r[i] * r[j];
      }
      R[i][i] += cosine;
      J[i][i] += sine_part;
      centre[i] = numbers[3 + i];
    }
    if (square == 0) // R = I + [r]x: its derivative is that of the limit
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          J[i][j] = i == j;
    focal = numbers[6];
    principal[0] = numbers[7];
    principal[1] = numbers[8];
    k1 = numbers[9];
    k2 = numbers[10];
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
