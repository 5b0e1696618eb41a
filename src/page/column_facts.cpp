#include "page/column_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "table/cell_text.h"

namespace fsieve::inline page {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t kBins = 16;         // of a histogram
constexpr std::size_t kShownLevels = 8;   // of a category
constexpr std::size_t kMostClasses = 50;  // that a number can be the name of

struct NumberFacts {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  double sum = 0;
  std::size_t distinct = 0;  // 1, 2, or 3 for more
  std::array<std::uint64_t, kBins> bins{};

  void add(double value) {
    if (distinct < 3 && value != least && value != most) ++distinct;  // two values are both ends
    least = std::min(least, value);
    most = std::max(most, value);
    sum += value;
  }

  [[nodiscard]] std::size_t bin_of(double value) const {
    if (!(most > least)) return 0;
    const double share = (value / 2 - least / 2) / (most / 2 - least / 2);  // halves: no overflow
    return std::min(kBins - 1, static_cast<std::size_t>(share * kBins));
  }
};

const Column& column_at(const Schema& schema, std::size_t position) {
  return position < schema.features.size() ? schema.features[position] : *schema.label;
}

// Heights of the bars as one digit each, 0 for none and at least 1 for any.
std::string digits(std::span<const std::uint64_t> counts) {
  const std::uint64_t most = *std::max_element(counts.begin(), counts.end());
  std::string text;
  for (const std::uint64_t count : counts) {
    const double share = most == 0 ? 0 : static_cast<double>(count) / static_cast<double>(most);
    text += static_cast<char>('0' + static_cast<int>(std::ceil(share * 9)));
  }
  return text;
}

class Facts {
 public:
  explicit Facts(const Schema& schema)
      : schema_(schema), numbers_(schema.columns()), counts_(schema.columns()) {
    for (std::size_t j = 0; j < schema.columns(); ++j) {
      if (is_number(j)) continue;
      counts_[j].resize(column_at(schema_, j).levels.size());
    }
  }

  // How often each value of a label of numbers occurs, while they can be classes.
  void add_label(const Block& block) {
    const std::size_t place = schema_.features.size();
    if (!schema_.label || !is_number(place)) return;
    for (const double value : block.column(place)) {
      if (label_counts_.size() <= kMostClasses) ++label_counts_[value];
    }
  }

  void add_ranges(const Block& block) {
    add_label(block);
    for (std::size_t j = 0; j < schema_.columns(); ++j) {
      for (const double value : block.column(j)) {
        if (is_number(j)) {
          numbers_[j].add(value);
        } else {
          ++counts_[j].at(static_cast<std::size_t>(value));
        }
      }
    }
  }

  void add_shapes(const Block& block) {
    for (std::size_t j = 0; j < schema_.columns(); ++j) {
      if (!is_number(j)) continue;
      NumberFacts& facts = numbers_[j];
      for (const double value : block.column(j)) ++facts.bins.at(facts.bin_of(value));
    }
  }

  [[nodiscard]] json result(std::size_t rows) const {
    json all = json::array();
    for (std::size_t j = 0; j < schema_.columns(); ++j) {
      const Column& column = column_at(schema_, j);
      json object{{"name", column.name}, {"index", column.index}};
      if (j == schema_.features.size()) object["label"] = true;
      is_number(j) ? put_number(object, numbers_[j], rows) : put_levels(object, column, counts_[j]);
      if (j == schema_.features.size() && is_number(j)) put_classes(object);
      all.push_back(std::move(object));
    }
    return all;
  }

 private:
  // The most frequent value first.
  void put_classes(json& object) const {
    if (label_counts_.size() > kMostClasses) return;
    std::vector<std::pair<double, std::uint64_t>> order(label_counts_.begin(), label_counts_.end());
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    order.resize(std::min(order.size(), kShownLevels));
    json& frequent = object["frequent"] = json::array();
    for (const auto& [value, count] : order) frequent.push_back({io::number_text(value), count});
    object["levels"] = label_counts_.size();
  }

  [[nodiscard]] bool is_number(std::size_t j) const {
    return column_at(schema_, j).kind == ColumnKind::numeric;
  }

  static void put_number(json& object, const NumberFacts& facts, std::size_t rows) {
    object["type"] = facts.distinct <= 1   ? "constant"
                     : facts.distinct == 2 ? "two values"
                                           : "number";
    object["min"] = facts.least;
    object["max"] = facts.most;
    object["mean"] = facts.sum / static_cast<double>(rows);
    object["shape"] = digits(facts.bins);
  }

  static void put_levels(json& object, const Column& column,
                         const std::vector<std::uint64_t>& counts) {
    std::vector<std::size_t> order(counts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
    order.resize(std::min(order.size(), kShownLevels));
    std::vector<std::uint64_t> shown;
    json levels = json::array();
    for (const std::size_t level : order) {
      levels.push_back({column.levels[level], counts[level]});
      shown.push_back(counts[level]);
    }
    object["type"] = counts.size() <= 1   ? "constant"
                     : counts.size() == 2 ? "two values"
                                          : "category";
    object["levels"] = counts.size();
    object["frequent"] = std::move(levels);
    if (!shown.empty()) object["shape"] = digits(shown);
  }

  const Schema& schema_;
  std::vector<NumberFacts> numbers_;
  std::vector<std::vector<std::uint64_t>> counts_;
  std::map<double, std::uint64_t> label_counts_;
};

template <typename Use>
void for_each_block(const Source& source, Progress& progress, const Use& use) {
  progress.begin("looking at the columns", source.rows());
  const auto reader = source.open();
  Block block;
  while (reader->next(block)) {
    use(block);
    progress.advance(block.first_row + block.rows);
  }
  progress.end();
}

}  // namespace

json column_facts(const Source& source, Progress& progress) {
  Facts facts(source.schema());
  for_each_block(source, progress, [&](const Block& block) { facts.add_ranges(block); });
  for_each_block(source, progress, [&](const Block& block) { facts.add_shapes(block); });
  return facts.result(source.rows());
}

}  // namespace fsieve::page
