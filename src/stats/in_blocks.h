// The rows of a source, block by block in order, the next one read while one is worked on.
#pragma once

#include <tbb/concurrent_queue.h>
#include <tbb/parallel_pipeline.h>

#include <cstddef>
#include <deque>
#include <string_view>

#include "base/stop.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::inline stats {

// Calls body(block) for every block.
template <class Body>
void in_blocks(const Source& source, std::string_view what, Progress& progress, const Body& body) {
  const auto reader = source.open();
  const StopScope* const scope = StopScope::current();
  // Where a stage throws, the pipeline loses what is under way: it gets pointers, and owns nothing.
  std::deque<Block> blocks;
  tbb::concurrent_queue<Block*> spare;  // those that are done
  progress.begin(what, source.rows());
  const auto read = [&](tbb::flow_control& control) -> Block* {
    const WithinScope within(scope);
    Block* block = nullptr;
    if (!spare.try_pop(block)) block = &blocks.emplace_back();
    if (reader->next(*block)) return block;
    control.stop();
    return nullptr;
  };
  const auto work = [&](Block* block) {
    const WithinScope within(scope);
    stop_if_asked();
    const std::size_t done = block->first_row + block->rows;
    body(static_cast<const Block&>(*block));
    spare.push(block);
    progress.advance(done);
  };
  constexpr std::size_t at_a_time = 2;
  tbb::parallel_pipeline(
      at_a_time, tbb::make_filter<void, Block*>(tbb::filter_mode::serial_in_order, read) &
                     tbb::make_filter<Block*, void>(tbb::filter_mode::serial_in_order, work));
  progress.end();
}

}  // namespace fsieve::stats
