#include "methods/union/sign_cells.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>

#include "bits/promising.h"
#include "bits/sign_counts.h"
#include "measure/cell_table.h"

namespace fsieve::inline methods {
namespace {

// Thresholds in the units of find_promising. Scores are at most about 1, so this fits.
std::int32_t least_sum(double threshold, std::size_t rows) {
  const double least = std::floor(threshold * (static_cast<double>(rows) - 1) - 1e-3);
  return static_cast<std::int32_t>(std::clamp(least, -1.0, 2147483647.0));
}

struct Scratch {
  std::vector<std::uint32_t> found;
  std::vector<std::int64_t> cells;
  std::vector<std::size_t> features;
};

// The exact score, from the whole table of one subset.
double score(const PrefixCounts& counts, std::size_t c, std::size_t rows,
             std::vector<std::int64_t>& cells) {
  make_cells(counts, c, cells);
  const std::size_t width = std::size_t{2} << counts.bits;
  CellSum sum(counts.classes, rows);
  for (std::size_t s = 0; s < width; ++s) sum.add(cells.data() + s, width);
  return sum.score();
}

}  // namespace

void rank_sign_subsets(const ClassOrder& order, const BitStore& bits,
                       const std::vector<std::size_t>& features, int size, double table_bytes,
                       Ranking& ranking, SharedProgress& progress) {
  const std::size_t rows = order.place.size();
  SignCounts all(order, bits, features.size(), table_bytes);
  tbb::enumerable_thread_specific<Scratch> scratch;
  all.for_each_tile(size, progress, [&](SignCounts::CountedTile& counted) {
    const SubsetTile& tile = counted.subsets();
    Scratch& s = scratch.local();
    s.found.resize(tile.c1 - tile.c0);
    s.features.resize(tile.outer.size() + 2);
    for (std::size_t k = 0; k < tile.outer.size(); ++k) s.features[k + 2] = features[tile.outer[k]];
    for (std::size_t b = tile.b0; b < tile.b1; ++b) {
      const PrefixCounts counts = counted.with_prefix(b);
      const std::size_t found =
          find_promising(counts, least_sum(ranking.threshold(), rows), s.found.data());
      s.features[1] = features[b];
      for (std::size_t f = 0; f < found; ++f) {
        s.features[0] = features[tile.c0 + s.found[f]];
        ranking.offer(score(counts, s.found[f], rows, s.cells), s.features);
      }
    }
  });
}

}  // namespace fsieve::methods
