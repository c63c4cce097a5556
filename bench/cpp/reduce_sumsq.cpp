// The sum of squares; its gradient is 2 x.

#include <reduce_sumsq.h>

#include "results.h"

double objective(const ad_f64_1d *x) {
#pragma clang fp reassociate(on)
  const double *v = x->aligned;
  const int64_t n = x->sizes[0];
  double sum = 0;
  for (int64_t i = 0; i < n; ++i)
    sum += v[i] * v[i];
  return sum;
}

void gradient(const ad_f64_1d *x, ad_f64_1d *result) {
  const double *v = x->aligned;
  const int64_t n = x->sizes[0];
  double *v_bar = allocate(result, n);
  for (int64_t i = 0; i < n; ++i)
    v_bar[i] = 2 * v[i];
}
