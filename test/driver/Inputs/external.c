#include <external.h>

#include <stdio.h>

double twice(double x) { return 2 * x; }

int main(void) {
  printf("%g\n", twice_and_one(3));
  return 0;
}
