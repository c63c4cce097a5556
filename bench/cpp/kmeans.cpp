// The cost of k centres for n points. A point moves with its nearest centre c
// only, so with n_c points whose sum is S_c the gradient is 2 (n_c C_c - S_c),
// and the diagonal of the Hessian 2 n_c.
//
// |P_i - C_c|^2 = |P_i|^2 + (|C_c|^2 - 2 <P_i, C_c>), with the inner products
// as a matrix product, for as many points at a time as the cache holds.

#include <kmeans.h>

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

typedef double Vector __attribute__((vector_size(32)));

// Adds -2 <P_i, C_c> to scores for a few points and Count vectors of centres,
// which are transposed.
template <int Count, int Points>
static void few(const Vector *centres, const double *points, int64_t d,
                Vector *scores) {
  Vector sums[Points][Count] = {};
  for (int64_t j = 0; j < d; ++j)
    for (int i = 0; i < Points; ++i)
      for (int v = 0; v < Count; ++v)
        sums[i][v] += points[i * d + j] * centres[j * Count + v];
  for (int i = 0; i < Points; ++i)
    for (int v = 0; v < Count; ++v)
      scores[i * Count + v] -= 2 * sums[i][v];
}

// Scores of blocks of points for at most 4 Count centres, all of which stay in
// the cache.
template <int Count> class Few {
  int64_t k, d;
  const double *norms;
  Buffer<Vector> centres;

public:
  static constexpr int64_t Stride = 4 * Count;
  Few(const ad_f64_2d *C, const double *norms)
      : k(C->sizes[0]), d(C->sizes[1]), norms(norms), centres(d * Count) {
    for (int64_t j = 0; j < d; ++j)
      for (int64_t c = 0; c < Stride; ++c)
        centres[j * Count + c / 4][c % 4] = c < k ? C->aligned[c * d + j] : 0;
  }
  int64_t stride() const { return Stride; }
  void operator()(const double *points, int64_t count, double *scores) {
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(scores + i * Stride, norms, k * sizeof(double));
    auto *rows = reinterpret_cast<Vector *>(scores);
    int64_t i = 0;
    for (; i + 4 <= count; i += 4)
      few<Count, 4>(centres.data(), points + i * d, d, rows + i * Count);
    for (; i < count; ++i)
      few<Count, 1>(centres.data(), points + i * d, d, rows + i * Count);
  }
};

// Scores of blocks of points for any number of centres.
class Many {
  const ad_f64_2d *C;
  const double *norms;
  Gemm<double> gemm;

public:
  Many(const ad_f64_2d *C, const double *norms) : C(C), norms(norms) {}
  int64_t stride() const { return C->sizes[0]; }
  void operator()(const double *points, int64_t count, double *scores) {
    const int64_t k = C->sizes[0], d = C->sizes[1];
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(scores + i * k, norms, k * sizeof(double));
    gemm.add(count, k, d, -2, points, d, 1, C->aligned, 1, d, scores, k);
  }
};

// Calls visit(i, c) with the nearest centre c of each point i; returns the
// cost.
template <class Scorer, class Visit>
static double search(const ad_f64_2d *P, int64_t k, Scorer scorer,
                     Visit visit) {
  const int64_t n = P->sizes[0], d = P->sizes[1], stride = scorer.stride();
  const int64_t block = std::clamp<int64_t>(32768 / stride, 48, 512);
  const Buffer<double> scores(block * stride);
  double cost = 0;
  for (int64_t start = 0; start < n; start += block) {
    const int64_t count = std::min(block, n - start);
    const double *points = P->aligned + start * d;
    scorer(points, count, scores.data());
    for (int64_t i = 0; i < count; ++i) {
      const double *row = &scores[i * stride];
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

template <class Visit>
static double nearest(const ad_f64_2d *C, const ad_f64_2d *P, Visit visit) {
  const int64_t k = C->sizes[0], d = C->sizes[1];
  std::vector<double> norms(k);
  for (int64_t c = 0; c < k; ++c)
    norms[c] = norm(C->aligned + c * d, d);
  if (k <= 4)
    return search(P, k, Few<1>(C, norms.data()), visit);
  if (k <= 8)
    return search(P, k, Few<2>(C, norms.data()), visit);
  return search(P, k, Many(C, norms.data()), visit);
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
