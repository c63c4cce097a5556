// x^n by multiplications. Every factor before is pushed and popped, because
// the loop is one whose number of iterations nobody knows in front.

#include <tape_pow.h>

#include <vector>

double objective(double x, int64_t n) {
  double y = 1;
  for (; n > 0; --n)
    y *= x;
  return y;
}

double gradient(double x, int64_t n) {
  std::vector<double> tape;
  double y = 1;
  for (; n > 0; --n) {
    tape.push_back(y);
    y *= x;
  }
  double y_bar = 1, x_bar = 0;
  while (!tape.empty()) {
    x_bar += tape.back() * y_bar;
    y_bar *= x;
    tape.pop_back();
  }
  return x_bar;
}
