// The cube root by Newton's iteration, until steps are small.
#include <math.h>

double newton(double a, double tolerance) {
  double x = a;
  for (;;) {
    double step = (x * x * x - a) / (3 * x * x);
    x -= step;
    if (fabs(step) < tolerance)
      break;
  }
  return x;
}
