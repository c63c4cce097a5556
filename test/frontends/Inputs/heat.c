// Steps of an explicit scheme in two buffers, which are not linear.
void step(double *u, double *v, int n, double k) {
  for (int i = 0; i < n; i++) {
    if (i == 0 || i == n - 1) {
      v[i] = u[i];
      continue;
    }
    v[i] = u[i] + k * u[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
  }
}

void heat(double *u, double *v, int n, int steps, double k) {
  for (int t = 0; t < steps; t++) {
    step(u, v, n, k);
    for (int i = 0; i < n; i++)
      u[i] = v[i];
  }
}
