// Mean negative log likelihood of logistic regression: softplus(z) - t z with z
// = <x, w> + b. The derivative with respect to z is sigmoid(z) - t, which
// weighs the rows of x.

#include <zygote_logistic.h>

#include <cmath>
#include <cstring>

#include "results.h"

static double dot(const double *a, const double *b, int64_t n) {
#pragma clang fp reassociate(on)
  double sum = 0;
  for (int64_t i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

double objective(const ad_f64_1d *w, double b, const ad_f64_2d *x,
                 const ad_f64_1d *t) {
  const int64_t n = x->sizes[0], d = x->sizes[1];
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double z = dot(x->aligned + i * d, w->aligned, d) + b;
    sum += std::fmax(z, 0) + std::log1p(std::exp(-std::fabs(z))) -
           t->aligned[i] * z;
  }
  return sum / n;
}

void gradient(const ad_f64_1d *w, double b, const ad_f64_2d *x,
              const ad_f64_1d *t, ad_f64_1d *result0, double *result1) {
  const int64_t n = x->sizes[0], d = x->sizes[1];
  double *w_bar = allocate(result0, d), b_bar = 0;
  std::memset(w_bar, 0, d * sizeof(double));
  for (int64_t i = 0; i < n; ++i) {
    const double *row = x->aligned + i * d;
    const double z = dot(row, w->aligned, d) + b;
    const double z_bar = (1 / (1 + std::exp(-z)) - t->aligned[i]) / n;
    b_bar += z_bar;
    for (int64_t j = 0; j < d; ++j)
      w_bar[j] += z_bar * row[j];
  }
  *result1 = b_bar;
}
