// Stands in for the system's madvise and says what it was asked.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "twice.h"

static int ranges;
static uintptr_t start, bytes;

int madvise(void *address, size_t length, int advice) {
  if (advice == 14) {
    ++ranges;
    start = (uintptr_t)address;
    bytes = length;
  }
  return 0;
}

int main(void) {
  for (int64_t n = 500000; n <= 1000000; n += 500000) {
    double *x = calloc(n, sizeof *x);
    ad_f64_1d in = {x, x, 0, {n}, {1}}, out;
    ranges = 0;
    twice(&in, &out);
    printf("%ld numbers: %d range%s", (long)n, ranges, ranges == 1 ? "" : "s");
    if (ranges) {
      uintptr_t first = (uintptr_t)out.allocated, last = (uintptr_t)(out.aligned + n);
      int inside = start >= first && start < first + 4096 + 64 && start + bytes <= last && last - start - bytes < 4096;
      printf(", whole pages: %s, in the block: %s", start % 4096 || bytes % 4096 ? "no" : "yes", inside ? "yes" : "no");
    }
    putchar('\n');
    free(out.allocated);
    free(x);
  }
}
