// Results in the structures of the generated headers, whose memory the caller frees.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

// Gives a result memory for row-major elements of these sizes; returns the first element.
template <class Array, class... Sizes>
auto *allocate(Array *result, Sizes... sizes) {
  using Element = std::remove_pointer_t<decltype(result->aligned)>;
  const int64_t shape[] = {static_cast<int64_t>(sizes)...};
  constexpr size_t rank = sizeof...(sizes);
  static_assert(sizeof(result->sizes) == sizeof(shape), "as many sizes as dimensions");
  int64_t count = 1;
  for (size_t axis = rank; axis-- > 0;) {
    result->sizes[axis] = shape[axis];
    result->strides[axis] = count;
    count *= shape[axis];
  }
  // Not aligned_alloc: that of glibc 2.36 does not find freed blocks of the same size again.
  void *memory = std::malloc(count * sizeof(Element) + 64);
  result->offset = 0;
  result->allocated = static_cast<Element *>(memory);
  const uintptr_t start = (reinterpret_cast<uintptr_t>(memory) + 63) / 64 * 64;
  return result->aligned = reinterpret_cast<Element *>(start);
}
