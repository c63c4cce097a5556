// sum_b w[b] sin(h[b]), h[b] = product of v^2 in bin b. v_bar = w[b] cos(h[b])
// 2 h[b] / v, and zero for v = 0, which enters as a square.

#include <hist_mul.h>

#include <vector>

#include "results.h"
#include "vector_math.h"

static std::vector<double> histogram(const ad_f64_1d *v, const ad_i64_1d *ix,
                                     uint64_t m) {
  std::vector<double> h(m, 1.0);
  for (int64_t i = 0; i < v->sizes[0]; ++i)
    if (static_cast<uint64_t>(ix->aligned[i]) < m)
      h[ix->aligned[i]] *= v->aligned[i] * v->aligned[i];
  return h;
}

double objective(const ad_f64_1d *v, const ad_i64_1d *ix, const ad_f64_1d *w) {
  const uint64_t m = w->sizes[0];
  std::vector<double> h = histogram(v, ix, m);
  sines(h.data(), m, h.data());
  double sum = 0;
  for (uint64_t b = 0; b < m; ++b)
    sum += w->aligned[b] * h[b];
  return sum;
}

void gradient(const ad_f64_1d *v, const ad_i64_1d *ix, const ad_f64_1d *w,
              ad_f64_1d *result) {
  const uint64_t m = w->sizes[0];
  const int64_t n = v->sizes[0];
  double *v_bar = allocate(result, n);
  const std::vector<double> h = histogram(v, ix, m);
  std::vector<double> slope(m);
  cosines(h.data(), m, slope.data());
  for (uint64_t b = 0; b < m; ++b)
    slope[b] *= 2 * w->aligned[b] * h[b];
  for (int64_t i = 0; i < n; ++i) {
    const uint64_t b = ix->aligned[i];
    const double value = v->aligned[i];
    v_bar[i] = b < m && value != 0 ? slope[b] / value : 0;
  }
}
