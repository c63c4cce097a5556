// log(sum(exp(x))); its gradient is exp(x) divided by the sum, both with the
// maximum subtracted.

#include <reduce_lse.h>

#include <cmath>

#include "results.h"
#include "vector_math.h"

double objective(const ad_f64_1d *x) {
  const double most = largest(x->aligned, x->sizes[0]);
  return std::log(exponentials(x->aligned, most, x->sizes[0], nullptr)) + most;
}

void gradient(const ad_f64_1d *x, ad_f64_1d *result) {
  const int64_t n = x->sizes[0];
  double *x_bar = allocate(result, n);
  const double most = largest(x->aligned, n);
  const double scale = 1 / exponentials(x->aligned, most, n, x_bar);
  for (int64_t i = 0; i < n; ++i)
    x_bar[i] *= scale;
}
