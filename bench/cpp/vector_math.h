// Functions of whole arrays, with the vector functions of the C library
// where it has them.

#pragma once

#include <cmath>
#include <cstdint>

#if defined(__AVX2__) && defined(__GLIBC__)
#define VECTOR_LIBRARY
#include <immintrin.h>
extern "C" __m256d _ZGVdN4v_exp(__m256d);
extern "C" __m256d _ZGVdN4v_sin(__m256d);
extern "C" __m256d _ZGVdN4v_cos(__m256d);
#ifdef __AVX512F__
extern "C" __m512d _ZGVeN8v_exp(__m512d);
#endif
#endif

// to[i] = exp(from[i] - shift); returns their sum. Without `to` there is only
// the sum.
static inline double exponentials(const double *from, double shift, int64_t n,
                                  double *to) {
  double sum = 0;
  int64_t i = 0;
#if defined(__AVX512F__) && defined(VECTOR_LIBRARY)
  __m512d sums = _mm512_setzero_pd();
  for (; i + 8 <= n; i += 8) {
    const __m512d e = _ZGVeN8v_exp(_mm512_loadu_pd(from + i) - shift);
    sums += e;
    if (to)
      _mm512_storeu_pd(to + i, e);
  }
  sum = _mm512_reduce_add_pd(sums);
#elif defined(VECTOR_LIBRARY)
  __m256d sums = _mm256_setzero_pd();
  for (; i + 4 <= n; i += 4) {
    const __m256d e = _ZGVdN4v_exp(_mm256_loadu_pd(from + i) - shift);
    sums += e;
    if (to)
      _mm256_storeu_pd(to + i, e);
  }
  sum = sums[0] + sums[1] + sums[2] + sums[3];
#endif
  for (; i < n; ++i) {
    const double e = std::exp(from[i] - shift);
    sum += e;
    if (to)
      to[i] = e;
  }
  return sum;
}

// to[i] = sin(from[i]); both may be the same.
static inline void sines(const double *from, int64_t n, double *to) {
  int64_t i = 0;
#ifdef VECTOR_LIBRARY
  for (; i + 4 <= n; i += 4)
    _mm256_storeu_pd(to + i, _ZGVdN4v_sin(_mm256_loadu_pd(from + i)));
#endif
  for (; i < n; ++i)
    to[i] = std::sin(from[i]);
}

// to[i] = cos(from[i]); both may be the same.
static inline void cosines(const double *from, int64_t n, double *to) {
  int64_t i = 0;
#ifdef VECTOR_LIBRARY
  for (; i + 4 <= n; i += 4)
    _mm256_storeu_pd(to + i, _ZGVdN4v_cos(_mm256_loadu_pd(from + i)));
#endif
  for (; i < n; ++i)
    to[i] = std::cos(from[i]);
}

// The largest (or, with the other sign, minus the smallest) of sign * from[i];
// -infinity if there is none. No element is a NaN.
static inline double largest(const double *from, int64_t n, double sign = 1) {
  typedef double Vector __attribute__((vector_size(64), aligned(8)));
  double most = -INFINITY;
  int64_t i = 0;
  if (n >= 32) {
    Vector best[4];
    for (auto &b : best)
      b = Vector{} - INFINITY;
    for (; i + 32 <= n; i += 32)
      for (int64_t k = 0; k < 4; ++k)
        best[k] = __builtin_elementwise_max(
            best[k],
            sign * *reinterpret_cast<const Vector *>(from + i + 8 * k));
    for (const Vector &b : best)
      for (int64_t k = 0; k < 8; ++k)
        most = b[k] > most ? b[k] : most;
  }
  for (; i < n; ++i)
    most = sign * from[i] > most ? sign * from[i] : most;
  return most;
}
