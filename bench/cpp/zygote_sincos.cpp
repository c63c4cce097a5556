// sin(x) cos(x), whose derivative is cos(x)^2 - sin(x)^2.

#include <zygote_sincos.h>

#include <cmath>

double objective(double x) { return std::sin(x) * std::cos(x); }

double gradient(double x) {
  const double sine = std::sin(x), cosine = std::cos(x);
  return cosine * cosine - sine * sine;
}
