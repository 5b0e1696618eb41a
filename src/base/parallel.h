// Loops on all threads that end early, by an Error, once the work has been asked to stop.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include <cstddef>

#include "base/stop.h"
#include "fsieve/error.h"

namespace fsieve::inline base {
namespace detail {

// When one thread's part of an outer loop throws, the loops within its other parts end early
// without a word: what they were to compute is not there, and nothing may go on with it.
inline void stop_if_left_unfinished() {
  if (tbb::is_current_task_group_canceling()) {
    throw Error("interrupted", Error::Kind::interrupted);
  }
}

template <class Body, class Partitioner>
void in_parallel(std::size_t count, const Body& body, const Partitioner& partitioner) {
  const StopScope* const scope = StopScope::current();
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, count),
      [&](const tbb::blocked_range<std::size_t>& range) {
        const WithinScope within(scope);
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          if (scope != nullptr) scope->check();
          body(i);
        }
      },
      partitioner);
  stop_if_left_unfinished();
}

}  // namespace detail

// Calls body(i) for all i < count, in parallel.
template <class Body>
void in_parallel(std::size_t count, const Body& body) {
  detail::in_parallel(count, body, tbb::auto_partitioner());
}

// The same for few and long calls, each of which any thread may take.
template <class Body>
void in_parallel_one_by_one(std::size_t count, const Body& body) {
  detail::in_parallel(count, body, tbb::simple_partitioner());
}

}  // namespace fsieve::base
