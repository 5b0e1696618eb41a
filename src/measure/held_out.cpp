#include "measure/held_out.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/stop.h"

namespace fsieve::inline measure {
namespace {

// One-to-one, and without a pattern: different words stay different.
std::uint64_t mixed(std::uint64_t bits, std::uint64_t seed) {
  bits += seed;
  bits = (bits ^ bits >> 30U) * 0xBF58476D1CE4E5B9ULL;
  bits = (bits ^ bits >> 27U) * 0x94D049BB133111EBULL;
  return bits ^ bits >> 31U;
}

std::uint64_t word_of(std::string_view level) {
  std::uint64_t word = 0;
  for (const char c : level) word = mixed(word, static_cast<unsigned char>(c));
  return word;
}

// Have numbers a longer tail towards small values? Those that are symmetric, but for rounding, have
// none. No weights: all count once.
bool leans_down(std::span<const double> values, std::span<const double> weights) {
  constexpr double symmetric = 1e-9;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double range = *most - *least;
  if (!(range > 0) || !std::isfinite(range)) return false;
  double total = 0;
  double sum = 0;
  const auto place = [&, low = *least](double value) { return (value - low) / range; };
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1 : weights[i]; };
  for (std::size_t i = 0; i < values.size(); ++i) {
    total += weight(i);
    sum += weight(i) * place(values[i]);
  }
  double cubes = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    cubes += weight(i) * std::pow(place(values[i]) - sum / total, 3);
  }
  return cubes < -symmetric * total;
}

// The rows of a table in a random order that follows from what they hold: the first of `columns`
// decides unless it is equal, and so on; at last the label. Numbers count by their ranks, from the
// end with the shorter tail, so that it makes no difference in which unit they are given and which
// way they count (a height or a depth), and levels by their names: their positions depend on which
// others there are.
class RowOrder {
 public:
  RowOrder(const Source& source, std::vector<std::size_t> columns, std::uint64_t seed)
      : source_(source),
        seed_((seed + 1) * 0x9E3779B97F4A7C15ULL),
        rows_(source.rows()),
        differs_(source.rows(), false),
        keys_(source.rows()) {
    std::iota(rows_.begin(), rows_.end(), std::size_t{0});
    columns.push_back(source.schema().features.size());
    std::vector<Range> equal{{0, rows_.size()}};
    for (const std::size_t column : columns) {
      std::vector<Range> still_equal;
      down_ = !equal.empty() && levels_of(column).empty() &&
              leans_down({values_of(column), source.rows()}, source.weights());
      for (const Range& range : equal) split(range, column, still_equal);
      equal = std::move(still_equal);
    }
  }

  [[nodiscard]] const std::vector<std::size_t>& rows() const { return rows_; }
  // Whether the k-th of them differs from the one before.
  [[nodiscard]] bool differs(std::size_t k) const { return differs_[k]; }

 private:
  struct Range {
    std::size_t begin;
    std::size_t end;
  };

  // Orders rows that are equal so far by a column, and tells where they stay equal.
  void split(const Range& range, std::size_t column, std::vector<Range>& still_equal) {
    stop_if_asked();
    find_keys(range, column);
    sort(range, [this](std::size_t row) { return keys_[row]; });
    std::size_t begin = range.begin;
    for (std::size_t k = range.begin + 1; k <= range.end; ++k) {
      if (k < range.end && keys_[rows_[k]] == keys_[rows_[k - 1]]) continue;
      if (k < range.end) differs_[k] = true;
      if (k - begin > 1) still_equal.push_back({begin, k});
      begin = k;
    }
  }

  // Leaves the rows of the range in the order of the values.
  void find_keys(const Range& range, std::size_t column) {
    const double* values = values_of(column);
    const std::vector<std::string>& levels = levels_of(column);
    sort(range, [this, values](std::size_t row) { return down_ ? -values[row] : values[row]; });
    std::uint64_t word = 0;
    for (std::size_t k = range.begin; k < range.end; ++k) {
      const double value = values[rows_[k]];
      const bool other = k == range.begin || value != values[rows_[k - 1]];
      if (other)
        word = levels.empty() ? word + 1 : word_of(levels[static_cast<std::size_t>(value)]);
      keys_[rows_[k]] = mixed(word, seed_);
    }
  }

  [[nodiscard]] const double* values_of(std::size_t column) const {
    return source_.in_memory().data() + column * source_.rows();
  }

  [[nodiscard]] const std::vector<std::string>& levels_of(std::size_t column) const {
    const Schema& schema = source_.schema();
    return column < schema.features.size() ? schema.features[column].levels : schema.label->levels;
  }

