// The sum of the squares of a convolution. The cotangent of the image is gathered
// row by row, with the kernel's elements in the order that lets whole rows be
// added; so are the rows of the convolution.

#include <convolution.h>

#include <algorithm>

#include "results.h"

namespace {
struct Sizes {
  int64_t height, width, rows, columns, m, n;
  Sizes(const ad_f64_2d *image, const ad_f64_2d *kernel)
      : height(image->sizes[0]), width(image->sizes[1]),
        rows(kernel->sizes[0]), columns(kernel->sizes[1]),
        m(height - rows + 1), n(width - columns + 1) {}
};

// A row of the convolution.
void row(const Sizes &s, const double *image, const double *kernel, int64_t i,
         double *to) {
  std::fill_n(to, s.n, 0.0);
  for (int64_t a = 0; a < s.rows; ++a)
    for (int64_t b = 0; b < s.columns; ++b) {
      const double weight = kernel[a * s.columns + b];
      const double *from = image + (i + a) * s.width + b;
      for (int64_t j = 0; j < s.n; ++j)
        to[j] += weight * from[j];
    }
}
} // namespace

double objective(const ad_f64_2d *image, const ad_f64_2d *kernel) {
  const Sizes s(image, kernel);
  const Buffer<double> y(s.n);
  double sum = 0;
  for (int64_t i = 0; i < s.m; ++i) {
    row(s, image->aligned, kernel->aligned, i, y.data());
    double squares = 0;
    for (int64_t j = 0; j < s.n; ++j) {
#pragma clang fp reassociate(on)
      squares += y[j] * y[j];
    }
    sum += squares;
  }
  return sum;
}

void gradient(const ad_f64_2d *image, const ad_f64_2d *kernel,
              ad_f64_2d *result0, ad_f64_2d *result1) {
  const Sizes s(image, kernel);
  double *image_bar = allocate(result0, s.height, s.width),
         *kernel_bar = allocate(result1, s.rows, s.columns);
  const Buffer<double> y(s.m * s.n);
  for (int64_t i = 0; i < s.m; ++i)
    row(s, image->aligned, kernel->aligned, i, y.data() + i * s.n);
  for (int64_t i = 0; i < s.height; ++i) {
    double *to = image_bar + i * s.width;
    std::fill_n(to, s.width, 0.0);
    const int64_t first = std::max<int64_t>(0, i - s.m + 1),
                  end = std::min(s.rows, i + 1);
    for (int64_t a = first; a < end; ++a)
      for (int64_t b = 0; b < s.columns; ++b) {
        const double weight = 2 * kernel->aligned[a * s.columns + b];
        const double *from = y.data() + (i - a) * s.n;
        for (int64_t j = 0; j < s.n; ++j)
          to[j + b] += weight * from[j];
      }
  }
  for (int64_t a = 0; a < s.rows; ++a)
    for (int64_t b = 0; b < s.columns; ++b) {
      double sum = 0;
      for (int64_t i = 0; i < s.m; ++i) {
        const double *pixels = image->aligned + (i + a) * s.width + b;
        const double *cotangents = y.data() + i * s.n;
        double products = 0;
        for (int64_t j = 0; j < s.n; ++j) {
#pragma clang fp reassociate(on)
          products += pixels[j] * cotangents[j];
        }
        sum += products;
      }
      kernel_bar[a * s.columns + b] = 2 * sum;
    }
}
