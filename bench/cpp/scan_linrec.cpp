// sum_i w_i h_i with h_i = a_i h_(i-1) + b_i. Backwards, r_i = w_i + a_(i+1)
// r_(i+1) is the derivative with respect to h_i and b_i, and that with respect
// to a_i is r_i h_(i-1).

#include <scan_linrec.h>

#include "results.h"

double objective(const ad_f64_1d *a, const ad_f64_1d *b, const ad_f64_1d *w) {
  double h = 0, sum = 0;
  for (int64_t i = 0; i < a->sizes[0]; ++i) {
    h = a->aligned[i] * h + b->aligned[i];
    sum += w->aligned[i] * h;
  }
  return sum;
}

void gradient(const ad_f64_1d *a, const ad_f64_1d *b, const ad_f64_1d *w,
              ad_f64_1d *result0, ad_f64_1d *result1) {
  const int64_t n = a->sizes[0];
  double *a_bar = allocate(result0, n), *b_bar = allocate(result1, n);
  // a_bar[i] first holds h_(i-1).
  double h = 0;
  for (int64_t i = 0; i < n; ++i) {
    a_bar[i] = h;
    h = a->aligned[i] * h + b->aligned[i];
  }
  double next = 0;
  for (int64_t i = n - 1; i >= 0; --i) {
    const double r = w->aligned[i] + next;
    a_bar[i] *= r;
    b_bar[i] = r;
    next = a->aligned[i] * r;
  }
}
