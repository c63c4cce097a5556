// As kmeans, for points that are the rows of a CSR matrix: with the stored
// entries (col, v) of a row, |P_i - C_c|^2 = |C_c|^2 + sum v (v - 2 C_c[col]).
// The centres are transposed, so that an entry needs neighbouring numbers.

#include <kmeans_sparse.h>

#include <cmath>
#include <vector>

#include "results.h"

namespace {
constexpr int64_t Width = 4;
typedef double Vector __attribute__((vector_size(Width * sizeof(double))));

// Adds -2 v C_c[col] over a row for Count vectors of centres.
template <int Count>
void products(const Vector *centres, int64_t vectors, const double *vals,
              const int64_t *cols, int64_t length, Vector *to) {
  Vector sums[Count] = {};
  for (int64_t j = 0; j < length; ++j)
    for (int v = 0; v < Count; ++v)
      sums[v] += vals[j] * centres[cols[j] * vectors + v];
  for (int v = 0; v < Count; ++v)
    to[v] -= 2 * sums[v];
}

// Calls visit(start, end, c) with the entries and the nearest centre of each
// point; returns the cost.
template <class Visit>
double nearest(const ad_f64_2d *C, const ad_f64_1d *vals, const ad_i64_1d *cols,
               const ad_i64_1d *rows, Visit visit) {
  const int64_t k = C->sizes[0], d = C->sizes[1], n = rows->sizes[0] - 1;
  const int64_t vectors = (k + Width - 1) / Width;
  const Buffer<Vector> centres(d * vectors), norms(vectors), distances(vectors);
  for (int64_t at = 0; at < d * vectors; ++at)
    centres[at] = Vector{};
  for (int64_t at = 0; at < vectors; ++at)
    norms[at] = Vector{};
  // What pads the last vector is never the nearest.
  for (int64_t c = k; c < vectors * Width; ++c)
    norms[c / Width][c % Width] = INFINITY;
  for (int64_t c = 0; c < k; ++c)
    for (int64_t j = 0; j < d; ++j) {
      const double value = C->aligned[c * d + j];
      centres[j * vectors + c / Width][c % Width] = value;
      norms[c / Width][c % Width] += value * value;
    }
  double cost = 0;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t start = rows->aligned[i], end = rows->aligned[i + 1];
    const double *v = vals->aligned + start;
    const int64_t *col = cols->aligned + start;
    double square = 0;
    for (int64_t j = 0; j < end - start; ++j)
      square += v[j] * v[j];
    for (int64_t at = 0; at < vectors; ++at)
      distances[at] = norms[at];
    int64_t at = 0;
    for (; at + 4 <= vectors; at += 4)
      products<4>(&centres[at], vectors, v, col, end - start, &distances[at]);
    if (vectors - at == 3)
      products<3>(&centres[at], vectors, v, col, end - start, &distances[at]);
    else if (vectors - at == 2)
      products<2>(&centres[at], vectors, v, col, end - start, &distances[at]);
    else if (vectors - at == 1)
      products<1>(&centres[at], vectors, v, col, end - start, &distances[at]);
    double least = INFINITY;
    int64_t centre = 0;
    for (int64_t c = 0; c < k; ++c)
      if (distances[c / Width][c % Width] < least) {
        least = distances[c / Width][c % Width];
        centre = c;
      }
    cost += least + square;
    visit(start, end, centre);
  }
  return cost;
}
} // namespace

double objective(const ad_f64_2d *C, const ad_f64_1d *vals,
                 const ad_i64_1d *cols, const ad_i64_1d *rows) {
  return nearest(C, vals, cols, rows, [](int64_t, int64_t, int64_t) {});
}

void gradient_hessian(const ad_f64_2d *C, const ad_f64_1d *vals,
                      const ad_i64_1d *cols, const ad_i64_1d *rows,
                      ad_f64_2d *result0, ad_f64_2d *result1) {
  const int64_t k = C->sizes[0], d = C->sizes[1];
  double *gradient = allocate(result0, k, d),
         *diagonal = allocate(result1, k, d);
  std::vector<double> sums(k * d);
  std::vector<int64_t> counts(k);
  nearest(C, vals, cols, rows, [&](int64_t start, int64_t end, int64_t c) {
    ++counts[c];
    for (int64_t j = start; j < end; ++j)
      sums[c * d + cols->aligned[j]] += vals->aligned[j];
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
