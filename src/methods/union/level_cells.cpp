#include "methods/union/level_cells.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>

#include "base/stop.h"
#include "measure/cell_table.h"

namespace fsieve::inline methods {
namespace {

constexpr std::size_t most_planes = 16;  // levels of a feature that is counted by bits
constexpr std::size_t most_prefix_cells = 512;
constexpr std::size_t planes_at_once = 256;

}  // namespace

LevelCells::LevelCells(const Label& label, const std::vector<Levels>& levels,
                       const std::vector<std::size_t>& names, const ClassOrder* order, bool planes)
    : label_(label),
      levels_(levels),
      names_(names),
      order_(order),
      rows_(label.classification ? label.codes.size() : label.numbers.size()),
      class_count_(label.classification ? label.classes.size() : 1) {
  if (!label.classification) {
    centre(label.numbers);
  } else if (planes && order != nullptr) {
    pack_planes();
  }
}

void LevelCells::centre(const std::vector<double>& numbers) {
  const double n = label_.weight;
  double mean = 0;
  for (std::size_t i = 0; i < rows_; ++i) mean += label_.weight_of(i) * numbers[i] / n;
  for (std::size_t i = 0; i < rows_; ++i) {
    centred_.push_back(numbers[i] - mean);
    const double from_others = (numbers[i] - mean) * n / (n - 1);
    total_ += label_.weight_of(i) * from_others * from_others;
  }
}

// Planes of all levels but the last, of all features.
void LevelCells::pack_planes() {
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
      if (code + 1 < levels_[k].count) order_->set(planes_.column(first_plane_[k] + code), i);
    }
  }
}

// The special ones come first in the order that prefixes are made in.
void LevelCells::rank(std::size_t size, const std::vector<std::size_t>& special,
                      const std::vector<std::size_t>& rest, Ranking& ranking,
                      SharedProgress& progress) const {
  if (special.empty()) return;
  std::vector<std::size_t> order = special;
  order.insert(order.end(), rest.begin(), rest.end());
  tbb::enumerable_thread_specific<Scratch> scratch;
  for_each_prefix(order.size(), special.size(), size,
                  [&](std::span<const std::size_t> prefix, std::size_t first) {
                    if (first == order.size()) return;
                    std::vector<std::size_t> features;
                    for (const std::size_t k : prefix) features.push_back(order[k]);
                    const std::span last(order.data() + first, order.size() - first);
                    rank_prefix(features, last, scratch.local(), ranking);
                    progress.add(last.size());
                  });
}

double LevelCells::score(std::span<const std::size_t> candidates) const {
  Histogram histogram;
  Prefix prefix;
  number_cells(candidates.first(candidates.size() - 1), prefix);
  return count_rows(prefix, candidates.back(), histogram);
}

