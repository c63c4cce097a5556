// The least element; the derivative is one for the first that has this value.

#include <reduce_min.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "results.h"
#include "vector_math.h"

double objective(const ad_f64_1d *x) {
  return -largest(x->aligned, x->sizes[0], -1);
}

void gradient(const ad_f64_1d *x, ad_f64_1d *result) {
  const double *v = x->aligned;
  const int64_t n = x->sizes[0], block = 2048;
  double *v_bar = allocate(result, n);
  std::memset(v_bar, 0, n * sizeof(double));
  // First the block that has it, then the place in the block.
  double least = INFINITY;
  int64_t place = 0;
  for (int64_t start = 0; start < n; start += block) {
    const double value = -largest(v + start, std::min(block, n - start), -1);
    if (value < least) {
      least = value;
      place = start;
    }
  }
  while (place < n && v[place] != least)
    ++place;
  if (place < n)
    v_bar[place] = 1;
}
