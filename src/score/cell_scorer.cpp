// The cells kernel: counts of all subsets from bits. Rows are sorted by class, so that every class
// is a range of words; one sweep counts the rows that have all features of a subset set, and
// smaller subsets' counts give the other cells (Möbius). Features of more than two levels have a
// bit plane per level and are counted cell by cell, or row by row where the cells are too many.
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "fsieve/error.h"
#include "score/and_count.h"
#include "score/cell_table.h"
#include "score/levels.h"
#include "score/scorer.h"
#include "score/subset_tiles.h"

namespace fsieve {
namespace {

using Word = std::uint64_t;
using Subset = std::vector<std::size_t>;

constexpr std::size_t b_width = 32;
constexpr std::size_t c_width = 256;
constexpr std::size_t chunk = 256;       // words of a column that are counted at a time
constexpr std::size_t slack = 16;        // vectors may be read past the end
constexpr std::size_t most_planes = 16;  // levels of a feature that is counted by bits
constexpr std::size_t most_prefix_cells = 512;

// A range of words with the rows of one class.
struct Segment {
  std::size_t first = 0;
  std::size_t words = 0;
};

// Rows in the order of their classes. Segments are aligned, so that no vector crosses a cache line.
struct RowOrder {
  std::vector<Segment> segments;
  std::vector<std::size_t> place;  // the bit of each row
  std::size_t words = 0;           // of a column

  RowOrder(const std::vector<std::size_t>& codes, std::size_t classes) : place(codes.size()) {
    std::vector<std::size_t> count(classes);
    for (const std::size_t code : codes) ++count[code];
    for (std::size_t k = 0; k < classes; ++k) {
      const std::size_t needed = std::max<std::size_t>((count[k] + 63) / 64, 1);
      const std::size_t unit = std::min<std::size_t>(std::bit_ceil(needed), 8);
      const std::size_t first = (words + unit - 1) / unit * unit;
      segments.push_back({first, needed > 8 ? (needed + 7) / 8 * 8 : needed});
      words = first + segments.back().words;
    }
    words = (words + 7) / 8 * 8;
    std::vector<std::size_t> next(classes);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      place[i] = segments[codes[i]].first * 64 + next[codes[i]]++;
    }
  }
};

// Columns of bits, each at the start of a cache line.
class BitStore {
 public:
  BitStore() = default;
  BitStore(std::size_t columns, std::size_t words)
      : words_(words), storage_(columns * words + slack + 8) {
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.data()) / sizeof(Word);
    start_ = (8 - address % 8) % 8;
  }
  [[nodiscard]] bool ready() const { return !storage_.empty(); }
  [[nodiscard]] Word* column(std::size_t k) { return storage_.data() + start_ + k * words_; }
  [[nodiscard]] const Word* column(std::size_t k) const {
    return storage_.data() + start_ + k * words_;
  }

 private:
  std::size_t words_ = 0;
  std::vector<Word> storage_;
  std::size_t start_ = 0;
};

// One count per class and pair: counts[k] begins with class k's.
class BlockCounts {
 public:
  void resize(std::size_t classes, std::size_t rows, std::size_t columns) {
    stride_ = columns;
    plane_ = rows * columns + slack;
    counts_.assign(classes * plane_, 0);
  }
  [[nodiscard]] std::uint32_t* row(std::size_t k, std::size_t r) {
    return counts_.data() + k * plane_ + r * stride_;
  }
  void add(const RowOrder& order, const std::vector<const Word*>& rows, const std::size_t* limits,
           const std::vector<const Word*>& columns) {
    for (std::size_t k = 0; k < order.segments.size(); ++k) {
      const Segment& segment = order.segments[k];
      const CountBlock block{rows.data(),    rows.size(), limits, columns.data(),
                             columns.size(), row(k, 0),   stride_};
      for (std::size_t w = 0; w < segment.words; w += chunk) {
        add_and_counts(block, segment.first + w, std::min(chunk, segment.words - w));
      }
    }
  }

 private:
  std::size_t stride_ = 0;
  std::size_t plane_ = 0;
  std::vector<std::uint32_t> counts_;
};

