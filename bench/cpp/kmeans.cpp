// The cost of k centres for n points. A point moves with its nearest centre c
// only, so with n_c points whose sum is S_c the gradient is 2 (n_c C_c - S_c),
// and the diagonal of the Hessian 2 n_c.
//
// |P_i - C_c|^2 = |P_i|^2 + (|C_c|^2 - 2 <P_i, C_c>), with the inner products
// as a matrix product, for as many points at a time as the cache holds.

#include "kmeans.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "gemm.h"
#include "results.h"

static double norm(const double *v, int64_t d) {
#pragma clang fp reassociate(on)
  double sum = 0;
  for (int64_t j = 0; j < d; ++j)
    sum += v[j] * v[j];
  return sum;
}

// Calls visit(i, c) with the nearest centre c of each point i; returns the
// cost.
template <class Visit>
static double nearest(const ad_f64_2d *C, const ad_f64_2d *P, Visit visit) {
  const int64_t k = C->sizes[0], d = C->sizes[1], n = P->sizes[0];
  const int64_t block =
      std::clamp<int64_t>(32768 / std::max<int64_t>(k, 1), 48, 1024);
  std::vector<double> norms(k), scores(block * k);
  for (int64_t c = 0; c < k; ++c)
    norms[c] = norm(C->aligned + c * d, d);
  Gemm<double> gemm;
  double cost = 0;
  for (int64_t start = 0; start < n; start += block) {
    const int64_t count = std::min(block, n - start);
    const double *points = P->aligned + start * d;
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(&scores[i * k], norms.data(), k * sizeof(double));
    gemm.add(count, k, d, -2, points, d, 1, C->aligned, 1, d, scores.data(), k);
    for (int64_t i = 0; i < count; ++i) {
      const double *row = &scores[i * k];
      double least = INFINITY;
      int64_t centre = 0;
      for (int64_t c = 0; c < k; ++c)
        if (row[c] < least) {
          least = row[c];
          centre = c;
        }
      cost += least + norm(points + i * d, d);
      visit(start + i, centre);
    }
  }
  return cost;
}

double objective(const ad_f64_2d *C, const ad_f64_2d *P) {
  return nearest(C, P, [](int64_t, int64_t) {});
}

void gradient_hessian(const ad_f64_2d *C, const ad_f64_2d *P,
                      ad_f64_2d *result0, ad_f64_2d *result1) {
  const int64_t k = C->sizes[0], d = C->sizes[1];
  double *gradient = allocate(result0, k, d),
         *diagonal = allocate(result1, k, d);
  std::vector<double> sums(k * d);
  std::vector<int64_t> counts(k);
  nearest(C, P, [&](int64_t i, int64_t c) {
    ++counts[c];
    double *sum = &sums[c * d];
    const double *point = P->aligned + i * d;
    for (int64_t j = 0; j < d; ++j)
      sum[j] += point[j];
  });
  for (int64_t c = 0; c < k; ++c) {
    const double count = counts[c];
    for (int64_t j = 0; j < d; ++j) {
      gradient[c * d + j] =
          2 * (count * C->aligned[c * d + j] - sums[c * d + j]);
      diagonal[c * d + j] = 2 * count;
    }
  }
}
