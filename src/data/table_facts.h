// What one pass over all rows tells of a table whose selection is searched for in a sample: the
// moments of its columns, and how many rows each value of a numeric label has.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <map>

#include "fsieve/source.h"
#include "stats/moments.h"

namespace fsieve::inline data {

class TableFacts {
 public:
  // `most_values`: a numeric label of more different values is not counted.
  TableFacts(const Schema& schema, std::size_t most_values);

  void add(const Block& block);
  void merge(const TableFacts& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const;

  // For parts of a table that are asked for it.
  static constexpr const char* question = "table facts";
  void save_question(std::ostream& out) const;
  static TableFacts from_question(std::istream& in, const Schema& schema, Keep& keep);

  [[nodiscard]] const Moments& moments() const { return moments_; }
  // Weight by value of the label, or by the position of its level; empty where there are too many.
  [[nodiscard]] std::map<double, double> label_weights() const;

 private:
  void count(double value, double weight);

  std::size_t label_;  // its column
  bool numeric_label_;
  std::size_t most_values_;
  Moments moments_;
  std::map<double, double> weights_;
  bool too_many_ = false;
};

}  // namespace fsieve::data
