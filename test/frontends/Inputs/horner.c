// The value of a polynomial.
double horner(double *c, int n, double x) {
  double y = 0;
  for (int i = n - 1; i >= 0; --i)
    y = y * x + c[i];
  return y;
}