// How many rows of each class have all features of a subset set, for all subsets of one size.
class CountTable {
 public:
  CountTable() = default;
  CountTable(std::size_t classes, std::size_t subsets)
      : plane_(subsets + slack), counts_(classes * plane_) {}
  [[nodiscard]] bool empty() const { return counts_.empty(); }
  [[nodiscard]] std::uint32_t* of_class(std::size_t k) { return counts_.data() + k * plane_; }
  [[nodiscard]] const std::uint32_t* of_class(std::size_t k) const {
    return counts_.data() + k * plane_;
  }

 private:
  std::size_t plane_ = 0;
  std::vector<std::uint32_t> counts_;
};

// Thresholds in the units of find_promising. Scores are at most about 1, so this fits.
std::int32_t least_sum(double threshold, std::size_t rows) {
  const double least = std::floor(threshold * (static_cast<double>(rows) - 1) - 1e-3);
  return static_cast<std::int32_t>(std::clamp(least, -1.0, 2147483647.0));
}

// All subsets of two-valued features.
class SignCells {
 public:
  SignCells(const RowOrder& order, std::size_t rows, std::vector<std::size_t> features,
            const BitStore& bits, const std::vector<std::uint32_t>& class_rows, double table_bytes)
      : order_(order),
        rows_(rows),
        features_(std::move(features)),
        bits_(bits),
        class_rows_(class_rows),
        table_bytes_(table_bytes) {
    tables_.push_back(count_singles());
  }

  void score_all(int size, Ranking& ranking, SharedProgress& progress, Progress& quiet) {
    const std::size_t d = features_.size();
    for (int smaller = 2; smaller < size; ++smaller) {
      const double bytes = choose(d, static_cast<std::size_t>(smaller)) *
                           static_cast<double>(classes() * sizeof(std::uint32_t));
      // Only the largest table may be left out: its counts are then made again where needed.
      if (smaller == size - 1 && bytes > table_bytes_) break;
      SharedProgress unseen(quiet, "", 0);
      CountTable table(classes(), choose_exactly(d, static_cast<std::size_t>(smaller)));
      for_each_tile(d, smaller, b_width, c_width, unseen, [&](const SubsetTile& tile) {
        Scratch& s = scratch_.local();
        count(tile, s, true);
        store(tile, s, table);
      });
      tables_.push_back(std::move(table));
    }
    for_each_tile(d, size, b_width, c_width, progress, [&](const SubsetTile& tile) {
      Scratch& s = scratch_.local();
      count(tile, s, false);
      rank(tile, s, ranking);
    });
  }

 private:
  struct Scratch {
    BitStore bits;
    std::vector<const Word*> rows, columns, row_range;
    std::vector<std::size_t> limits;
    std::vector<BlockCounts> counts;  // per subset of the outer features; those that are made
    BlockCounts outer_c, outer_b;     // the outer features with c, with b
    std::vector<const std::uint32_t*> with;
    std::vector<std::uint32_t> without;
    std::vector<std::uint32_t> found;
    std::vector<std::int64_t> cells;
  };

  [[nodiscard]] std::size_t classes() const { return order_.segments.size(); }

  [[nodiscard]] CountTable count_singles() const {
    CountTable table(classes(), features_.size());
    for (std::size_t j = 0; j < features_.size(); ++j) {
      for (std::size_t k = 0; k < classes(); ++k) {
        const Word* from = bits_.column(j) + order_.segments[k].first;
        std::uint32_t total = 0;
        for (std::size_t w = 0; w < order_.segments[k].words; ++w) {
          total += static_cast<std::uint32_t>(std::popcount(from[w]));
        }
        table.of_class(k)[j] = total;
      }
    }
    return table;
  }

  [[nodiscard]] static Subset chosen(std::span<const std::size_t> outer, std::size_t mask) {
    Subset subset;
    for (std::size_t k = 0; k < outer.size(); ++k) {
      if ((mask >> k & 1U) != 0) subset.push_back(outer[k]);
    }
    return subset;
  }

  // Is the count of subsets of this size at hand?
  [[nodiscard]] bool known(std::size_t size) const { return size <= tables_.size(); }

