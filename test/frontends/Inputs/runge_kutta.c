// Steps of Runge and Kutta for a pendulum; slopes go to an array of the caller.
#include <math.h>

void slope(double *y, double *dy) {
  dy[0] = y[1];
  dy[1] = -sin(y[0]) - 0.1 * y[1];
}

void runge_kutta(double *y, double h, int steps) {
  double k[4][2], at[2], dy[2];
  while (steps-- > 0) {
    for (int s = 0; s < 4; s++) {
      double part = s == 0 ? 0 : s == 3 ? h : h / 2;
      for (int i = 0; i < 2; i++)
        at[i] = y[i] + part * (s > 0 ? k[s - 1][i] : 0);
      slope(at, dy);
      k[s][0] = dy[0], k[s][1] = dy[1];
    }
    for (int i = 0; i < 2; i++)
      y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
}
