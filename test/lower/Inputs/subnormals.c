/* Whether a caller's way of rounding is what it was after a call. */
#include <fenv.h>
#include <stdio.h>
#include <xmmintrin.h>

#include <subnormals.h>

int main(void) {
  volatile double x = 1e-300, y = 1e-10;
  double inside = product(x, y);
  printf("in the function %g, after it %g\n", inside, x * y);

  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
  inside = product(x, y);
  printf("with zeros set before: in the function %g, after it %g\n", inside, x * y);
  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_OFF);

  feclearexcept(FE_ALL_EXCEPT);
  quotient(1.0, 0.0);
  printf("division by zero was %s\n", fetestexcept(FE_DIVBYZERO) ? "noted" : "lost");
  return 0;
}