  // Counts the pairs of a tile with all its outer features, and with those subsets of them whose
  // counts are not at hand.
  void count(const SubsetTile& tile, Scratch& s, bool only_all) const {
    const std::size_t masks = std::size_t{1} << tile.outer.size();
    const std::size_t height = tile.b1 - tile.b0;
    s.counts.resize(masks);
    if (!s.bits.ready()) s.bits = BitStore(b_width + 1, order_.words);
    s.columns.clear();
    s.row_range.clear();
    s.limits.clear();
    for (std::size_t c = tile.c0; c < tile.c1; ++c) s.columns.push_back(bits_.column(c));
    for (std::size_t b = tile.b0; b < tile.b1; ++b) {
      s.row_range.push_back(bits_.column(b));
      s.limits.push_back(tile.last_c(b) > tile.c0 ? tile.last_c(b) - tile.c0 : 0);
    }
    for (std::size_t mask = 0; mask < masks; ++mask) {
      const Subset subset = chosen(tile.outer, mask);
      const bool all = mask + 1 == masks;
      if (!all && (only_all || known(subset.size() + 2))) continue;
      s.rows = s.row_range;
      if (!subset.empty()) {
        const Word* together = bits_.column(subset[0]);
        for (std::size_t k = 1; k < subset.size(); ++k) {
          and_words(together, bits_.column(subset[k]), order_.words, s.bits.column(b_width));
          together = s.bits.column(b_width);
        }
        for (std::size_t r = 0; r < height; ++r) {
          and_words(together, s.row_range[r], order_.words, s.bits.column(r));
          s.rows[r] = s.bits.column(r);
        }
        if (all && !only_all && !known(subset.size() + 1)) {
          const std::vector<const Word*> one{together};
          s.outer_c.resize(classes(), 1, s.columns.size());
          s.outer_c.add(order_, one, nullptr, s.columns);
          s.outer_b.resize(classes(), 1, height);
          s.outer_b.add(order_, one, nullptr, s.row_range);
        }
      }
      s.counts[mask].resize(classes(), height, s.columns.size());
      s.counts[mask].add(order_, s.rows, s.limits.data(), s.columns);
    }
  }

