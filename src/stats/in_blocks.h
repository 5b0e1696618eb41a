// The rows of a source, block by block in order, the next ones read while one is worked on.
#pragma once

#include <functional>
#include <string_view>

#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::inline stats {

// Calls body(block) for every block, in order.
void in_blocks(const Source& source, std::string_view what, Progress& progress,
               const std::function<void(const Block&)>& body);

// A block, and in what is derived from it a place for what is made of the block.
struct Leaf {
  virtual ~Leaf() = default;
  Block block;
};

// What happens to leaves: `work` on any thread, `finish` in order. A finished leaf is used again.
struct LeafWork {
  std::function<Leaf&()> make;  // it stays where it is until all is done
  std::function<void(Leaf&)> work;
  std::function<void(Leaf&)> finish;
};
void in_leaves(const Source& source, std::string_view what, Progress& progress,
               const LeafWork& to_do);

}  // namespace fsieve::stats
