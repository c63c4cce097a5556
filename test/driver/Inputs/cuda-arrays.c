// Calls my_square with arrays of the device, twice, the second time with the first result.
#include "square.h"

#include <stdio.h>

// Of the driver.
int cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, void *stream);
uint64_t fake_allocate(size_t bytes);
void fake_expect_stream(void *stream);
int cuCtxPushCurrent_v2(void *context);
int cuCtxPopCurrent_v2(void **context);
int cuDevicePrimaryCtxRetain(void **context, int device);

static void copy(void *to, const void *from, size_t bytes, void *stream) {
  void *context;
  cuDevicePrimaryCtxRetain(&context, 7);
  cuCtxPushCurrent_v2(context);
  cuMemcpyAsync((uint64_t)to, (uint64_t)from, bytes, stream);
  cuCtxPopCurrent_v2(&context);
}

int main(void) {
  double here[3] = {1, 2, -3};
  double *there = (double *)fake_allocate(sizeof here);
  int stream;
  my_set_stream(&stream);
  fake_expect_stream(&stream);
  copy(there, here, sizeof here, &stream);
  ad_f64_1d in = ad_f64_1d_view(there, 3), once, twice;
  my_square(&in, &once);
  my_square(&once, &twice);
  copy(here, twice.aligned, sizeof here, &stream);
  my_free_on_device(once.allocated);
  my_free_on_device(twice.allocated);
  char text[200] = "";
  size_t length = my_take_error(text, sizeof text);
  printf("%g %g %g\nerror %zu%s\n", here[0], here[1], here[2], length, text);
  my_free_on_device(there);
  length = my_take_error(text, sizeof text);
  printf("error %zu: %s\n", length, text);
  return 0;
}
