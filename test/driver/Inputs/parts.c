// Calls functions of compile-parts.mlir.

#include <parts.h>

#include <stdio.h>
#include <stdlib.h>

static void show(ad_f64_2d const *a) {
  printf("%d x %d, %d %d:", (int)a->sizes[0], (int)a->sizes[1],
         (int)a->strides[0], (int)a->strides[1]);
  for (int i = 0; i < a->sizes[0] * a->sizes[1]; i++)
    printf(" %g", a->aligned[i]);
  printf("\n");
  free(a->allocated);
}

int main(void) {
  double x[] = {0, 1, 2, 3, 4, 5};
  ad_f64_2d a = ad_f64_2d_view(x, 2, 3), whole, part;
  both(&a, &a, &whole, &part);
  show(&whole);
  show(&part);
  one(&a, &a, &part);
  show(&part);
}
