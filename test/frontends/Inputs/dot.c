// A scalar product: returns early, and a do-while.
double dot(double *x, double *y, int n) {
  if (n <= 0)
    return 0;
  double sum = 0;
  int i = 0;
  do {
    sum += x[i] * y[i];
  } while (++i < n);
  return sum;
}
