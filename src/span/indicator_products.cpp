#include "span/indicator_products.h"

#include <algorithm>

#include "base/parallel.h"
#include "base/stop.h"
#include "source/whole_table.h"
#include "span/row_levels.h"

namespace fsieve::inline span {
namespace {

constexpr std::uint32_t nothing = UINT32_MAX;

// The weight of the rows that have each level.
std::vector<double> level_weights(const RowLevels& levels, const Block& all,
                                  const std::vector<std::size_t>& rows) {
  std::vector<double> weights(levels.count());
  for (const std::size_t row : rows) {
    weights[levels[row]] += all.weights.empty() ? 1 : all.weights[row];
  }
  return weights;
}

}  // namespace

IndicatorProducts::IndicatorProducts(const Source& source, const Design& design,
                                     const std::vector<std::size_t>& categories,
                                     const std::vector<std::size_t>& tested)
    : all_(whole_table(source)), weight_(design.weight) {
  for (std::size_t row = 0; row < all_.rows; ++row) {
    if (all_.weights.empty() || all_.weights[row] > 0) rows_.push_back(row);
  }
  number_functions(source, design, categories);
  number_columns(source, design, tested);
}

void IndicatorProducts::number_functions(const Source& source, const Design& design,
                                         const std::vector<std::size_t>& categories) {
  std::vector<double> variances;                    // of all indicators
  std::vector<std::size_t> befores = {0};           // how many the categories before have
  std::vector<std::vector<std::uint32_t>> of_rows;  // per category: which one is 1
  begins_ = {0, 1};
  function_squares_ = {weight_};
  for (const std::size_t category : categories) {
    const RowLevels levels(source, design, all_, category);
    const std::vector<double> weights = level_weights(levels, all_, rows_);
    const auto most = std::max_element(weights.begin(), weights.end()) - weights.begin();
    std::vector<std::uint32_t> numbers(weights.size(), nothing);
    const std::size_t before = variances.size();
    for (std::size_t level = 0; level < weights.size(); ++level) {
      if (weights[level] == 0 || level == static_cast<std::size_t>(most)) continue;
      numbers[level] = static_cast<std::uint32_t>(variances.size());
      const double share = weights[level] / weight_;
      variances.push_back(share * (1 - share));
      function_squares_.push_back(weight_ * variances.back());
    }
    for (std::size_t a = before; a < variances.size(); ++a) {
      for (std::size_t b = 0; b < before; ++b) {
        function_squares_.push_back(weight_ * variances[a] * variances[b]);
      }
    }
    begins_.push_back(function_squares_.size());
    befores.push_back(variances.size());
    std::vector<std::uint32_t>& own = of_rows.emplace_back();
    for (const std::size_t row : rows_) own.push_back(numbers[levels[row]]);
  }
  std::vector<std::size_t> ones;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    ones.clear();
    functions_.add(0);
    functions_.end_list();
    for (std::size_t k = 0; k < categories.size(); ++k) {
      const std::uint32_t one = of_rows[k][i];
      if (one != nothing) {
        const std::size_t before = befores[k];
        const std::size_t pairs =
            begins_[k + 1] + befores[k + 1] - before + (one - before) * before;
        functions_.add(begins_[k + 1] + one - before);
        for (const std::size_t other : ones) functions_.add(pairs + other);
        ones.push_back(one);
      }
      functions_.end_list();
    }
  }
}

// Indicators come first, then numbers.
void IndicatorProducts::number_columns(const Source& source, const Design& design,
                                       const std::vector<std::size_t>& tested) {
  ranges_.resize(tested.size());
  std::vector<std::vector<std::uint32_t>> of_rows;
  for (std::size_t t = 0; t < tested.size(); ++t) {
    if (!has_levels(design, tested[t])) continue;
    const RowLevels levels(source, design, all_, tested[t]);
    const std::vector<double> weights = level_weights(levels, all_, rows_);
    std::vector<std::uint32_t> numbers(weights.size(), nothing);
    const DesignFeature& feature = design.features[tested[t]];
    ranges_[t].first = squares_.size();
    for (std::size_t c = feature.first; c < feature.last; ++c) {
      const std::size_t level = RowLevels::of(design.columns[c]);
      numbers[level] = static_cast<std::uint32_t>(squares_.size());
      squares_.push_back(weights[level]);
      spreads_.push_back(weights[level] * (1 - weights[level] / weight_));
    }
    ranges_[t].last = squares_.size();
    std::vector<std::uint32_t>& own = of_rows.emplace_back();
    for (const std::size_t row : rows_) own.push_back(numbers[levels[row]]);
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (const std::vector<std::uint32_t>& own : of_rows) {
      if (own[i] != nothing) indicators_.add(own[i]);
    }
    indicators_.end_list();
  }
  std::vector<std::vector<double>> numbers;
  for (std::size_t t = 0; t < tested.size(); ++t) {
    if (has_levels(design, tested[t])) continue;
    const DesignFeature& feature = design.features[tested[t]];
    ranges_[t].first = squares_.size();
    for (std::size_t c = feature.first; c < feature.last; ++c) {
      std::vector<double>& values = numbers.emplace_back(all_.rows);
      design.standardised(all_, 0, all_.rows, c, values.data());
      squares_.push_back(weight_);
      spreads_.push_back(weight_);
    }
    ranges_[t].last = squares_.size();
  }
  numbers_.reserve(rows_.size() * numbers.size());
  for (const std::size_t row : rows_) {
    for (const std::vector<double>& values : numbers) {
      numbers_.push_back(static_cast<float>(values[row]));
    }
  }
}

std::vector<float> IndicatorProducts::counted() const {
  const std::size_t parts = begins_.size() - 1;
  const std::size_t height = functions() + columns();
  const std::size_t numbers = numbers_.size() / rows_.size();
  std::vector<float> products(height * functions());
  constexpr std::size_t at_once = 256;  // rows, between two looks at whether to stop
  in_parallel_one_by_one(parts, [&](std::size_t part) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (i % at_once == 0) stop_if_asked();
      const float one = weight(i);
      const std::size_t* const lists = functions_.begins.data() + i * parts;
      for (std::size_t k = lists[part]; k < lists[part + 1]; ++k) {
        float* const column = products.data() + functions_.places[k] * height;
        for (std::size_t l = k; l < lists[parts]; ++l) column[functions_.places[l]] += one;
        float* const tested = column + functions();
        for (std::size_t l = indicators_.begins[i]; l < indicators_.begins[i + 1]; ++l) {
          tested[indicators_.places[l]] += one;
        }
        float* const on_numbers = column + height - numbers;
        for (std::size_t s = 0; s < numbers; ++s) {
          on_numbers[s] += one * numbers_[i * numbers + s];
        }
      }
    }
  });
  return products;
}

}  // namespace fsieve::span
