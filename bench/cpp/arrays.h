// Memory for results, described as the generated headers want it, and for work.

#ifndef BENCH_CPP_ARRAYS_H
#define BENCH_CPP_ARRAYS_H

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <memory>

#include <sys/mman.h>

/// Asks for pages of 2 MiB where there are any, as ad-opt and numpy do for their
/// arrays.
inline void in_huge_pages(void *memory, int64_t bytes) {
  constexpr uintptr_t page = 4096;
  if (bytes < 4 << 20)
    return;
  const uintptr_t start = (uintptr_t(memory) + page - 1) / page * page;
  const uintptr_t end = (uintptr_t(memory) + bytes) / page * page;
  madvise(reinterpret_cast<void *>(start), end - start, MADV_HUGEPAGE);
}

/// Memory that the caller frees; not initialised.
template <class T> T *new_elements(int64_t count) {
  const int64_t bytes = count > 0 ? count * int64_t(sizeof(T)) : 1;
  void *memory = std::malloc(bytes);
  if (!memory)
    std::abort();
  in_huge_pages(memory, bytes);
  return static_cast<T *>(memory);
}

/// Describes new memory of the given sizes by `result`, and returns it.
template <class Array>
auto new_result(Array *result, std::initializer_list<int64_t> sizes) {
  using T = std::remove_pointer_t<decltype(result->aligned)>;
  int64_t count = 1;
  for (auto i = int64_t(sizes.size()); i-- > 0;) {
    result->sizes[i] = sizes.begin()[i];
    result->strides[i] = count;
    count *= result->sizes[i];
  }
  result->offset = 0;
  result->allocated = result->aligned = new_elements<T>(count);
  return result->aligned;
}

struct Free {
  void operator()(void *memory) const { std::free(memory); }
};

/// Working memory, aligned for vectors; not initialised.
template <class T> using Buffer = std::unique_ptr<T[], Free>;

template <class T> Buffer<T> new_buffer(int64_t count) {
  const int64_t bytes = (count * int64_t(sizeof(T)) + 64) / 64 * 64;
  void *memory = std::aligned_alloc(64, bytes);
  if (!memory)
    std::abort();
  in_huge_pages(memory, bytes);
  return Buffer<T>(static_cast<T *>(memory));
}

inline int64_t round_up(int64_t n, int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

#endif
