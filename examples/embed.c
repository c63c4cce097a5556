/* Gradient descent in C, with the gradient of quickstart.mlir:

     ad-opt compile examples/quickstart.mlir -o libquickstart.so
     cc -I. examples/embed.c libquickstart.so -Wl,-rpath,. -o embed && ./embed */

#include <libquickstart.h>

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  double x[] = {2.0, 4.0, 6.0};
  const int64_t n = sizeof x / sizeof *x;
  ad_f64_1d x_array = ad_f64_1d_view(x, n);

  for (int step = 0; step < 100; ++step) {
    ad_f64_1d x_bar;
    gradient(&x_array, &x_bar);
    for (int64_t i = 0; i < n; ++i)
      x[i] -= 0.1 * x_bar.aligned[i];
    free(x_bar.allocated);
  }
  printf("f(%.6f, %.6f, %.6f) = %.6f\n", x[0], x[1], x[2], objective(&x_array));
  return 0;
}
