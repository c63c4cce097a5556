/* Calls the function of compile-leak.mlir a million times; the first calls may allocate for good. */

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "gradient.h"

static void calls(int count) {
  double x[2] = {0.5, -0.25};
  int64_t ix[2] = {1, 0};
  const ad_f64_1d xs = {x, x, 0, {2}, {1}};
  const ad_i64_1d ixs = {ix, ix, 0, {2}, {1}};
  for (int i = 0; i < count; ++i) {
    ad_f64_1d result;
    x[0] = i % 2 ? 0.5 : -0.5;
    gradient(&xs, &ixs, i % 4, &result);
    free(result.allocated);
  }
}

int main(void) {
  calls(100);
  const size_t before = mallinfo2().uordblks;
  calls(1000000);
  const size_t after = mallinfo2().uordblks;
  printf("1000000 calls: %ld bytes more\n", (long)(after - before));
  return 0;
}
