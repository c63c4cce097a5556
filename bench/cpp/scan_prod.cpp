// sum_i w_i p_i with the running products p_i = x_0 ... x_i. Backwards, r_i =
// w_i + x_(i+1) r_(i+1) is the derivative with respect to p_i, and that with
// respect to x_i is r_i p_(i-1).

#include <scan_prod.h>

#include "results.h"

double objective(const ad_f64_1d *x, const ad_f64_1d *w) {
  double product = 1, sum = 0;
  for (int64_t i = 0; i < x->sizes[0]; ++i) {
    product *= x->aligned[i];
    sum += w->aligned[i] * product;
  }
  return sum;
}

void gradient(const ad_f64_1d *x, const ad_f64_1d *w, ad_f64_1d *result) {
  const int64_t n = x->sizes[0];
  double *x_bar = allocate(result, n);
  // x_bar[i] first holds p_(i-1).
  double product = 1;
  for (int64_t i = 0; i < n; ++i) {
    x_bar[i] = product;
    product *= x->aligned[i];
  }
  double r = 0;
  for (int64_t i = n - 1; i >= 0; --i) {
    r += w->aligned[i];
    x_bar[i] *= r;
    r *= x->aligned[i];
  }
}
