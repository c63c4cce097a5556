// What one core of this machine can do at best: bytes per second of loops in the manner of STREAM
// (McCalpin), and multiply-adds on doubles in registers. Prints "NAME VALUE" lines, in 1e9 per second.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

#include "cpp/arrays.h"

namespace {
// The least seconds of ten calls.
template <class F> double seconds(F f) {
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < 10; ++run) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    least = std::min(least, time.count());
  }
  return least;
}

// Keeps what has been computed.
void keep(const void *at) { asm volatile("" : : "r"(at) : "memory"); }
} // namespace

int main() {
  const size_t n = 10'000'000;
  const auto a = new_buffer<double>(n), b = new_buffer<double>(n),
             c = new_buffer<double>(n);
  std::fill_n(a.get(), n, 1);
  std::fill_n(b.get(), n, 2);
  std::fill_n(c.get(), n, 3);
  const double triad = seconds([&] {
    for (size_t i = 0; i < n; ++i)
      a[i] = b[i] + 3 * c[i];
    keep(a.get());
  });
  const double copy = seconds([&] {
    for (size_t i = 0; i < n; ++i)
      a[i] = 3 * b[i];
    keep(a.get());
  });
  const double fill = seconds([&] {
    for (size_t i = 0; i < n; ++i)
      a[i] = 3;
    keep(a.get());
  });
  const double sum = seconds([&] {
#pragma clang fp reassociate(on)
    double s = 0;
    for (size_t i = 0; i < n; ++i)
      s += b[i];
    keep(&s);
  });

  // Enough sums side by side that none waits for another.
#ifdef __AVX512F__
  constexpr int Width = 8, Sums = 12;
#else
  constexpr int Width = 4, Sums = 12;
#endif
  typedef double Vector __attribute__((vector_size(Width * sizeof(double))));
  Vector sums[Sums] = {};
  Vector x = {}, y = {};
  keep(&x);
  keep(&y);
  const int rounds = 10'000'000;
  const double products = seconds([&] {
#pragma clang fp contract(fast)
    for (int round = 0; round < rounds; ++round)
      for (int s = 0; s < Sums; ++s)
        sums[s] = sums[s] * x + y;
    keep(sums);
  });

  std::printf("triad %f\n", 24e-9 * n / triad);
  std::printf("scale %f\n", 16e-9 * n / copy);
  std::printf("sum %f\n", 8e-9 * n / sum);
  std::printf("fill %f\n", 8e-9 * n / fill);
  std::printf("multiply-add %f\n", 2e-9 * rounds * Sums * Width / products);
}
