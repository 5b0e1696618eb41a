// A range of subsets, screened piece by piece on one or more devices while the host scores what
// they found.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "bits/number_ranges.h"
#include "device/screen.h"

namespace fsieve::inline device {

// What the host does. All but `score` are called from the thread that sifts.
struct Sifter {
  // The sum that a subset must reach now (least_sum.h); minus infinity: any may be kept.
  std::function<float()> least;
  // Scores a subset exactly and keeps it if it is good; called from many threads.
  std::function<void(std::span<const std::size_t>)> score;
  // Does a range alone, and keeps account of it.
  std::function<void(NumberRange)> walk;
  // A range that was screened is done.
  std::function<void(NumberRange)> done;
  // The best subsets so far, of those that reach `least`.
  std::function<std::vector<std::vector<std::size_t>>()> best;
};

// How much is done at a time, in subsets; 0: by the number of rows.
struct SiftSizes {
  std::uint64_t first = 0;  // that the host does before any device
  std::uint64_t piece = 0;  // the first piece of a device
  std::uint64_t small = std::uint64_t{1}
                        << 20U;  // where a device finds too much in so few, the host does them
  double side_by_side = 0.02;    // seconds of a piece from which on the host works beside the next
};

// Each piece is done as a whole, so `done` may be told ranges out of order. Throws Error where a
// device does not find what the host found.
void sift(std::span<const std::unique_ptr<Screen>> screens, const ScreenTable& table,
          NumberRange range, const Sifter& host, const SiftSizes& sizes = {});

}  // namespace fsieve::device
