// x^n by multiplications. Every factor before is kept; n says how many there
// are.

#include <tape_pow.h>

#include <memory>

double objective(double x, int64_t n) {
  double y = 1;
  for (; n > 0; --n)
    y *= x;
  return y;
}

double gradient(double x, int64_t n) {
  if (n <= 0)
    return 0;
  std::unique_ptr<double[]> factors(new double[n]);
  double y = 1;
  for (int64_t i = 0; i < n; ++i) {
    factors[i] = y;
    y *= x;
  }
  double y_bar = 1, x_bar = 0;
  for (int64_t i = n - 1; i >= 0; --i) {
    x_bar += factors[i] * y_bar;
    y_bar *= x;
  }
  return x_bar;
}
