// The list of subsets that were found, which any thread may add to.
#pragma once

#include <cstdint>

namespace fsieve_cuda {

struct Hits {
  unsigned long long* count;
  unsigned long long room;
  std::uint32_t* records;  // k features and a sum

  template <class... Features>
  __device__ void add(float sum, Features... ascending) const {
    const unsigned long long at = atomicAdd(count, 1ULL);
    if (at >= room) return;
    std::uint32_t* to = records + at * (sizeof...(ascending) + 1);
    ((*to++ = static_cast<std::uint32_t>(ascending)), ...);
    *to = __float_as_uint(sum);
  }
};

}  // namespace fsieve_cuda
