// Linear between points, which a loop searches; constant outside.
double interpolate(double *xs, double *ys, int n, double x) {
  int i = 0;
  if (x <= xs[0])
    return ys[0];
  while (i < n - 1 && xs[i + 1] < x)
    i++;
  if (i == n - 1)
    return ys[n - 1];
  double t = (x - xs[i]) / (xs[i + 1] - xs[i]);
  return (1 - t) * ys[i] + t * ys[i + 1];
}