  void store(const SubsetTile& tile, Scratch& s, CountTable& table) const {
    for (std::size_t b = tile.b0; b < tile.b1; ++b) {
      Subset subset{0, b};
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

  // Numbers of {…, outer} for a subset of the outer features after none, one and two smaller ones.
  struct OuterNumbers {
    std::size_t size = 0;
    std::size_t after[3] = {};
  };

  [[nodiscard]] static std::vector<OuterNumbers> number_outer(std::span<const std::size_t> outer) {
    std::vector<OuterNumbers> numbers(std::size_t{1} << outer.size());
    for (std::size_t mask = 0; mask < numbers.size(); ++mask) {
      const Subset subset = chosen(outer, mask);
      numbers[mask].size = subset.size();
      for (std::size_t k = 0; k < subset.size(); ++k) {
        for (std::size_t smaller = 0; smaller < 3; ++smaller) {
          numbers[mask].after[smaller] += choose_exactly(subset[k], k + 1 + smaller);
        }
      }
    }
    return numbers;
  }

  // Where the counts of all subsets of {b} and the outer features are, with and without a c.
  void locate(const SubsetTile& tile, const std::vector<OuterNumbers>& outer, std::size_t b,
              Scratch& s) const {
    const std::size_t masks = outer.size();
    s.with.resize(classes() * masks * 2);
    s.without.resize(classes() * masks * 2);
    for (std::size_t k = 0; k < classes(); ++k) {
      for (std::size_t mask = 0; mask < masks; ++mask) {
        const auto& [size, after] = outer[mask];
        const std::size_t at = (k * masks + mask) * 2;  // mask bit 0 is b
        const bool counted = mask + 1 == masks || !known(size + 2);
        s.with[at + 1] = counted
                             ? s.counts[mask].row(k, b - tile.b0)
                             : tables_[size + 1].of_class(k) + after[2] + b * (b - 1) / 2 + tile.c0;
        if (known(size + 1)) {
          s.without[at + 1] = tables_[size].of_class(k)[after[1] + b];
          s.with[at] = tables_[size].of_class(k) + after[1] + tile.c0;
        } else {
          s.without[at + 1] = s.outer_b.row(k, 0)[b - tile.b0];
          s.with[at] = s.outer_c.row(k, 0);
        }
        s.without[at] = size == 0 ? class_rows_[k] : tables_[size - 1].of_class(k)[after[0]];
      }
    }
  }

  void rank(const SubsetTile& tile, Scratch& s, Ranking& ranking) const {
    const int bits = static_cast<int>(tile.outer.size()) + 1;
    const std::vector<OuterNumbers> outer = number_outer(tile.outer);
    s.found.resize(c_width);
    Subset features(tile.outer.size() + 2);
    for (std::size_t k = 0; k < tile.outer.size(); ++k) features[k + 2] = features_[tile.outer[k]];
    for (std::size_t b = tile.b0; b < tile.b1; ++b) {
      if (tile.last_c(b) <= tile.c0) continue;
      locate(tile, outer, b, s);
      const PrefixCounts counts{bits, classes(), s.with.data(), s.without.data(),
                                tile.last_c(b) - tile.c0};
      const std::size_t found =
          find_promising(counts, least_sum(ranking.threshold(), rows_), s.found.data());
      features[1] = features_[b];
      for (std::size_t f = 0; f < found; ++f) {
        features[0] = features_[tile.c0 + s.found[f]];
        ranking.offer(score(counts, s.found[f], s.cells), features);
      }
    }
  }

  // The exact score, from the whole table of one subset.
  [[nodiscard]] double score(const PrefixCounts& counts, std::size_t c,
                             std::vector<std::int64_t>& cells) const {
    const std::size_t half = std::size_t{1} << counts.bits;
    cells.resize(2 * half * classes());
    for (std::size_t k = 0; k < classes(); ++k) {
      std::int64_t* of_class = cells.data() + k * 2 * half;
      for (std::size_t s = 0; s < half; ++s) {
        of_class[s] = counts.with[k * half + s][c];
        of_class[half + s] = counts.without[k * half + s] - of_class[s];
      }
      for (std::size_t step = 1; step < half; step *= 2) {
        for (std::size_t s = 0; s < 2 * half; ++s) {
          if ((s & step) == 0) of_class[s] -= of_class[s + step];
        }
      }
    }
    CellSum sum(classes(), rows_);
    for (std::size_t s = 0; s < 2 * half; ++s) sum.add(cells.data() + s, 2 * half);
    return sum.score();
  }

  const RowOrder& order_;
  std::size_t rows_;
  std::vector<std::size_t> features_;
  const BitStore& bits_;
  const std::vector<std::uint32_t>& class_rows_;
  double table_bytes_;
  std::vector<CountTable> tables_;  // of sizes 1, 2, …
  tbb::enumerable_thread_specific<Scratch> scratch_;
};

class CellScorer final : public SubsetScorer {
 public:
  CellScorer(const SupervisedData& data, std::size_t bins, double table_bytes)
      : label_(&data.label),
        table_bytes_(table_bytes),
        rows_(data.rows()),
        class_count_(data.label.classification ? data.label.classes.size() : 1),
        place_(data.design.features.size()) {
    levels_.resize(data.features.size());
    tbb::parallel_for(std::size_t{0}, data.features.size(),
                      [&](std::size_t k) { levels_[k] = levels_of(data, data.features[k], bins); });
    for (std::size_t k = 0; k < data.features.size(); ++k) {
      place_[data.features[k]] = k;
      const bool many = !data.label.classification || levels_[k].count > 2;
      (many ? many_levels_ : two_levels_).push_back(k);
      names_.push_back(data.features[k]);
    }
    if (data.label.classification) {
      order_ = std::make_unique<RowOrder>(data.label.codes, class_count_);
      pack();
    } else {
      const auto n = static_cast<double>(rows_);
      double mean = 0;
      for (const double y : data.label.numbers) mean += y / n;
      for (const double y : data.label.numbers) {
        centred_.push_back(y - mean);
        const double from_others = (y - mean) * n / (n - 1);
        total_ += from_others * from_others;
      }
    }
  }

  void score_all(int size, Ranking& ranking, Progress& progress) const override {
    if (size < 1 || size > most_discrete_depth) {
      throw Error("subsets of 1 to 6 discrete features can be scored", Error::Kind::usage);
    }
    const std::size_t d = names_.size();
    SharedProgress shared(progress, "subsets", choose(d, static_cast<std::size_t>(size)));
    if (size == 1) {
      tbb::parallel_for(std::size_t{0}, d, [&](std::size_t k) {
        ranking.offer(score({&names_[k], 1}), {&names_[k], 1});
      });
      shared.add(d);
    } else {
      score_two_levels(size, ranking, shared);
      score_many_levels(static_cast<std::size_t>(size), ranking, shared);
    }
    shared.end();
  }

  [[nodiscard]] double score(std::span<const std::size_t> features) const override {
    Histogram histogram;
    Prefix prefix;
    std::vector<std::size_t> all;
    for (const std::size_t feature : features) all.push_back(place_[feature]);
    const std::size_t last = all.back();
    all.pop_back();
    number_cells(all, prefix);
    return count_rows(prefix, last, histogram);
  }

 private:
  // The cells of a few features: which one each row is in, numbered as they occur.
  struct Prefix {
    std::vector<std::uint32_t> cell;
    std::size_t cells = 0;
    std::vector<std::uint32_t> number;  // scratch
  };

  struct Histogram {
    std::vector<std::uint32_t> counts;
    std::vector<double> sums, squares;
    std::vector<std::uint32_t> touched;
  };

  struct Scratch {
    Prefix prefix;
    Histogram histogram;
    std::vector<Word> bits;
    std::vector<const Word*> rows, columns;
    std::vector<std::uint32_t> prefix_counts;
    std::vector<std::uint32_t> cell;
    BlockCounts counts;
    std::vector<std::size_t> features;
  };

  void pack() {
    const auto set = [&](Word* column, std::size_t row) {
      const std::size_t bit = order_->place[row];
      column[bit / 64] |= Word{1} << (bit % 64);
    };
    two_bits_ = BitStore(two_levels_.size(), order_->words);
    for (std::size_t j = 0; j < two_levels_.size(); ++j) {
      for (std::size_t i = 0; i < rows_; ++i) {
        if (levels_[two_levels_[j]].codes[i] == 1) set(two_bits_.column(j), i);
      }
    }
    class_rows_.assign(class_count_, 0);
    for (const std::size_t code : label_->codes) ++class_rows_[code];
    if (many_levels_.empty()) return;
    // Planes of all levels but the last, of all features.
    first_plane_.assign(levels_.size(), 0);
    std::size_t planes = 0;
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      first_plane_[k] = planes;
      if (levels_[k].count <= most_planes) planes += levels_[k].count - 1;
    }
    planes_ = BitStore(planes, order_->words);
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      if (levels_[k].count > most_planes) continue;
      for (std::size_t i = 0; i < rows_; ++i) {
        const std::uint32_t code = levels_[k].codes[i];
        if (code + 1 < levels_[k].count) set(planes_.column(first_plane_[k] + code), i);
      }
    }
  }

