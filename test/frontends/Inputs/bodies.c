// A step of bodies that attract each other in the plane; a callee that writes
// to locals of its caller.
#include <math.h>

void pull(double *from, double *to, double *x, double *y) {
  double dx = to[0] - from[0], dy = to[1] - from[1];
  double r = sqrt(dx * dx + dy * dy + 0.01);
  *x = dx / (r * r * r);
  *y = dy / (r * r * r);
}

void bodies(double *at, double *speed, double *mass, int n, double dt) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double from[2] = {at[2 * i], at[2 * i + 1]};
      double to[2] = {at[2 * j], at[2 * j + 1]};
      double x, y;
      if (i == j)
        continue;
      pull(from, to, &x, &y);
      speed[2 * i] += dt * mass[j] * x;
      speed[2 * i + 1] += dt * mass[j] * y;
    }
  for (int i = 0; i < 2 * n; i++)
    at[i] += dt * speed[i];
}
