// Vectors of numbers that fill a register, and the elementary functions of
// them.

#ifndef BENCH_CPP_VECTORS_H
#define BENCH_CPP_VECTORS_H

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

// Vectors wider than a register are passed to functions that are inlined only.
#pragma clang diagnostic ignored "-Wpsabi"

#ifdef __AVX512F__
inline constexpr int vector_bytes = 64;
#else
inline constexpr int vector_bytes = 32;
#endif

typedef double f64_vector __attribute__((vector_size(vector_bytes)));
typedef float f32_vector __attribute__((vector_size(vector_bytes)));

inline constexpr int64_t f64_lanes = vector_bytes / sizeof(double);
inline constexpr int64_t f32_lanes = vector_bytes / sizeof(float);

template <class V> inline V load(const void *from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

template <class V> inline void store(void *to, V v) {
  std::memcpy(to, &v, sizeof v);
}

inline f64_vector load(const double *from) { return load<f64_vector>(from); }
inline f32_vector load(const float *from) { return load<f32_vector>(from); }

/// The sum of the lanes, halved again and again.
template <class V> inline auto sum_lanes(V v) {
  constexpr int lanes = sizeof(V) / sizeof(v[0]);
  if constexpr (lanes == 16)
    return sum_lanes(
        __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
        __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15));
  else if constexpr (lanes == 8)
    return sum_lanes(__builtin_shufflevector(v, v, 0, 1, 2, 3) +
                     __builtin_shufflevector(v, v, 4, 5, 6, 7));
  else
    return (v[0] + v[2]) + (v[1] + v[3]);
}

template <class V> inline V minimum(V a, V b) { return a < b ? a : b; }
template <class V> inline V maximum(V a, V b) { return a > b ? a : b; }

/// exp(x) - 1 = scale part + (scale - 1), with x = k log 2 + r, |r| <= log(2) /
/// 2, scale = 2^k and part = exp(r) - 1 by its Taylor series; x within +-limit.
template <class V> struct Exponential {
  static constexpr bool is_double =
      std::is_same_v<std::remove_reference_t<decltype(V{}[0])>, double>;
  using Integer = std::conditional_t<is_double, int64_t, int32_t>;
  typedef Integer Integers __attribute__((vector_size(sizeof(V))));
  static constexpr auto limit = [] {
    if constexpr (is_double)
      return 708.0;
    else
      return 87.0f;
  }();

  V scale, part;

  explicit Exponential(V x) {
    if constexpr (is_double) {
      // Adding 1.5 * 2^52 leaves k, the rounded quotient, in the low bits.
      const V shifted = x * 1.4426950408889634 + 0x1.8p52;
      const V k = shifted - 0x1.8p52;
      scale = std::bit_cast<V>((std::bit_cast<Integers>(shifted) << 52) +
                               (int64_t{1023} << 52));
      const V r = (x - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45;
      const V s = r * r;
      const V even =
          1. / 2 +
          s * (1. / 24 +
               s * (1. / 720 + s * (1. / 40320 + s * (1. / 3628800 +
                                                      s * (1. / 479001600)))));
      const V odd =
          1. / 6 +
          s * (1. / 120 + s * (1. / 5040 + s * (1. / 362880 +
                                                s * (1. / 39916800 +
                                                     s * (1. / 6227020800)))));
      part = r + s * (even + r * odd);
    } else {
      const V shifted = x * 1.44269504f + 0x1.8p23f;
      const V k = shifted - 0x1.8p23f;
      scale = std::bit_cast<V>((std::bit_cast<Integers>(shifted) << 23) +
                               (127 << 23));
      const V r = (x - k * 0x1.62e4p-1f) - k * 0x1.7f7d1cp-20f;
      const V s = r * r;
      const V even = 1.f / 2 + s * (1.f / 24 + s * (1.f / 720));
      const V odd = 1.f / 6 + s * (1.f / 120 + s * (1.f / 5040));
      part = r + s * (even + r * odd);
    }
  }
};

/// x within the range of exponents.
template <class V> inline V clamp(V x) {
  constexpr auto limit = Exponential<V>::limit;
  return minimum(maximum(x, V{} - limit), V{} + limit);
}

/// exp(x), 0 for results below the normal numbers. NaN does not pass.
template <class V> inline V exp(V x) {
  const Exponential<V> e(clamp(x));
  return x < -Exponential<V>::limit ? V{} : e.scale * e.part + e.scale;
}

/// 1 / (1 + exp(-x))
template <class V> inline V sigmoid(V x) {
  const Exponential<V> e(clamp(-x));
  return 1 / (1 + (e.scale * e.part + e.scale));
}

/// tanh(x) = d / (d + 2) with d = exp(2 x) - 1
template <class V> inline V tanh(V x) {
  const Exponential<V> e(clamp(x + x));
  const V d = e.scale * e.part + (e.scale - 1);
  return d / (d + 2);
}

#endif
