// y^2 after n times y = p sin(y). Every y is kept; backwards, y_bar goes
// through p cos(y), and sin(y) y_bar adds up to p_bar.

#include <loop_pow.h>

#include <cmath>
#include <vector>

double objective(double y0, double p, int64_t n) {
  double y = y0;
  for (int64_t i = 0; i < n; ++i)
    y = p * std::sin(y);
  return y * y;
}

void gradient(double y0, double p, int64_t n, double *result0,
              double *result1) {
  std::vector<double> before(n), sines(n);
  double y = y0;
  for (int64_t i = 0; i < n; ++i) {
    before[i] = y;
    sines[i] = std::sin(y);
    y = p * sines[i];
  }
  double y_bar = 2 * y, p_bar = 0;
  for (int64_t i = n - 1; i >= 0; --i) {
    p_bar += sines[i] * y_bar;
    y_bar *= p * std::cos(before[i]);
  }
  *result0 = y_bar;
  *result1 = p_bar;
}
