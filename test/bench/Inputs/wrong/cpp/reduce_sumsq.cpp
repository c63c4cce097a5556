// A peer whose gradient is wrong in one place.

#include <reduce_sumsq.h>

#include <cstdlib>

double objective(const ad_f64_1d *x) {
  double sum = 0;
  for (int64_t i = 0; i < x->sizes[0]; ++i)
    sum += x->aligned[i] * x->aligned[i];
  return sum;
}

void gradient(const ad_f64_1d *x, ad_f64_1d *result) {
  const int64_t n = x->sizes[0];
  auto *x_bar = static_cast<double *>(std::malloc(n * sizeof(double)));
  for (int64_t i = 0; i < n; ++i)
    x_bar[i] = 2 * x->aligned[i];
  x_bar[n / 2] += 0.001;
  *result = ad_f64_1d_view(x_bar, n);
}
