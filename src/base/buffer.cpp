#include "base/buffer.h"

#include <tbb/parallel_for.h>

namespace fsieve::inline base {

Buffer::Buffer(std::size_t size, double value) : Buffer(size) {
  constexpr std::size_t chunk = std::size_t{1} << 16U;
  tbb::parallel_for(std::size_t{0}, (size + chunk - 1) / chunk, [&](std::size_t k) {
    std::fill_n(data() + k * chunk, std::min(chunk, size_ - k * chunk), value);
  });
}

}  // namespace fsieve::base
