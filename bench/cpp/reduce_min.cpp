// The least element; the derivative is one for the first that has this value.

#include "reduce_min.h"

#include <cstring>

#include "results.h"
#include "vector_math.h"

double objective(const ad_f64_1d *x) {
  return -largest(x->aligned, x->sizes[0], -1);
}

void gradient(const ad_f64_1d *x, ad_f64_1d *result) {
  const double *v = x->aligned;
  const int64_t n = x->sizes[0];
  double *v_bar = allocate(result, n);
  const double least = -largest(v, n, -1);
  std::memset(v_bar, 0, n * sizeof(double));
  for (int64_t i = 0; i < n; ++i)
    if (v[i] == least) {
      v_bar[i] = 1;
      break;
    }
}
