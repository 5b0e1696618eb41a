// The columns that the methods compute with: every numeric feature is one, a categorical feature
// one per level that occurs but the first (its indicators). Each is standardised: (x - mean) /
// deviation, with the population deviation.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fsieve/family.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::inline stats {
class Moments;
}

namespace fsieve::inline data {

// How a column that is a user's function of others is computed.
struct DerivedColumn {
  UserFunction function;
  std::vector<std::size_t> arguments;  // one design column or two
  bool standardised = true;            // are they, when the function gets them?
};

struct DesignColumn {
  std::string name;                  // "weight", or "color=red" for an indicator
  std::size_t feature;               // position in Schema::features, which is its column in a block
  std::optional<std::size_t> level;  // of an indicator
  double mean = 0;
  double deviation = 0;
  bool two_valued = false;
  double low = 0;  // the smaller of two values, −1 when the column is packed into bits
  // Of a function of columns before this one. Its mean is 0 and its deviation 1: it is never
  // standardised itself.
  std::shared_ptr<const DerivedColumn> derived = nullptr;
  std::optional<double> filled = std::nullopt;  // stands for values that are missing
};

struct DesignFeature {
  std::size_t first = 0;  // its design columns are [first, last)
  std::size_t last = 0;
  bool constant = false;      // then it has no design columns
  double constant_value = 0;  // of a constant: its number, or the position of its level
  double variance = 0;        // original units; the largest of its indicators'
};

struct Design {
  std::size_t rows = 0;        // of the source
  double weight = 0;           // of all rows together: the n of the formulas; `rows` by default
  std::size_t dimensions = 0;  // rows of positive weight: no functions have a larger rank
  std::vector<DesignColumn> columns;
  std::vector<DesignFeature> features;  // one per feature of the schema

  // Writes `count` standardised values of column c, from `row` of the block on.
  void standardised(const Block& block, std::size_t row, std::size_t count, std::size_t c,
                    double* out) const;
  // The same in original units (an indicator is 0 or 1).
  void original(const Block& block, std::size_t row, std::size_t count, std::size_t c,
                double* out) const;

 private:
  void evaluate(const Block& block, std::size_t row, std::span<double> out,
                const DesignColumn& column) const;
};

// One pass over the data. Throws Error where a column cannot be standardised.
[[nodiscard]] Design make_design(const Source& source, Progress& progress);
// The same where that pass was already made.
[[nodiscard]] Design make_design(const Schema& schema, std::size_t rows, const Moments& moments);
// Throws Error where an equation could not tell a level of a category from a column of that name.
void check_names(const Design& design, const Schema& schema);

}  // namespace fsieve::data
