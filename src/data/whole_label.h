// The label of all rows of a table that is not held: its classes, and its columns for the rows of
// any block.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/label.h"
#include "data/rank_functions.h"
#include "data/table_facts.h"

namespace fsieve::inline data {

// What Task::automatic means for a label, from all its rows.
[[nodiscard]] Task task_of(const Schema& schema, const TableFacts& facts, Task asked);

// Different values of a numeric label that must be counted to tell that.
[[nodiscard]] std::size_t label_values_to_count(Task asked);

class WholeLabel {
 public:
  // `sample`: the label of some rows, every class among them; ranks are those in it.
  WholeLabel(const Schema& schema, const TableFacts& facts, const Label& sample);

  // For parts of a table that compute with it.
  void save(std::ostream& out) const;
  [[nodiscard]] static WholeLabel load(std::istream& in);

  [[nodiscard]] bool classification() const { return classes_ > 0; }
  [[nodiscard]] double weight() const { return weight_; }
  [[nodiscard]] double mean() const { return means_[0]; }
  [[nodiscard]] std::size_t freedom() const { return classes_ > 2 ? classes_ - 1 : 1; }
  // Is it a number of which no value holds half of the rows?
  [[nodiscard]] bool smooth() const { return ranks_ && !ranks_->lump(); }
  // The largest square of a column that is tested, in units of its mean square: of the rarest class
  // (1 − share) / share.
  [[nodiscard]] double peak() const { return peak_; }

  // Columns that are explained together: [0, columns()) as Label::centred_columns has them. Of a
  // number there is one more, its normal scores.
  [[nodiscard]] std::size_t columns() const { return means_.size(); }
  [[nodiscard]] std::size_t all_columns() const { return columns() + (classification() ? 0 : 1); }

  // Number (−1 and +1 for two classes) and class of every row of a block.
  void read(const Block& block, std::vector<double>& numbers,
            std::vector<std::size_t>& codes) const;
  // All columns, about centred, one after another.
  void write_columns(const std::vector<double>& numbers, const std::vector<std::size_t>& codes,
                     double* out) const;

 private:
  WholeLabel() = default;

  std::size_t position_ = 0;
  double weight_ = 0;
  std::size_t classes_ = 0;  // 0: it is a number
  double peak_ = 0;
  std::map<double, std::size_t> codes_;  // by value or position of the level
  std::vector<double> means_;
  std::optional<RankFunctions> ranks_;  // of a number
};

}  // namespace fsieve::data
