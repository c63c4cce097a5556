/* Calls the functions of compile-own.mlir: changes all arrays among the results but the first, then prints and frees them
   all. */

#include <stdio.h>
#include <stdlib.h>

#include "own.h"

static void print(const char *before, const ad_f64_1d *array) {
  printf("%s", before);
  for (int64_t i = 0; i < array->sizes[0]; ++i)
    printf(" %g", array->aligned[i]);
}

/* Prints results that are not changed any more. */
static void finish(const char *name, const ad_f64_1d *results, int count) {
  print(name, &results[0]);
  for (int i = 1; i < count; ++i)
    print(" |", &results[i]);
  printf("\n");
  for (int i = 0; i < count; ++i)
    free(results[i].allocated);
}

static void vectors(const ad_f64_1d *x) {
  const ad_f64_1d none = ad_f64_1d_view(0, 0);
  ad_f64_1d r[3];
  double one;

  twice(x, &r[0], &r[1]);
  r[1].aligned[0] = 0;
  finish("twice", r, 2);
  thrice(x, &r[0], &one, &r[1], &r[2]);
  r[1].aligned[0] = 0;
  r[2].aligned[0] = -one;
  finish("thrice", r, 3);
  gradient(x, x, &r[0], &r[1]);
  r[1].aligned[0] = 0;
  finish("gradient", r, 2);
  first(x, &r[0], &r[1]);
  r[1].aligned[0] = 0;
  finish("first", r, 2);
  for (int p = 1; p >= 0; --p) {
    choose(p, x, &r[0], &r[1], &r[2]);
    r[2].aligned[0] = 0;
    finish("choose", r, 3);
  }
  buffer(&r[0], &r[1]);
  r[1].aligned[0] = 0;
  finish("buffer", r, 2);
  twice(&none, &r[0], &r[1]);
  printf("empty %d %d\n", (int)r[0].sizes[0], (int)r[1].sizes[0]);
  free(r[0].allocated);
  free(r[1].allocated);
}

static void matrix(const ad_f64_1d *x) {
  ad_f64_1d y;
  ad_f64_2d m;
  square(x, &y, &m);
  m.aligned[0] = 0;
  print("square", &y);
  printf(" |");
  for (int i = 0; i < 4; ++i)
    printf(" %g", m.aligned[i]);
  printf(": %d %d, %d %d\n", (int)m.sizes[0], (int)m.sizes[1], (int)m.strides[0], (int)m.strides[1]);
  free(y.allocated);
  free(m.allocated);
}

static void others(void) {
  const ad_c64 z = {1, 2};
  ad_bool_1d p[2];
  ad_i32_1d i[2];
  ad_i64_1d n[2];
  ad_c64_1d c[2];
  ad_f16_1d h[2];
  kinds(true, -2, 3, &z, 0x3c00, &p[0], &p[1], &i[0], &i[1], &n[0], &n[1], &c[0], &c[1], &h[0], &h[1]);
  p[1].aligned[0] = false;
  i[1].aligned[0] = 0;
  n[1].aligned[0] = 0;
  c[1].aligned[0].re = 0;
  h[1].aligned[0] = 0;
  printf("kinds %d %d | %d %d | %d %d |", p[0].aligned[0], p[1].aligned[0], i[0].aligned[0], i[1].aligned[0],
         (int)n[0].aligned[0], (int)n[1].aligned[0]);
  printf(" %g%+gi %g%+gi |", c[0].aligned[0].re, c[0].aligned[0].im, c[1].aligned[0].re, c[1].aligned[0].im);
  printf(" %x %x\n", h[0].aligned[0], h[1].aligned[0]);

  const double value = 1.5;
  const ad_f64_0d x = ad_f64_0d_view(&value);
  ad_f64_0d y[2];
  scalar(&x, &y[0], &y[1]);
  *y[1].aligned = 0;
  printf("scalar %g | %g\n", *y[0].aligned, *y[1].aligned);
  for (int k = 0; k < 2; ++k) {
    free(p[k].allocated);
    free(i[k].allocated);
    free(n[k].allocated);
    free(c[k].allocated);
    free(h[k].allocated);
    free(y[k].allocated);
  }
}

int main(void) {
  const double xs[4] = {1, 2, 3, 4};
  const ad_f64_1d x = ad_f64_1d_view(xs, 3), all = ad_f64_1d_view(xs, 4);
  vectors(&x);
  matrix(&all);
  others();
  return 0;
}
