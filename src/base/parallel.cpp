#include "base/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include "base/stop.h"
#include "fsieve/error.h"

namespace fsieve::inline base {
namespace detail {
namespace {

// When one thread's part of an outer loop throws, the loops within its other parts end early
// without a word: what they were to compute is not there, and nothing may go on with it.
void stop_if_left_unfinished() {
  if (tbb::is_current_task_group_canceling()) {
    throw Error("interrupted", Error::Kind::interrupted);
  }
}

template <class Partitioner>
void in_parts(std::size_t count, const void* body, Part part, const Partitioner& partitioner) {
  using Range = tbb::blocked_range<std::size_t>;
  const StopScope* const scope = StopScope::current();
  const auto on_thread = [&](const Range& range) {
    const WithinScope within(scope);
    part(body, scope, range.begin(), range.end());
  };
  tbb::parallel_for(Range(0, count), on_thread, partitioner);
  stop_if_left_unfinished();
}

}  // namespace

void in_parallel(std::size_t count, const void* body, Part part) {
  in_parts(count, body, part, tbb::auto_partitioner());
}

void in_parallel_one_by_one(std::size_t count, const void* body, Part part) {
  in_parts(count, body, part, tbb::simple_partitioner());
}

}  // namespace detail
}  // namespace fsieve::base
