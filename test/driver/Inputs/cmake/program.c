#include <functions.h>

#include <stdio.h>

int main(void) {
  printf("%g %g\n", square(3), gradient(3));
  return 0;
}
