// Products of matrices of single precision, packed so that the inner loop reads
// memory in order.

#ifndef BENCH_CPP_PACKED_PRODUCT_H
#define BENCH_CPP_PACKED_PRODUCT_H

#include "arrays.h"
#include "vectors.h"

#include <algorithm>

/// A matrix: entry (i, j) is at data[i row + j column].
struct MatrixView {
  const float *data;
  int64_t row, column;

  MatrixView transposed() const { return {data, column, row}; }
};

namespace matmul {

// The part of the result that stays in registers.
inline constexpr int64_t rows = 4, column_vectors = 3;
inline constexpr int64_t columns = column_vectors * f32_lanes;
// What is summed at a time: so many packed columns are kept in the first cache,
// and so many packed rows in the second.
inline constexpr int64_t depth = 256, row_block = 24 * rows;

/// Packs `count` times `inner` numbers in panels of `width`, each inner index
/// after the other; zeros fill the last panel.
inline void pack(const float *from, int64_t across, int64_t along,
                 int64_t count, int64_t inner, int64_t width, float *to) {
  for (int64_t i = 0; i < count; i += width) {
    const int64_t used = std::min(width, count - i);
    for (int64_t k = 0; k < inner; ++k, to += width) {
      const float *at = from + i * across + k * along;
      if (across == 1 && used == width)
        std::copy_n(at, width, to);
      else
        for (int64_t j = 0; j < width; ++j)
          to[j] = j < used ? at[j * across] : 0;
    }
  }
}

/// C += A B for `rows` packed rows of A and `columns` packed columns of B, the
/// first `m` by `n` of which exist.
inline void kernel(const float *a, const float *b, int64_t inner, float *c,
                   int64_t stride, int64_t m, int64_t n) {
  f32_vector sum[rows][column_vectors] = {};
  for (int64_t k = 0; k < inner; ++k, a += rows, b += columns) {
    const f32_vector b_k[column_vectors] = {load(b), load(b + f32_lanes),
                                            load(b + 2 * f32_lanes)};
    for (int i = 0; i < rows; ++i)
      for (int v = 0; v < column_vectors; ++v)
        sum[i][v] += a[i] * b_k[v];
  }
  if (m >= rows && n == columns) {
    for (int i = 0; i < rows; ++i, c += stride)
      for (int v = 0; v < column_vectors; ++v)
        store(c + v * f32_lanes, load(c + v * f32_lanes) + sum[i][v]);
    return;
  }
  float part[rows][columns];
  std::memcpy(part, sum, sizeof part);
  for (int64_t i = 0; i < std::min(m, rows); ++i, c += stride)
    for (int64_t j = 0; j < n; ++j)
      c[j] += part[i][j];
}

} // namespace matmul

/// The right factor of products, packed once for all of them.
class PackedMatrix {
  int64_t inner, n;
  Buffer<float> panels; // depth by depth, each all columns

public:
  PackedMatrix(MatrixView b, int64_t inner, int64_t n)
      : inner(inner), n(n),
        panels(new_buffer<float>(inner * round_up(n, matmul::columns))) {
    for (int64_t k = 0; k < inner; k += matmul::depth)
      matmul::pack(b.data + k * b.row, b.column, b.row, n,
                   std::min(matmul::depth, inner - k), matmul::columns,
                   &panels[k * round_up(n, matmul::columns)]);
  }

  /// C += A B, with m rows; rows of C are n numbers.
  void multiply(MatrixView a, int64_t m, float *c) const {
    using namespace matmul;
    auto left = new_buffer<float>(row_block * depth);
    for (int64_t k = 0; k < inner; k += depth) {
      const int64_t size = std::min(depth, inner - k);
      const float *right = &panels[k * round_up(n, columns)];
      for (int64_t i = 0; i < m; i += row_block) {
        const int64_t block = std::min(row_block, m - i);
        pack(a.data + i * a.row + k * a.column, a.row, a.column, block, size,
             rows, left.get());
        for (int64_t j = 0; j < n; j += columns)
          for (int64_t r = 0; r < block; r += rows)
            kernel(&left[r * size], right + j * size, size, c + (i + r) * n + j,
                   n, block - r, std::min(columns, n - j));
      }
    }
  }
};

#endif
