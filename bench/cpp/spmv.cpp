// The sum of the squares of a sparse matrix, a list of entries, times a vector.

#include <spmv.h>

#include <algorithm>

#include "results.h"

namespace {
// The product, which needs no order of the entries.
void product(const ad_i64_1d *rows, const ad_i64_1d *columns,
             const ad_f64_1d *values, const ad_f64_1d *x, double *y) {
  std::fill_n(y, x->sizes[0], 0.0);
  for (int64_t k = 0; k < values->sizes[0]; ++k)
    y[rows->aligned[k]] += values->aligned[k] * x->aligned[columns->aligned[k]];
}
} // namespace

double objective(const ad_i64_1d *rows, const ad_i64_1d *columns,
                 const ad_f64_1d *values, const ad_f64_1d *x) {
  const int64_t n = x->sizes[0];
  const Buffer<double> y(n);
  product(rows, columns, values, x, y.data());
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) {
#pragma clang fp reassociate(on)
    sum += y[i] * y[i];
  }
  return sum;
}

void gradient(const ad_i64_1d *rows, const ad_i64_1d *columns,
              const ad_f64_1d *values, const ad_f64_1d *x, ad_f64_1d *result0,
              ad_f64_1d *result1) {
  const int64_t n = x->sizes[0], entries = values->sizes[0];
  double *values_bar = allocate(result0, entries), *x_bar = allocate(result1, n);
  const Buffer<double> y(n);
  product(rows, columns, values, x, y.data());
  std::fill_n(x_bar, n, 0.0);
  for (int64_t k = 0; k < entries; ++k) {
    const int64_t row = rows->aligned[k], column = columns->aligned[k];
    const double y_bar = 2 * y[row];
    values_bar[k] = y_bar * x->aligned[column];
    x_bar[column] += y_bar * values->aligned[k];
  }
}
