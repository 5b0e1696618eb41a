#include "bits/sign_counts.h"

#include <algorithm>
#include <bit>

#include "base/stop.h"
#include "bits/and_count.h"

namespace fsieve::inline bits {
namespace {

std::vector<std::size_t> chosen(std::span<const std::size_t> outer, std::size_t mask) {
  std::vector<std::size_t> subset;
  for (std::size_t k = 0; k < outer.size(); ++k) {
    if ((mask >> k & 1U) != 0) subset.push_back(outer[k]);
  }
  return subset;
}

}  // namespace

SignCounts::SignCounts(const ClassSegments& order, const BitStore& bits, std::size_t features,
                       double table_bytes)
    : order_(order), bits_(bits), features_(features), table_bytes_(table_bytes) {
  count_singles();
}

void SignCounts::count_singles() {
  CountTable& table = tables_.emplace_back(classes(), features_);
  for (std::size_t k = 0; k < classes(); ++k) {
    const auto& [first, words] = order_.segments[k];
    for (std::size_t j = 0; j < features_; ++j) {
      stop_if_asked();
      const std::uint64_t* from = bits_.column(j) + first;
      std::uint32_t total = 0;
      for (std::size_t w = 0; w < words; ++w) {
        total += static_cast<std::uint32_t>(std::popcount(from[w]));
      }
      table.of_class(k)[j] = total;
    }
    singles_.push_back(table.of_class(k));
  }
}

PrefixCounts SignCounts::singles() const {
  return {0, classes(), singles_.data(), order_.rows.data(), features_};
}

void SignCounts::for_each_tile(int size, SharedProgress& progress,
                               const std::function<void(CountedTile&)>& body) {
  make_tables(size);
  fsieve::for_each_tile(features_, size, tile_height, tile_width, progress,
                        [&](const SubsetTile& tile) { visit(tile, body); });
}

void SignCounts::visit(const SubsetTile& tile, const std::function<void(CountedTile&)>& body) {
  Scratch& s = scratch_.local();
  count(tile, s, false);
  CountedTile counted(*this, tile, s);
  body(counted);
}

// The counts of all subsets smaller than `size`. Only the largest table may be left out: its counts
// are then made again where needed.
void SignCounts::make_tables(int size) {
  for (auto smaller = static_cast<int>(tables_.size()) + 1; smaller < size; ++smaller) {
    const auto things = static_cast<std::size_t>(smaller);
    const double bytes =
        choose(features_, things) * static_cast<double>(classes() * sizeof(std::uint32_t));
    if (smaller == size - 1 && bytes > table_bytes_) break;
    NoProgress quiet;
    SharedProgress unseen(quiet, "", 0);
    CountTable table(classes(), choose_exactly(features_, things));
    fsieve::for_each_tile(features_, smaller, tile_height, tile_width, unseen,
                          [&](const SubsetTile& tile) {
                            Scratch& s = scratch_.local();
                            count(tile, s, true);
                            store(tile, s, table);
                          });
    tables_.push_back(std::move(table));
  }
}

// Counts the pairs of a tile with all its outer features, and with those subsets of them whose
// counts are not at hand.
void SignCounts::count(const SubsetTile& tile, Scratch& s, bool only_all) const {
  const std::size_t masks = std::size_t{1} << tile.outer.size();
  const std::size_t tile_rows = tile.b1 - tile.b0;
  s.counts.resize(masks);
  if (!s.bits.ready()) s.bits = BitStore(tile_height + 1, order_.words);
  s.columns.clear();
  s.row_range.clear();
  s.limits.clear();
  for (std::size_t c = tile.c0; c < tile.c1; ++c) s.columns.push_back(bits_.column(c));
  for (std::size_t b = tile.b0; b < tile.b1; ++b) {
    s.row_range.push_back(bits_.column(b));
    s.limits.push_back(tile.last_c(b) > tile.c0 ? tile.last_c(b) - tile.c0 : 0);
  }
  for (std::size_t mask = 0; mask < masks; ++mask) {
    const std::vector<std::size_t> subset = chosen(tile.outer, mask);
    const bool all = mask + 1 == masks;
    if (!all && (only_all || known(subset.size() + 2))) continue;
    s.rows = s.row_range;
    if (!subset.empty()) {
      const std::uint64_t* together = bits_.column(subset[0]);
      for (std::size_t k = 1; k < subset.size(); ++k) {
        and_words(together, bits_.column(subset[k]), order_.words, s.bits.column(tile_height));
        together = s.bits.column(tile_height);
      }
      for (std::size_t r = 0; r < tile_rows; ++r) {
        and_words(together, s.row_range[r], order_.words, s.bits.column(r));
        s.rows[r] = s.bits.column(r);
      }
      if (all && !only_all && !known(subset.size() + 1)) {
        const std::vector<const std::uint64_t*> one{together};
        s.outer_c.resize(classes(), 1, s.columns.size());
        s.outer_c.add(order_, one, nullptr, s.columns);
        s.outer_b.resize(classes(), 1, tile_rows);
        s.outer_b.add(order_, one, nullptr, s.row_range);
      }
    }
    s.counts[mask].resize(classes(), tile_rows, s.columns.size());
    s.counts[mask].add(order_, s.rows, s.limits.data(), s.columns);
  }
}

void SignCounts::store(const SubsetTile& tile, Scratch& s, CountTable& table) const {
  for (std::size_t b = tile.b0; b < tile.b1; ++b) {
    std::vector<std::size_t> subset{0, b};
    subset.insert(subset.end(), tile.outer.begin(), tile.outer.end());
    const std::size_t base = subset_number(subset);
    for (std::size_t k = 0; k < classes(); ++k) {
      const std::uint32_t* from = s.counts.back().row(k, b - tile.b0);
      for (std::size_t c = tile.c0; c < tile.last_c(b); ++c) {
        table.of_class(k)[base + c] = from[c - tile.c0];
      }
    }
  }
}

// Finds where the counts of all subsets of {b} and the outer features are, with and without a c.
PrefixCounts SignCounts::CountedTile::with_prefix(std::size_t b) {
  const std::size_t masks = outer_.size();
  const std::size_t classes = all_.classes();
  const std::vector<CountTable>& tables = all_.tables_;
  Scratch& s = scratch_;
  s.with.resize(classes * masks * 2);
  s.without.resize(classes * masks * 2);
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t mask = 0; mask < masks; ++mask) {
      const auto& [size, after] = outer_[mask];
      const std::size_t at = (k * masks + mask) * 2;
      const bool counted = mask + 1 == masks || !all_.known(size + 2);
      s.with[at + 1] = counted
                           ? s.counts[mask].row(k, b - tile_.b0)
                           : tables[size + 1].of_class(k) + after[2] + b * (b - 1) / 2 + tile_.c0;
      if (all_.known(size + 1)) {
        s.without[at + 1] = tables[size].of_class(k)[after[1] + b];
        s.with[at] = tables[size].of_class(k) + after[1] + tile_.c0;
      } else {
        s.without[at + 1] = s.outer_b.row(k, 0)[b - tile_.b0];
        s.with[at] = s.outer_c.row(k, 0);
      }
      s.without[at] = size == 0 ? all_.order_.rows[k] : tables[size - 1].of_class(k)[after[0]];
    }
  }
  const std::size_t last = tile_.last_c(b);
  return {static_cast<int>(tile_.outer.size()) + 1, classes, s.with.data(), s.without.data(),
          last > tile_.c0 ? last - tile_.c0 : 0};
}

}  // namespace fsieve::bits
