#include "base/large_pages.h"

#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace fsieve::inline base {

void use_large_pages([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = std::uintptr_t{1} << 21U;
  const auto first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto last = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  // It is a wish: where it is not granted nothing is different but the time.
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace fsieve::base
