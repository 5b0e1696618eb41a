#include "base/buffer.h"

#include <limits>

#include "base/large_pages.h"
#include "base/parallel.h"

namespace fsieve::inline base {

// Where less than two large pages may lie so that they hold none, they begin with one, and end with
// one that is half full at least.
Buffer::Buffer(std::size_t size) : size_(size) {
  if (size > std::numeric_limits<std::size_t>::max() / 16) throw std::bad_array_new_length();
  std::size_t bytes = size * sizeof(double);
  std::size_t alignment = alignof(double);
  if (bytes >= large_page / 2 && bytes < 2 * large_page) {
    alignment = large_page;
    const std::size_t last = bytes % large_page;
    if (last >= large_page / 2) bytes += large_page - last;
  }
  void* const memory = ::operator new(bytes, std::align_val_t(alignment));
  values_ = {static_cast<double*>(memory), detail::FreeAligned{alignment}};
  use_large_pages(memory, bytes);
}

Buffer::Buffer(std::size_t size, double value) : Buffer(size) {
  constexpr std::size_t chunk = std::size_t{1} << 16U;
  in_parallel((size + chunk - 1) / chunk, [&](std::size_t k) {
    std::fill_n(data() + k * chunk, std::min(chunk, size_ - k * chunk), value);
  });
}

}  // namespace fsieve::base
