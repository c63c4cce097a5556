// A product of matrices, row by row, into an argument; rows are pointers.
void multiply(double *a, double *b, double *c, int n) {
  for (int i = 0; i < n; i++) {
    double *row = a + i * n;
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += row[k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  }
}
