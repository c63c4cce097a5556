// sum_b w[b] sin(h[b]), h[b] = largest v^2 in bin b, or 0; the derivative w[b]
// cos(h[b]) 2 v belongs to the first value that is the largest of its bin.

#include <hist_max.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "results.h"
#include "vector_math.h"

double objective(const ad_f64_1d *v, const ad_i64_1d *ix, const ad_f64_1d *w) {
  const uint64_t m = w->sizes[0];
  std::vector<double> h(m);
  for (int64_t i = 0; i < v->sizes[0]; ++i) {
    const uint64_t b = ix->aligned[i];
    const double square = v->aligned[i] * v->aligned[i];
    if (b < m && square > h[b])
      h[b] = square;
  }
  sines(h.data(), m, h.data());
  double sum = 0;
  for (uint64_t b = 0; b < m; ++b)
    sum += w->aligned[b] * h[b];
  return sum;
}

void gradient(const ad_f64_1d *v, const ad_i64_1d *ix, const ad_f64_1d *w,
              ad_f64_1d *result) {
  struct Bin {
    double largest = 0;
    int64_t position = -1;
  };
  const uint64_t m = w->sizes[0];
  const int64_t n = v->sizes[0];
  double *v_bar = allocate(result, n);
  std::vector<Bin> bins(m);
  for (int64_t i = 0; i < n; ++i) {
    const uint64_t b = ix->aligned[i];
    const double square = v->aligned[i] * v->aligned[i];
    if (b < m && square > bins[b].largest)
      bins[b] = {square, i};
  }
  std::memset(v_bar, 0, n * sizeof(double));
  for (uint64_t b = 0; b < m; ++b)
    if (const int64_t i = bins[b].position; i >= 0)
      v_bar[i] = 2 * w->aligned[b] * std::cos(bins[b].largest) * v->aligned[i];
}