  void score_two_levels(int size, Ranking& ranking, SharedProgress& progress) const {
    if (two_levels_.size() < static_cast<std::size_t>(size)) return;
    std::vector<std::size_t> features;
    for (const std::size_t k : two_levels_) features.push_back(names_[k]);
    SignCells cells(*order_, rows_, std::move(features), two_bits_, class_rows_, table_bytes_);
    NoProgress quiet;
    cells.score_all(size, ranking, progress, quiet);
  }

  // Subsets with at least one feature of many levels: these come first in the order that prefixes
  // are made in.
  void score_many_levels(std::size_t size, Ranking& ranking, SharedProgress& progress) const {
    if (many_levels_.empty()) return;
    std::vector<std::size_t> order = many_levels_;
    order.insert(order.end(), two_levels_.begin(), two_levels_.end());
    tbb::enumerable_thread_specific<Scratch> scratch;
    for_each_prefix(order.size(), many_levels_.size(), size,
                    [&](std::span<const std::size_t> prefix, std::size_t first) {
                      if (first == order.size()) return;
                      std::vector<std::size_t> features;
                      for (const std::size_t k : prefix) features.push_back(order[k]);
                      const std::span last(order.data() + first, order.size() - first);
                      rank_prefix(features, last, scratch.local(), ranking);
                      progress.add(last.size());
                    });
  }

