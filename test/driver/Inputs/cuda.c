// Calls my_square, and says what the device said.
#include "square.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  double x[3] = {1, 2, -3};
  ad_f64_1d in = ad_f64_1d_view(x, 3), out;
  char text[200] = "";
  my_square(&in, &out);
  size_t length = my_take_error(text, sizeof text);
  if (length == 0)
    printf("%g %g %g\nerror 0\n", out.aligned[0], out.aligned[1], out.aligned[2]);
  else
    printf("error %zu: %s\n", length, text);
  free(out.allocated);
  return 0;
}
