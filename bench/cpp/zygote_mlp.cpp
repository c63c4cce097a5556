// Cross entropy of a network of two layers for one example. With z_bar =
// softmax(z) - onehot(label), the derivatives of weights are outer products
// with what the layer has read.

#include <zygote_mlp.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "results.h"
#include "vector_math.h"

namespace {
double dot(const double *a, const double *b, int64_t n) {
#pragma clang fp reassociate(on)
  double sum = 0;
  for (int64_t i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

std::vector<double> affine(const ad_f64_2d *W, const ad_f64_1d *b,
                           const double *x) {
  const int64_t rows = W->sizes[0], columns = W->sizes[1];
  std::vector<double> y(rows);
  for (int64_t i = 0; i < rows; ++i)
    y[i] = dot(W->aligned + i * columns, x, columns) + b->aligned[i];
  return y;
}

std::vector<double> hidden_layer(const ad_f64_2d *W1, const ad_f64_1d *b1,
                                 const ad_f64_1d *x) {
  std::vector<double> hidden = affine(W1, b1, x->aligned);
  for (double &h : hidden)
    h = h > 0 ? h : 0;
  return hidden;
}

void outer(double *to, const double *rows, int64_t m, const double *columns,
           int64_t n) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      to[i * n + j] = rows[i] * columns[j];
}
} // namespace

double objective(const ad_f64_2d *W1, const ad_f64_1d *b1, const ad_f64_2d *W2,
                 const ad_f64_1d *b2, const ad_f64_1d *x, int64_t label) {
  const std::vector<double> z = affine(W2, b2, hidden_layer(W1, b1, x).data());
  const double most = largest(z.data(), z.size());
  return std::log(exponentials(z.data(), most, z.size(), nullptr)) + most -
         z[label];
}

void gradient(const ad_f64_2d *W1, const ad_f64_1d *b1, const ad_f64_2d *W2,
              const ad_f64_1d *b2, const ad_f64_1d *x, int64_t label,
              ad_f64_2d *result0, ad_f64_1d *result1, ad_f64_2d *result2,
              ad_f64_1d *result3) {
  const int64_t inputs = W1->sizes[1], units = W1->sizes[0],
                outputs = W2->sizes[0];
  double *W1_bar = allocate(result0, units, inputs),
         *b1_bar = allocate(result1, units);
  double *W2_bar = allocate(result2, outputs, units),
         *b2_bar = allocate(result3, outputs);
  const std::vector<double> hidden = hidden_layer(W1, b1, x);
  const std::vector<double> z = affine(W2, b2, hidden.data());
  const double scale =
      1 / exponentials(z.data(), largest(z.data(), outputs), outputs, b2_bar);
  for (int64_t i = 0; i < outputs; ++i)
    b2_bar[i] = b2_bar[i] * scale - (i == label);
  outer(W2_bar, b2_bar, outputs, hidden.data(), units);
  std::memset(b1_bar, 0, units * sizeof(double));
  for (int64_t i = 0; i < outputs; ++i)
    for (int64_t j = 0; j < units; ++j)
      b1_bar[j] += b2_bar[i] * W2->aligned[i * units + j];
  for (int64_t j = 0; j < units; ++j)
    b1_bar[j] = hidden[j] > 0 ? b1_bar[j] : 0;
  outer(W1_bar, b1_bar, units, x->aligned, inputs);
}
