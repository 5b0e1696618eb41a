// Products of up to two indicators of some categories, of which few are not 0 in a row: their inner
// products with each other and with columns that are tested are counted row by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/design.h"
#include "fsieve/source.h"

namespace fsieve::inline span {

class IndicatorProducts {
 public:
  // Of each category all levels but the most frequent one have an indicator. `tested`: features of
  // which all design columns are. `source` must be in memory.
  IndicatorProducts(const Source& source, const Design& design,
                    const std::vector<std::size_t>& categories,
                    const std::vector<std::size_t>& tested);

  // The functions are a constant (part 0), then category by category (a part each) its indicators
  // and their products with those of the categories before: a part begins at ….
  [[nodiscard]] std::size_t begin(std::size_t part) const { return begins_[part]; }
  [[nodiscard]] std::size_t functions() const { return begins_.back(); }
  // The columns of a tested feature: [first, last).
  struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  [[nodiscard]] Range columns_of(std::size_t tested) const { return ranges_[tested]; }
  [[nodiscard]] std::size_t columns() const { return squares_.size(); }
  [[nodiscard]] std::size_t rows() const { return rows_.size(); }

  // Squared norms: of a tested column, as it is counted and standardised; of the product of
  // standardised indicators that a function is, but for smaller products.
  [[nodiscard]] double square(std::size_t column) const { return squares_[column]; }
  [[nodiscard]] double standardised_square(std::size_t column) const { return spreads_[column]; }
  [[nodiscard]] double function_square(std::size_t q) const { return function_squares_[q]; }

  // A column of functions() + columns() numbers for each function: its inner products with itself,
  // with the functions after it, and with the tested columns.
  [[nodiscard]] std::vector<float> counted() const;

 private:
  // Lists of places, one after another.
  struct Lists {
    std::vector<std::uint32_t> places = {};
    std::vector<std::size_t> begins = {0};

    void add(std::size_t place) { places.push_back(static_cast<std::uint32_t>(place)); }
    void end_list() { begins.push_back(places.size()); }
  };

  void number_functions(const Source& source, const Design& design,
                        const std::vector<std::size_t>& categories);
  void number_columns(const Source& source, const Design& design,
                      const std::vector<std::size_t>& tested);
  [[nodiscard]] float weight(std::size_t i) const {
    return all_.weights.empty() ? 1.0F : static_cast<float>(all_.weights[rows_[i]]);
  }

  Block all_;
  std::vector<std::size_t> rows_;  // of positive weight
  double weight_ = 0;
  std::vector<std::size_t> begins_;
  std::vector<double> function_squares_;
  Lists functions_;  // that are 1: row by row, part by part
  std::vector<Range> ranges_;
  std::vector<double> squares_;
  std::vector<double> spreads_;
  Lists indicators_;            // the first tested columns: those that are 1, row by row
  std::vector<float> numbers_;  // the others' values, row by row
};

}  // namespace fsieve::span
