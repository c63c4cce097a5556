// x^n by multiplications. One number in, one out: the derivative goes along
// with the loop.

#include <zygote_loop.h>

double objective(double x, int64_t n) {
  double y = 1;
  for (int64_t i = 0; i < n; ++i)
    y *= x;
  return y;
}

double gradient(double x, int64_t n) {
  double y = 1, y_dot = 0;
  for (int64_t i = 0; i < n; ++i) {
    y_dot = y_dot * x + y;
    y *= x;
  }
  return y_dot;
}
