// The product of two matrices, for one core: blocks that fit the caches are
// packed, and a tile of the result stays in registers. The operands have any
// strides, so a transposed one costs nothing more.

#pragma once

#include <algorithm>
#include <cstdint>

#include "results.h"

template <class T> class Gemm {
#ifdef __AVX512F__
  static constexpr int64_t Width = 64 / sizeof(T), Rows = 12;
#else
  static constexpr int64_t Width = 32 / sizeof(T), Rows = 6;
#endif
  // A tile is two vectors wide.
  static constexpr int64_t Columns = 2 * Width;
  // A block of the left operand stays in the second-level cache, a sliver of
  // the right one in the first.
  static constexpr int64_t Depth = 256, Height = 12 * Rows, Breadth = 2048;
  typedef T Vector __attribute__((vector_size(Width * sizeof(T))));

  Buffer<T> left{Height * Depth}, right{Depth * (Breadth + Columns)};

  // Slivers of `step` rows: element (row, inner) of `from` at [row /
  // step][inner][row % step].
  static void pack(T *to, const T *from, int64_t rows, int64_t inner,
                   int64_t row_stride, int64_t inner_stride, int64_t step) {
    for (int64_t start = 0; start < rows; start += step) {
      const int64_t count = std::min(step, rows - start);
      for (int64_t k = 0; k < inner; ++k, to += step) {
        for (int64_t r = 0; r < count; ++r)
          to[r] = from[(start + r) * row_stride + k * inner_stride];
        for (int64_t r = count; r < step; ++r)
          to[r] = 0;
      }
    }
  }

  // Adds the product of two slivers to a tile of C, of which `rows` x `columns`
  // exist.
  static void tile(const T *a, const T *b, int64_t inner, T alpha, T *c,
                   int64_t stride, int64_t rows, int64_t columns) {
    Vector sum[Rows][2] = {};
    for (int64_t k = 0; k < inner; ++k, a += Rows, b += Columns) {
      const Vector b0 = *reinterpret_cast<const Vector *>(b);
      const Vector b1 = *reinterpret_cast<const Vector *>(b + Width);
#pragma clang loop unroll(full)
      for (int64_t r = 0; r < Rows; ++r) {
        sum[r][0] += a[r] * b0;
        sum[r][1] += a[r] * b1;
      }
    }
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t j = 0; j < columns; ++j)
        c[r * stride + j] += alpha * sum[r][j / Width][j % Width];
  }

public:
  // C (m x n, rows `stride` apart) += alpha A B, where A[i, k] is a[i * a_row +
  // k * a_column], and B[k, j] likewise.
  void add(int64_t m, int64_t n, int64_t inner, T alpha, const T *a,
           int64_t a_row, int64_t a_column, const T *b, int64_t b_row,
           int64_t b_column, T *c, int64_t stride) {
    for (int64_t j0 = 0; j0 < n; j0 += Breadth) {
      const int64_t breadth = std::min(Breadth, n - j0);
      for (int64_t k0 = 0; k0 < inner; k0 += Depth) {
        const int64_t depth = std::min(Depth, inner - k0);
        pack(right.data(), b + k0 * b_row + j0 * b_column, breadth, depth,
             b_column, b_row, Columns);
        for (int64_t i0 = 0; i0 < m; i0 += Height) {
          const int64_t height = std::min(Height, m - i0);
          pack(left.data(), a + i0 * a_row + k0 * a_column, height, depth,
               a_row, a_column, Rows);
          for (int64_t j = 0; j < breadth; j += Columns)
            for (int64_t i = 0; i < height; i += Rows)
              tile(left.data() + i * depth, right.data() + j * depth, depth,
                   alpha, c + (i0 + i) * stride + j0 + j, stride,
                   std::min(Rows, height - i), std::min(Columns, breadth - j));
        }
      }
    }
  }
};
