// The matrix of an angle-axis rotation, and its derivative.

#ifndef BENCH_CPP_ROTATION_H
#define BENCH_CPP_ROTATION_H

#include <cmath>

/// Of the rotation about r by angle = |r|: the matrix R, and the left Jacobian
/// J, for which d(R v) = (J dr) x (R v).
///
///   R = cos I + sin / angle [r]x + (1 - cos) / angle^2 r r^T
///   J = sin / angle I + (1 - cos) / angle^2 [r]x + (angle - sin) / angle^3 r
///   r^T
///
/// At r = 0, R = J = I.
struct Rotation {
  double R[3][3], J[3][3];

  explicit Rotation(const double *r) {
    const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    const double angle = std::sqrt(square), sine = std::sin(angle);
    const double half = std::sin(0.5 * angle);
    const double sine_part = square != 0 ? sine / angle : 1;
    const double versine_part = square != 0 ? 2 * half * half / square : 0;
    // Where the difference would cancel, its Taylor series.
    const double rest_part =
        square > 1e-2
            ? (angle - sine) / (square * angle)
            : 1. / 6 - square / 120 * (1 - square / 42 * (1 - square / 72));
    const double cross[3][3] = {
        {0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0}};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        R[i][j] = sine_part * cross[i][j] + versine_part * r[i] * r[j];
        J[i][j] = versine_part * cross[i][j] + rest_part * r[i] * r[j];
      }
      R[i][i] += std::cos(angle);
      J[i][i] += sine_part;
    }
  }
};

#endif
