// Work as its context says.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include "fsieve/run_context.h"
#include "fsieve/threads.h"

namespace fsieve::inline base {

// What work() returns, done on the threads of the context, and ended when its flag says so.
template <typename Work>
auto within(const RunContext& context, const Work& work) {
  std::optional<StopScope> scope;
  if (context.stop != nullptr) scope.emplace(*context.stop);
  if constexpr (std::is_void_v<decltype(work())>) {
    with_threads(context.threads, work);
  } else {
    std::optional<decltype(work())> result;
    with_threads(context.threads, [&] { result.emplace(work()); });
    return std::move(*result);
  }
}

}  // namespace fsieve::base
