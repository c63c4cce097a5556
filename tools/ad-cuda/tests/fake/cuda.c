// A CUDA driver whose device is the host: memory is the host's, and the two kernels that it knows are C functions.
//
// FAKE_MEMORY in the environment is how many bytes the device has (1 MiB if it is not set). An entry point that
// fake_fail names fails from then on.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUT_OF_MEMORY 2
#define INVALID_VALUE 1
#define INVALID_IMAGE 200
#define NOT_FOUND 500
#define LAUNCH_FAILED 719

static char calls[1 << 16];
static const char *failing = "";
static int failure, pending, pushed;
static size_t used;
static size_t heap;
// The stream that work is expected on.
static void *stream_in_use = &used;

const char *fake_calls(void) { return calls; }
void fake_forget(void) { calls[0] = 0; }
void fake_fail(const char *name, int code) { failing = name, failure = code; }
// As an error of a kernel that shows later.
void fake_fail_later(int code) { pending = code; }
// Another stream than the one that was made.
void fake_expect_stream(void *stream) { stream_in_use = stream; }

static int record(const char *name) {
  if (strlen(calls) + strlen(name) + 2 < sizeof calls) {
    strcat(calls, name);
    strcat(calls, " ");
  }
  return strcmp(name, failing) == 0 ? failure : 0;
}
#define RECORD()                                                               \
  do {                                                                         \
    int code = record(__func__);                                               \
    if (code)                                                                  \
      return code;                                                             \
  } while (0)
#define CURRENT()                                                              \
  do {                                                                         \
    RECORD();                                                                  \
    if (pushed != 1)                                                           \
      return 201;                                                              \
  } while (0)

int cuInit(unsigned flags) { RECORD(); return flags ? INVALID_VALUE : 0; }
int cuDriverGetVersion(int *version) { *version = 12090; return 0; }
int cuDeviceGet(int *device, int number) { *device = 7; return number ? INVALID_VALUE : 0; }
int cuDeviceGetName(char *name, int size, int device) { snprintf(name, size, "Fake %d", device); return 0; }
int cuDeviceGetAttribute(int *value, int which, int device) {
  (void)device;
  *value = which == 75 ? 8 : which == 76 ? 6 : which == 16 ? 4 : which == 13 ? 1000000 : -1;
  return 0;
}
static size_t memory(void) {
  const char *text = getenv("FAKE_MEMORY");
  return text ? strtoul(text, 0, 10) : 1 << 20;
}
int cuDeviceTotalMem_v2(size_t *bytes, int device) { (void)device; *bytes = memory(); return 0; }
int cuMemGetInfo_v2(size_t *free, size_t *total) { CURRENT(); *total = memory(); *free = *total - used; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) { RECORD(); *context = calls; return device == 7 ? 0 : INVALID_VALUE; }
int cuCtxPushCurrent_v2(void *context) { pushed++; return context == calls ? 0 : INVALID_VALUE; }
int cuCtxPopCurrent_v2(void **context) { *context = calls; return --pushed ? INVALID_VALUE : 0; }
int cuStreamCreate(void **stream, unsigned flags) { CURRENT(); *stream = &used; return flags == 1 ? 0 : INVALID_VALUE; }
int cuStreamSynchronize(void *stream) {
  CURRENT();
  int code = pending;
  pending = 0;
  return stream == stream_in_use ? code : INVALID_VALUE;
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned count, const int *options, void **values) {
  CURRENT();
  if (count != 3 || options[0] != 5 || options[1] != 6 || options[2] != 7)
    return INVALID_VALUE;
  // The heap takes memory when a module is loaded whose kernels use it.
  if (strstr(image, ") malloc") && (heap == 0 || heap > memory() / 10))
    return OUT_OF_MEMORY;
  if (strstr(image, ".version")) {
    *module = strdup(image);
    return 0;
  }
  // As the driver does, say how much was written.
  values[1] = (void *)(size_t)snprintf(values[0], (size_t)values[1], "ptxas: level %zu, no version\n", (size_t)values[2]);
  return INVALID_IMAGE;
}
int cuCtxSetLimit(int limit, size_t value) {
  CURRENT();
  // An eighth of the memory, then a sixteenth of that: with anything else, a load fails that needs the heap.
  if (limit != 2 || (value != memory() / 8 && value != memory() / 8 / 16))
    return INVALID_VALUE;
  heap = value;
  return 0;
}
int cuModuleUnload(void *module) { CURRENT(); free(module); return 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) {
  CURRENT();
  char entry[256];
  snprintf(entry, sizeof entry, ".entry %s(", name);
  *function = strdup(name);
  return strstr(module, entry) ? 0 : NOT_FOUND;
}
int cuFuncSetAttribute(void *function, int which, int value) {
  CURRENT();
  return function && which == 8 && value <= 163 * 1024 ? 0 : INVALID_VALUE;
}