  // Numbers the cells of features; at most as many as there are rows.
  void number_cells(std::span<const std::size_t> features, Prefix& prefix) const {
    prefix.cell.assign(rows_, 0);
    prefix.cells = 1;
    constexpr auto unseen = static_cast<std::uint32_t>(-1);
    for (const std::size_t k : features) {
      const Levels& levels = levels_[k];
      prefix.number.assign(prefix.cells * levels.count, unseen);
      std::uint32_t next = 0;
      for (std::size_t i = 0; i < rows_; ++i) {
        std::uint32_t& number = prefix.number[prefix.cell[i] * levels.count + levels.codes[i]];
        if (number == unseen) number = next++;
        prefix.cell[i] = number;
      }
      prefix.cells = next;
    }
  }

  // Is it cheaper to count a feature's planes in the prefix's cells than to look at every row?
  [[nodiscard]] bool by_bits(std::size_t cells, std::size_t k) const {
    return label_->classification && levels_[k].count <= most_planes &&
           cells <= most_prefix_cells &&
           cells * (levels_[k].count - 1) * (order_->words + 8 * class_count_) < 12 * rows_;
  }

  void rank_prefix(std::span<const std::size_t> features, std::span<const std::size_t> last,
                   Scratch& s, Ranking& ranking) const {
    number_cells(features, s.prefix);
    std::vector<std::size_t> bits;
    for (const std::size_t k : last) {
      if (by_bits(s.prefix.cells, k)) {
        bits.push_back(k);
      } else {
        offer(features, k, count_rows(s.prefix, k, s.histogram), s, ranking);
      }
    }
    if (!bits.empty()) make_prefix_bits(s);
    constexpr std::size_t planes_at_once = 256;
    for (std::size_t from = 0; from < bits.size();) {
      std::size_t to = from;
      s.columns.clear();
      while (to < bits.size() &&
             (to == from || s.columns.size() + levels_[bits[to]].count <= planes_at_once)) {
        for (std::size_t l = 0; l + 1 < levels_[bits[to]].count; ++l) {
          s.columns.push_back(planes_.column(first_plane_[bits[to]] + l));
        }
        ++to;
      }
      s.counts.resize(class_count_, s.rows.size(), s.columns.size());
      s.counts.add(*order_, s.rows, nullptr, s.columns);
      std::size_t plane = 0;
      for (; from < to; ++from) {
        offer(features, bits[from], score_planes(s, plane, levels_[bits[from]].count), s, ranking);
        plane += levels_[bits[from]].count - 1;
      }
    }
  }

  void make_prefix_bits(Scratch& s) const {
    const std::size_t words = order_->words;
    s.bits.assign(s.prefix.cells * words + slack, 0);
    s.prefix_counts.assign(s.prefix.cells * class_count_, 0);
    for (std::size_t i = 0; i < rows_; ++i) {
      const std::size_t bit = order_->place[i];
      s.bits[s.prefix.cell[i] * words + bit / 64] |= Word{1} << (bit % 64);
      ++s.prefix_counts[s.prefix.cell[i] * class_count_ + label_->codes[i]];
    }
    s.rows.clear();
    for (std::size_t r = 0; r < s.prefix.cells; ++r) s.rows.push_back(s.bits.data() + r * words);
  }

  // The last level has what the others leave.
  [[nodiscard]] double score_planes(Scratch& s, std::size_t plane, std::size_t levels) const {
    CellSum sum(class_count_, rows_);
    s.cell.resize(class_count_ * levels);
    for (std::size_t r = 0; r < s.rows.size(); ++r) {
      for (std::size_t k = 0; k < class_count_; ++k) {
        std::uint32_t left = s.prefix_counts[r * class_count_ + k];
        for (std::size_t l = 0; l + 1 < levels; ++l) {
          const std::uint32_t count = s.counts.row(k, r)[plane + l];
          s.cell[k * levels + l] = count;
          left -= count;
        }
        s.cell[k * levels + levels - 1] = left;
      }
      for (std::size_t l = 0; l < levels; ++l) sum.add(s.cell.data() + l, levels);
    }
    return sum.score();
  }

