#include "fsieve/threads.h"

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include "base/stop.h"
#include "fsieve/error.h"

namespace fsieve {

void with_threads(std::uint64_t threads, const std::function<void()>& work) {
  constexpr std::uint64_t kMost = 4096;
  if (threads > kMost) {
    throw Error(fmt::format("--threads: {} is more than {}", threads, kMost), Error::Kind::usage);
  }
  if (threads == 0) return work();
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  const StopScope* const scope = StopScope::current();
  arena.execute([&] {  // on another thread, where this one finds no place in the arena
    const WithinScope within(scope);
    work();
  });
}

}  // namespace fsieve
