// sum_i <W_i, Y_i> with Y_i = Y_(i-1) A_i. Backwards, R_i = W_i + R_(i+1)
// A_(i+1)^T is the derivative with respect to Y_i, and that with respect to A_i
// is Y_(i-1)^T R_i.

#include <scan_mat2.h>

#include "results.h"

double objective(const ad_f64_3d *A, const ad_f64_3d *W) {
  double y00 = 1, y01 = 0, y10 = 0, y11 = 1, sum = 0;
  for (int64_t i = 0; i < A->sizes[0]; ++i) {
    const double *a = A->aligned + 4 * i, *w = W->aligned + 4 * i;
    const double z00 = y00 * a[0] + y01 * a[2], z01 = y00 * a[1] + y01 * a[3];
    const double z10 = y10 * a[0] + y11 * a[2], z11 = y10 * a[1] + y11 * a[3];
    y00 = z00, y01 = z01, y10 = z10, y11 = z11;
    sum += (w[0] * y00 + w[1] * y01) + (w[2] * y10 + w[3] * y11);
  }
  return sum;
}

void gradient(const ad_f64_3d *A, const ad_f64_3d *W, ad_f64_3d *result) {
  const int64_t n = A->sizes[0];
  double *A_bar = allocate(result, n, 2, 2);
  // A_bar[i] first holds Y_(i-1).
  double y00 = 1, y01 = 0, y10 = 0, y11 = 1;
  for (int64_t i = 0; i < n; ++i) {
    const double *a = A->aligned + 4 * i;
    double *y = A_bar + 4 * i;
    y[0] = y00, y[1] = y01, y[2] = y10, y[3] = y11;
    const double z00 = y00 * a[0] + y01 * a[2], z01 = y00 * a[1] + y01 * a[3];
    const double z10 = y10 * a[0] + y11 * a[2], z11 = y10 * a[1] + y11 * a[3];
    y00 = z00, y01 = z01, y10 = z10, y11 = z11;
  }
  // R_(i+1) A_(i+1)^T.
  double s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (int64_t i = n - 1; i >= 0; --i) {
    const double *a = A->aligned + 4 * i, *w = W->aligned + 4 * i;
    double *y = A_bar + 4 * i;
    const double r00 = w[0] + s00, r01 = w[1] + s01, r10 = w[2] + s10,
                 r11 = w[3] + s11;
    const double a00 = y[0] * r00 + y[2] * r10, a01 = y[0] * r01 + y[2] * r11;
    const double a10 = y[1] * r00 + y[3] * r10, a11 = y[1] * r01 + y[3] * r11;
    y[0] = a00, y[1] = a01, y[2] = a10, y[3] = a11;
    s00 = r00 * a[0] + r01 * a[1], s01 = r00 * a[2] + r01 * a[3];
    s10 = r10 * a[0] + r11 * a[1], s11 = r10 * a[2] + r11 * a[3];
  }
}