  template <class Key>
  void sort(const Range& range, const Key& key) {
    std::stable_sort(rows_.begin() + static_cast<std::ptrdiff_t>(range.begin),
                     rows_.begin() + static_cast<std::ptrdiff_t>(range.end),
                     [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  }

  const Source& source_;
  std::uint64_t seed_;
  std::vector<std::size_t> rows_;
  std::vector<bool> differs_;
  std::vector<std::uint64_t> keys_;  // per row, of the column that is looked at
  bool down_ = false;                // is it looked at from above?
};

// The classes, those of most rows first; of as many, that of which a row comes first.
std::vector<std::size_t> places_of_classes(const Label& label,
                                           const std::vector<std::size_t>& different) {
  struct Class {
    std::size_t code;
    double weight = 0;
    std::size_t first = SIZE_MAX;
  };
  std::vector<Class> classes;
  for (std::size_t k = 0; k < label.classes.size(); ++k) classes.push_back({k});
  for (std::size_t i = 0; i < label.rows; ++i) {
    classes[label.codes[i]].weight += label.weight_of(i) / label.unit_of(i);
  }
  for (std::size_t k = different.size(); k-- > 0;) classes[label.codes[different[k]]].first = k;
  std::sort(classes.begin(), classes.end(), [](const Class& a, const Class& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.first < b.first;
  });
  std::vector<std::size_t> places(classes.size());
  for (std::size_t k = 0; k < classes.size(); ++k) places[classes[k].code] = k;
  return places;
}

// Different rows in the order they are dealt in, each by the first row that is equal to it: class
// by class, or by size of the number, but in random order among `together` that stand next to each
// other.
std::vector<std::size_t> dealing_order(const Label& label, std::vector<std::size_t> different,
                                       std::size_t together) {
  if (label.classification) {
    const std::vector<std::size_t> places = places_of_classes(label, different);
    std::stable_sort(different.begin(), different.end(), [&](std::size_t a, std::size_t b) {
      return places[label.codes[a]] < places[label.codes[b]];
    });
    return different;
  }
  std::vector<std::size_t> random(label.rows);
  for (std::size_t k = 0; k < different.size(); ++k) random[different[k]] = k;
  std::stable_sort(different.begin(), different.end(), [&](std::size_t a, std::size_t b) {
    return label.numbers[a] < label.numbers[b];
  });
  for (std::size_t k = 0; k < different.size(); k += together) {
    const std::size_t end = std::min(different.size(), k + together);
    std::sort(different.begin() + static_cast<std::ptrdiff_t>(k),
              different.begin() + static_cast<std::ptrdiff_t>(end),
              [&](std::size_t a, std::size_t b) { return random[a] < random[b]; });
  }
  return different;
}

template <class Wanted>
std::vector<std::size_t> rows_where(std::size_t count, const Wanted& wanted) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < count; ++i) {
    if (wanted(i)) rows.push_back(i);
  }
  return rows;
}

}  // namespace

std::vector<std::size_t> HeldOut::rows(std::size_t part) const {
  return rows_where(part_of.size(), [&](std::size_t i) { return part_of[i] == part; });
}

std::vector<std::size_t> HeldOut::other_rows(std::size_t part) const {
  return rows_where(part_of.size(),
                    [&](std::size_t i) { return part_of[i] != part && part_of[i] != nowhere; });
}

void HeldOut::keep_parts(std::size_t count) {
  parts = std::min(parts, count);
  for (std::size_t& part : part_of) {
    if (part >= parts) part = nowhere;
  }
}

HeldOut RowDealer::deal(std::size_t parts, std::size_t most, std::uint64_t seed) const {
  const RowOrder order(source_, columns_, seed);
  const std::vector<std::size_t>& rows = order.rows();
  HeldOut held;
  held.place.resize(rows.size());
  std::vector<std::size_t> different;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (k == 0 || order.differs(k)) different.push_back(rows[k]);
    held.place[rows[k]] = different.size() - 1;
  }
  held.parts = std::min(parts, different.size());
  if (held.parts < 2) return {};

  // Of very many rows every so-many-th is used.
  const std::size_t stride = (different.size() + most - 1) / most;
  const std::size_t cycle = held.parts * stride;
  const std::vector<std::size_t> dealt = dealing_order(label_, different, cycle);
  std::vector<std::size_t> part_at(different.size());
  for (std::size_t k = 0; k < dealt.size(); ++k) {
    const std::size_t part = k % cycle;
    part_at[held.place[dealt[k]]] = part < held.parts ? part : HeldOut::nowhere;
  }
  held.part_of.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) held.part_of[i] = part_at[held.place[i]];
  return held;
}

}  // namespace fsieve::measure
