// x to the power n: a loop that counts down.
double power(double x, int n) {
  double r = 1;
  while (n > 0) {
    r *= x;
    n--;
  }
  return r;
}
