// The product of all elements. The derivative is the product of the others: the
// whole divided by the element, unless there are zeros; with one zero only its
// own derivative is not zero.

#include <reduce_mul.h>

#include <cstring>

#include "results.h"

double objective(const ad_f64_1d *x) {
#pragma clang fp reassociate(on)
  const double *v = x->aligned;
  const int64_t n = x->sizes[0];
  double product = 1;
  for (int64_t i = 0; i < n; ++i)
    product *= v[i];
  return product;
}

void gradient(const ad_f64_1d *x, ad_f64_1d *result) {
#pragma clang fp reassociate(on)
  const double *v = x->aligned;
  const int64_t n = x->sizes[0];
  double *v_bar = allocate(result, n);
  double product = 1;
  int64_t zeros = 0;
  for (int64_t i = 0; i < n; ++i) {
    product *= v[i] == 0 ? 1 : v[i];
    zeros += v[i] == 0;
  }
  if (zeros == 0) {
    for (int64_t i = 0; i < n; ++i)
      v_bar[i] = product / v[i];
    return;
  }
  std::memset(v_bar, 0, n * sizeof(double));
  for (int64_t i = 0; zeros == 1 && i < n; ++i)
    if (v[i] == 0)
      v_bar[i] = product;
}