// y[i] = a * x[i] for i < n; both arrays are passed as upstream passes memrefs.
static void scale(void **parameters, size_t threads) {
  int64_t n = *(int64_t *)parameters[0];
  double a = *(double *)parameters[1], *x = *(double **)parameters[3], *y = *(double **)parameters[8];
  for (int64_t i = 0; i < n && i < (int64_t)threads; i++)
    y[i] = a * x[i];
}
// y[i] = x[i] * x[i]; the size of x is in what is passed of it.
static void square(void **parameters, size_t threads) {
  int64_t n = *(int64_t *)parameters[3];
  double *x = *(double **)parameters[1], *y = *(double **)parameters[6];
  for (int64_t i = 0; i < n && i < (int64_t)threads; i++)
    y[i] = x[i] * x[i];
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **parameters, void **extra) {
  CURRENT();
  size_t grid = (size_t)gx * gy * gz, block = (size_t)bx * by * bz;
  if (!function || !grid || !block || block > 1024 || stream != stream_in_use || extra || shared > 163 * 1024)
    return INVALID_VALUE;
  if (!strcmp(function, "scale"))
    scale(parameters, grid * block);
  else if (!strncmp(function, "square_", 7)) // A library has other names.
    square(parameters, grid * block);
  else
    return LAUNCH_FAILED;
  return 0;
}

#define BLOCKS 1000
static size_t *blocks[BLOCKS];
static int take(uint64_t *address, size_t bytes) {
  if (!bytes)
    return INVALID_VALUE;
  if (used + bytes > memory())
    return OUT_OF_MEMORY;
  int place = 0;
  while (place < BLOCKS && blocks[place])
    place++;
  if (place == BLOCKS)
    return OUT_OF_MEMORY;
  size_t *block = blocks[place] = malloc(bytes + 64);
  block[0] = bytes;
  used += bytes;
  *address = (uint64_t)block + 64;
  memset(block + 8, 0xee, bytes);
  return 0;
}
// Memory of somebody else.
uint64_t fake_allocate(size_t bytes) { uint64_t address = 0; take(&address, bytes); return address; }
int cuMemAlloc_v2(uint64_t *address, size_t bytes) { CURRENT(); return take(address, bytes); }
int cuMemAllocManaged(uint64_t *address, size_t bytes, unsigned flags) {
  CURRENT();
  return flags == 1 ? take(address, bytes) : INVALID_VALUE;
}
int cuMemFree_v2(uint64_t address) {
  CURRENT();
  size_t *block = (size_t *)(address - 64);
  for (int place = 0; place < BLOCKS; place++)
    if (blocks[place] == block)
      blocks[place] = 0;
  used -= block[0];
  free(block);
  return 0;
}
int cuPointerGetAttribute(void *value, int which, uint64_t address) {
  CURRENT();
  for (int place = 0; place < BLOCKS; place++)
    if (blocks[place] && address - (uint64_t)(blocks[place] + 8) < blocks[place][0]) {
      *(unsigned *)value = 2;
      return which == 2 ? 0 : INVALID_VALUE;
    }
  return INVALID_VALUE;
}
int cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, void *stream) {
  CURRENT();
  memcpy((void *)to, (void *)from, bytes);
  return stream == stream_in_use ? 0 : INVALID_VALUE;
}
int cuMemsetD32Async(uint64_t to, unsigned value, size_t count, void *stream) {
  CURRENT();
  for (size_t i = 0; i < count; i++)
    ((uint32_t *)to)[i] = value;
  return stream == stream_in_use ? 0 : INVALID_VALUE;
}
int cuMemsetD16Async(uint64_t to, unsigned short value, size_t count, void *stream) {
  CURRENT();
  for (size_t i = 0; i < count; i++)
    ((uint16_t *)to)[i] = value;
  return stream == stream_in_use ? 0 : INVALID_VALUE;
}

int cuGetErrorName(int code, const char **text) {
  *text = code == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : code == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : code == LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED" : code == NOT_FOUND ? "CUDA_ERROR_NOT_FOUND"
          : code == INVALID_IMAGE ? "CUDA_ERROR_INVALID_IMAGE" : code == 100 ? "CUDA_ERROR_NO_DEVICE" : 0;
  return *text ? 0 : INVALID_VALUE;
}
int cuGetErrorString(int code, const char **text) {
  *text = code == OUT_OF_MEMORY ? "out of memory" : code == 700 ? "an illegal memory access was encountered"
          : code == LAUNCH_FAILED ? "unspecified launch failure" : code == NOT_FOUND ? "named symbol not found"
          : code == INVALID_IMAGE ? "device kernel image is invalid" : code == 100 ? "no CUDA-capable device is detected" : 0;
  return *text ? 0 : INVALID_VALUE;
}
