// How many cores the work may use.
#pragma once

#include <cstdint>
#include <functional>

namespace fsieve {

// Runs `work` on at most so many threads (0: all cores).
void with_threads(std::uint64_t threads, const std::function<void()>& work);

}  // namespace fsieve
