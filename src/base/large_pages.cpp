#include "base/large_pages.h"

#include <cstddef>
#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace fsieve::inline base {

void use_large_pages([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = large_page;
  const std::uintptr_t skipped = (page - reinterpret_cast<std::uintptr_t>(memory) % page) % page;
  if (bytes < skipped + page) return;
  auto* const first = const_cast<std::byte*>(static_cast<const std::byte*>(memory)) + skipped;
  // It is a wish: where it is not granted nothing is different but the time.
  madvise(first, (bytes - skipped) / page * page, MADV_HUGEPAGE);
#endif
}

}  // namespace fsieve::base
