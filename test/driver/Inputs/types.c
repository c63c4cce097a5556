/* Calls every function of compile-types.mlir. */
#include <types.h>

#include <stdio.h>
#include <stdlib.h>

static void scalars(void) {
  const ad_c64 z = {1, 2};
  const ad_c128 w = {3, -4};
  double a;
  float b;
  uint16_t h, bf;
  bool p;
  int8_t i8;
  int16_t s;
  int32_t i;
  int64_t l, n;
  ad_c64 z_out;
  ad_c128 w_out;
  t_scalars(0.5, 1.5f, 0x3c00, 0x3f80, true, -8, -16, -32, -64, 64, &z, &w, &a, &b, &h, &bf, &p, &i8, &s, &i, &l, &n,
            &z_out, &w_out);
  printf("scalars %g %g %x %x %d %d %d %d %d %d", a, b, h, bf, p, i8, s, i, (int)l, (int)n);
  printf(" %g%+gi %g%+gi\n", z_out.re, z_out.im, w_out.re, w_out.im);
}

static void returned(void) {
  const ad_c64 z = {1, 2};
  ad_c64 result;
  t_conj(&z, &result);
  printf("returned %g%+gi %d %d %d", result.re, result.im, t_not(true), t_not(false), t_neg8(-128));
  /* Pi; between two bfloat16 numbers, nearer to the upper one only in f64; not a number. */
  printf(" %x %x %x %d %x\n", t_bfloat_f32(3.14159f), t_bfloat_f64(1.00390625000001), t_bfloat_f64(-1.00390625),
         (t_bfloat_f64(0.0 / t_zero()) & 0x7fff) > 0x7f80, t_half(1.0));
}

static void arrays(void) {
  const double x[] = {1, 2, 3};
  double m[] = {0, 0};
  const float a[] = {1, 2, 3, 4, 5, 6};
  const bool t = true;
  const ad_f64_1d x_array = ad_f64_1d_view(x, 3), m_array = ad_f64_1d_view(m, 2);
  const ad_f32_2d a_array = ad_f32_2d_view(a, 2, 3);
  const ad_bool_0d t_array = ad_bool_0d_view(&t);
  ad_f64_1d y, c;
  ad_f32_2d b;
  ad_bool_0d u;
  bool value;
  int64_t n;

  t_overwrite(&x_array, &m_array, &y);
  printf("overwrite %g | %g | %g %g %g\n", x[0], m[0], y.aligned[0], y.aligned[1], y.aligned[2]);
  t_mixed(&a_array, &t_array, &b, &value, &u, &n);
  printf("mixed %d %d | %d %d |", (int)b.sizes[0], (int)b.sizes[1], (int)b.strides[0], (int)b.strides[1]);
  for (int i = 0; i < 6; ++i)
    printf(" %g", b.aligned[b.offset + i]);
  printf(" | %d %d %d\n", value, u.aligned[0], (int)n);
  t_four(&c);
  printf("four %g\n", c.aligned[3]);
  free(y.allocated);
  free(b.allocated);
  free(u.allocated);
  free(c.allocated);
}

int main(int argc, char **argv) {
  (void)argv;
  t_nothing();
  scalars();
  returned();
  arrays();
  if (argc > 1) {
    ad_f64_1d big;
    t_big((int64_t)1 << 50, &big);
  }
  return 0;
}
