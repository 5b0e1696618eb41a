// Some rows of a table, by their numbers, wherever they lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <utility>
#include <vector>

#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "stats/asked.h"

namespace fsieve::inline stats {

// Accumulates the rows whose numbers were asked for.
class PickedRows {
 public:
  // `numbers` ascend, and count the rows of the whole table from 0.
  PickedRows(std::size_t columns, std::vector<std::uint64_t> numbers)
      : numbers_(std::move(numbers)), values_(columns) {}

  void add(const Block& block);
  void merge(const PickedRows& next);
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const;

  // For parts of a table that are asked for it.
  static constexpr const char* question = "rows";
  void save_question(std::ostream& out) const;
  static PickedRows from_question(std::istream& in, const Schema& schema, Keep& keep);

  // Column by column.
  [[nodiscard]] std::vector<double> values() const;

 private:
  std::vector<std::uint64_t> numbers_;
  std::vector<std::vector<double>> values_;
};

// These rows as a table in memory, with their weights.
[[nodiscard]] std::unique_ptr<MemorySource> picked_rows(const Source& source,
                                                        std::vector<std::size_t> numbers,
                                                        Progress& progress);

}  // namespace fsieve::stats
