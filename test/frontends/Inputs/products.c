// Products of all prefixes, in place of the numbers.
void products(double *x, int n) {
  for (int i = 1; i < n; i++)
    x[i] *= x[i - 1];
}
