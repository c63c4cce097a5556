// The first column of diag(x) times its first row; the gradient is (2 x[0], 0,
// 0, ...).

#include <diag.h>

#include <cstring>

#include "results.h"

double objective(const ad_f64_1d *x) {
  const auto entry = [x](int64_t i, int64_t j) {
    return i == j ? x->aligned[i] : 0.0;
  };
  double sum = 0;
  for (int64_t i = 0; i < x->sizes[0]; ++i)
    sum += entry(i, 0) * entry(0, i);
  return sum;
}

void gradient(const ad_f64_1d *x, ad_f64_1d *result) {
  const int64_t n = x->sizes[0];
  double *x_bar = allocate(result, n);
  std::memset(x_bar, 0, n * sizeof(double));
  if (n > 0)
    x_bar[0] = 2 * x->aligned[0];
}
