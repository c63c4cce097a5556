// Logistic regression with labels 0 and 1.
#include <math.h>

double logistic(double *w, double *x, int *label, int n, int d) {
  double loss = 0;
  for (int i = 0; i < n; i++) {
    double z = w[d];
    for (int j = 0; j < d; j++)
      z += w[j] * x[i * d + j];
    loss += log1p(exp(label[i] ? -z : z));
  }
  return loss / n;
}
