// Sorts by swaps, in place, and sums with weights: a goto in place of a loop.
double sort(double *x, double *w, int n) {
  double sum = 0;
again:
  for (int i = 1; i < n; i++)
    if (x[i - 1] > x[i]) {
      double swap = x[i];
      x[i] = x[i - 1];
      x[i - 1] = swap;
      goto again;
    }
  for (int i = 0; i < n; i++)
    sum += w[i] * x[i] * x[i];
  return sum;
}
