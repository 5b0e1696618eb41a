#include "stats/in_blocks.h"

#include <tbb/concurrent_queue.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <deque>

#include "base/stop.h"

namespace fsieve::inline stats {
namespace {

// Where a stage throws, the pipeline loses what is under way: it gets pointers, and owns nothing.
void in_pipeline(const Source& source, std::string_view what, Progress& progress,
                 const LeafWork& to_do, std::size_t at_a_time) {
  const auto reader = source.open();
  const StopScope* const scope = StopScope::current();
  tbb::concurrent_queue<Leaf*> spare;  // those that are finished
  progress.begin(what, source.rows());
  const auto read = [&](tbb::flow_control& control) -> Leaf* {
    const WithinScope within(scope);
    Leaf* leaf = nullptr;
    if (!spare.try_pop(leaf)) leaf = &to_do.make();
    if (reader->next(leaf->block)) return leaf;
    control.stop();
    return nullptr;
  };
  const auto work = [&](Leaf* leaf) {
    const WithinScope within(scope);
    stop_if_asked();
    to_do.work(*leaf);
    return leaf;
  };
  const auto finish = [&](Leaf* leaf) {
    const WithinScope within(scope);
    stop_if_asked();
    const std::size_t done = leaf->block.first_row + leaf->block.rows;
    to_do.finish(*leaf);
    spare.push(leaf);
    progress.advance(done);
  };
  using tbb::filter_mode;
  auto stages = tbb::make_filter<void, Leaf*>(filter_mode::serial_in_order, read);
  if (to_do.work) stages &= tbb::make_filter<Leaf*, Leaf*>(filter_mode::parallel, work);
  tbb::parallel_pipeline(
      at_a_time, stages & tbb::make_filter<Leaf*, void>(filter_mode::serial_in_order, finish));
  progress.end();
}

}  // namespace

void in_blocks(const Source& source, std::string_view what, Progress& progress,
               const std::function<void(const Block&)>& body) {
  std::deque<Leaf> leaves;
  const auto make = [&]() -> Leaf& { return leaves.emplace_back(); };
  const auto finish = [&](Leaf& leaf) { body(leaf.block); };
  constexpr std::size_t at_a_time = 2;
  in_pipeline(source, what, progress, {make, nullptr, finish}, at_a_time);
}

void in_leaves(const Source& source, std::string_view what, Progress& progress,
               const LeafWork& to_do) {
  const auto at_a_time = 2 * static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  in_pipeline(source, what, progress, to_do, at_a_time);
}

}  // namespace fsieve::stats
