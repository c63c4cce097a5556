// Memory for results, in the structures of the generated headers, and for work.
//
// All of it is aligned for vectors. Nothing comes from aligned_alloc: that of
// glibc 2.36 does not find freed blocks of the same size again, so every call
// would pay for new pages.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <type_traits>

// The first address in the block from which vectors can be loaded.
template <class T> T *align(void *memory) {
  return reinterpret_cast<T *>((reinterpret_cast<uintptr_t>(memory) + 63) / 64 *
                               64);
}

// Gives a result memory for row-major elements of these sizes, which the caller
// frees; returns the first element.
template <class Array, class... Sizes>
auto *allocate(Array *result, Sizes... sizes) {
  using Element = std::remove_pointer_t<decltype(result->aligned)>;
  const int64_t shape[] = {static_cast<int64_t>(sizes)...};
  constexpr size_t rank = sizeof...(sizes);
  static_assert(sizeof(result->sizes) == sizeof(shape),
                "as many sizes as dimensions");
  int64_t count = 1;
  for (size_t axis = rank; axis-- > 0;) {
    result->sizes[axis] = shape[axis];
    result->strides[axis] = count;
    count *= shape[axis];
  }
  result->offset = 0;
  result->allocated =
      static_cast<Element *>(std::malloc(count * sizeof(Element) + 64));
  return result->aligned = align<Element>(result->allocated);
}

// Working memory that is not initialised.
template <class T> class Buffer {
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  std::unique_ptr<void, Free> memory;

public:
  explicit Buffer(int64_t count)
      : memory(std::malloc(count * sizeof(T) + 64)) {}
  T *data() const { return align<T>(memory.get()); }
  T &operator[](int64_t at) const { return data()[at]; }
};