  [[nodiscard]] double count_rows(const Prefix& prefix, std::size_t k, Histogram& h) const {
    return label_->classification ? count_classes(prefix, k, h) : add_numbers(prefix, k, h);
  }

  [[nodiscard]] double count_classes(const Prefix& prefix, std::size_t k, Histogram& h) const {
    const Levels& levels = levels_[k];
    const std::size_t width = class_count_ + 1;  // the last: rows of the cell
    const std::size_t needed = prefix.cells * levels.count * width;
    if (h.counts.size() < needed) h.counts.resize(needed);
    h.touched.clear();
    for (std::size_t i = 0; i < rows_; ++i) {
      const auto cell = static_cast<std::uint32_t>(prefix.cell[i] * levels.count + levels.codes[i]);
      std::uint32_t* counts = h.counts.data() + cell * width;
      if (counts[class_count_]++ == 0) h.touched.push_back(cell);
      ++counts[label_->codes[i]];
    }
    CellSum sum(class_count_, rows_);
    for (const std::uint32_t cell : h.touched) {
      std::uint32_t* counts = h.counts.data() + cell * width;
      sum.add(counts, 1);
      std::fill_n(counts, width, 0U);
    }
    return sum.score();
  }

  // q2: a row is predicted by the mean of the others in its cell, or of all others where it is
  // alone.
  [[nodiscard]] double add_numbers(const Prefix& prefix, std::size_t k, Histogram& h) const {
    const Levels& levels = levels_[k];
    const std::size_t needed = prefix.cells * levels.count;
    if (h.counts.size() < needed) {
      h.counts.resize(needed);
      h.sums.resize(needed);
      h.squares.resize(needed);
    }
    h.touched.clear();
    for (std::size_t i = 0; i < rows_; ++i) {
      const auto cell = static_cast<std::uint32_t>(prefix.cell[i] * levels.count + levels.codes[i]);
      if (h.counts[cell]++ == 0) h.touched.push_back(cell);
      h.sums[cell] += centred_[i];
      h.squares[cell] += centred_[i] * centred_[i];
    }
    const auto n = static_cast<double>(rows_);
    double left = 0;
    for (const std::uint32_t cell : h.touched) {
      const auto count = static_cast<double>(h.counts[cell]);
      const double factor = count > 1 ? count / (count - 1) : n / (n - 1);
      const double spread =
          count > 1 ? std::max(0.0, h.squares[cell] - h.sums[cell] * h.sums[cell] / count)
                    : h.squares[cell];
      left += spread * factor * factor;
      h.counts[cell] = 0;
      h.sums[cell] = h.squares[cell] = 0;
    }
    return 1 - left / total_;
  }

  void offer(std::span<const std::size_t> prefix, std::size_t last, double value, Scratch& s,
             Ranking& ranking) const {
    s.features.clear();
    for (const std::size_t k : prefix) s.features.push_back(names_[k]);
    s.features.push_back(names_[last]);
    std::sort(s.features.begin(), s.features.end());
    ranking.offer(value, s.features);
  }

  const Label* label_;
  double table_bytes_;
  std::size_t rows_;
  std::size_t class_count_;
  std::vector<std::size_t> place_;  // of a feature among the candidates
  std::vector<std::size_t> names_;  // the feature of a candidate
  std::vector<Levels> levels_;      // per candidate
  std::vector<std::size_t> two_levels_, many_levels_;
  std::unique_ptr<RowOrder> order_;
  std::vector<std::uint32_t> class_rows_;
  BitStore two_bits_;
  BitStore planes_;
  std::vector<std::size_t> first_plane_;
  std::vector<double> centred_;  // the label of a regression
  double total_ = 0;
};

}  // namespace

std::unique_ptr<SubsetScorer> make_cell_scorer(const SupervisedData& data, std::size_t bins,
                                               double table_bytes) {
  return std::make_unique<CellScorer>(data, bins, table_bytes);
}

}  // namespace fsieve