// Numbers the cells of features; at most as many as there are rows.
void LevelCells::number_cells(std::span<const std::size_t> features, Prefix& prefix) const {
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
bool LevelCells::by_bits(std::size_t cells, std::size_t k) const {
  return order_ != nullptr && levels_[k].count <= most_planes && cells <= most_prefix_cells &&
         cells * (levels_[k].count - 1) * (order_->words + 8 * class_count_) < 12 * rows_;
}

void LevelCells::rank_prefix(std::span<const std::size_t> features,
                             std::span<const std::size_t> last, Scratch& s,
                             Ranking& ranking) const {
  number_cells(features, s.prefix);
  std::vector<std::size_t> bits;
  for (const std::size_t k : last) {
    stop_if_asked();
    if (by_bits(s.prefix.cells, k)) {
      bits.push_back(k);
    } else {
      offer(features, k, count_rows(s.prefix, k, s.histogram), s, ranking);
    }
  }
  if (!bits.empty()) make_prefix_bits(s);
  for (std::size_t from = 0; from < bits.size();) {
    stop_if_asked();
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

void LevelCells::make_prefix_bits(Scratch& s) const {
  const std::size_t words = order_->words;
  s.bits.assign(s.prefix.cells * words + vector_slack, 0);
  s.prefix_counts.assign(s.prefix.cells * class_count_, 0);
  for (std::size_t i = 0; i < rows_; ++i) {
    order_->set(s.bits.data() + s.prefix.cell[i] * words, i);
    ++s.prefix_counts[s.prefix.cell[i] * class_count_ + label_.codes[i]];
  }
  s.rows.clear();
  for (std::size_t r = 0; r < s.prefix.cells; ++r) s.rows.push_back(s.bits.data() + r * words);
}

// The last level has what the others leave.
double LevelCells::score_planes(Scratch& s, std::size_t plane, std::size_t levels) const {
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

double LevelCells::count_rows(const Prefix& prefix, std::size_t k, Histogram& h) const {
  if (!label_.classification) return add_numbers(prefix, k, h);
  return label_.weights.empty() ? count_classes(prefix, k, h) : add_weights(prefix, k, h);
}

double LevelCells::count_classes(const Prefix& prefix, std::size_t k, Histogram& h) const {
  const Levels& levels = levels_[k];
  const std::size_t width = class_count_ + 1;  // the last: rows of the cell
  const std::size_t needed = prefix.cells * levels.count * width;
  if (h.counts.size() < needed) h.counts.resize(needed);
  h.touched.clear();
  for (std::size_t i = 0; i < rows_; ++i) {
    const auto cell = static_cast<std::uint32_t>(prefix.cell[i] * levels.count + levels.codes[i]);
    std::uint32_t* counts = h.counts.data() + cell * width;
    if (counts[class_count_]++ == 0) h.touched.push_back(cell);
    ++counts[label_.codes[i]];
  }
  CellSum sum(class_count_, rows_);
  for (const std::uint32_t cell : h.touched) {
    std::uint32_t* counts = h.counts.data() + cell * width;
    sum.add(counts, 1);
    std::fill_n(counts, width, 0U);
  }
  return sum.score();
}

double LevelCells::add_weights(const Prefix& prefix, std::size_t k, Histogram& h) const {
  const Levels& levels = levels_[k];
  const std::size_t cells = prefix.cells * levels.count;
  h.weights.assign(cells * class_count_, 0.0);
  for (std::size_t i = 0; i < rows_; ++i) {
    const std::size_t cell = prefix.cell[i] * levels.count + levels.codes[i];
    h.weights[cell * class_count_ + label_.codes[i]] += label_.weights[i];
  }
  double sum = 0;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    sum += weighted_cell({h.weights.data() + cell * class_count_, class_count_}, label_.units);
  }
  return sum / (label_.weight - 1);
}

// q2: a row is predicted by the mean of the others in its cell, or of all others where it is
// alone.
double LevelCells::add_numbers(const Prefix& prefix, std::size_t k, Histogram& h) const {
  const Levels& levels = levels_[k];
  const std::size_t needed = prefix.cells * levels.count;
  if (h.weights.size() < needed) {
    h.weights.resize(needed);
    h.sums.resize(needed);
    h.squares.resize(needed);
  }
  h.touched.clear();
  for (std::size_t i = 0; i < rows_; ++i) {
    const auto cell = static_cast<std::uint32_t>(prefix.cell[i] * levels.count + levels.codes[i]);
    const double weight = label_.weight_of(i);
    if (h.weights[cell] == 0) h.touched.push_back(cell);
    h.weights[cell] += weight;
    h.sums[cell] += weight * centred_[i];
    h.squares[cell] += weight * centred_[i] * centred_[i];
  }
  const double n = label_.weight;
  double left = 0;
  for (const std::uint32_t cell : h.touched) {
    const double count = h.weights[cell];
    const bool alone = count < 1 + 1e-9;
    const double factor = alone ? n / (n - 1) : count / (count - 1);
    const double spread =
        alone ? h.squares[cell]
              : std::max(0.0, h.squares[cell] - h.sums[cell] * h.sums[cell] / count);
    left += spread * factor * factor;
    h.weights[cell] = h.sums[cell] = h.squares[cell] = 0;
  }
  return 1 - left / total_;
}

void LevelCells::offer(std::span<const std::size_t> prefix, std::size_t last, double value,
                       Scratch& s, Ranking& ranking) const {
  s.features.clear();
  for (const std::size_t k : prefix) s.features.push_back(names_[k]);
  s.features.push_back(names_[last]);
  std::sort(s.features.begin(), s.features.end());
  ranking.offer(value, s.features);
}

}  // namespace fsieve::methods
