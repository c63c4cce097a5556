// y = sin(a sin(a y)) + cos(b i) for i from 0 to n - 1. Every y is kept, and
// what is between the sines.

#include <closure_fold.h>

#include <cmath>
#include <vector>

double objective(double a, double b, int64_t n) {
  const auto scaled = [a](double u) { return std::sin(a * u); };
  double y = 1;
  for (int64_t i = 0; i < n; ++i)
    y = scaled(scaled(y)) + std::cos(b * i);
  return y;
}

void gradient(double a, double b, int64_t n, double *result0, double *result1) {
  std::vector<double> before(n), between(n);
  double y = 1;
  for (int64_t i = 0; i < n; ++i) {
    before[i] = y;
    between[i] = std::sin(a * y);
    y = std::sin(a * between[i]) + std::cos(b * i);
  }
  double y_bar = 1, a_bar = 0, b_bar = 0;
  for (int64_t i = n - 1; i >= 0; --i) {
    b_bar -= y_bar * i * std::sin(b * i);
    const double outer_bar = y_bar * std::cos(a * between[i]);
    a_bar += outer_bar * between[i];
    const double inner_bar = outer_bar * a * std::cos(a * before[i]);
    a_bar += inner_bar * before[i];
    y_bar = inner_bar * a;
  }
  *result0 = a_bar;
  *result1 = b_bar;
}
