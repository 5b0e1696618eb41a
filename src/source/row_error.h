// Something wrong with a row that a method meets. The method knows the rows of its table; which row
// of a file that is, where rows were left out, only those who read the file know.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "fsieve/error.h"

namespace fsieve::inline source {

class RowError final : public Error {
 public:
  // Says "column "a", row 3: …" where `before` is all in front of "row", `after` all behind the
  // number. `row` counts the rows of the table from 0.
  RowError(std::string before, std::size_t row, std::string after, std::uint64_t first_number = 1)
      : Error(fmt::format("{}row {}{}", before, first_number + row, after)),
        before_(std::move(before)),
        after_(std::move(after)),
        row_(row) {}

  [[nodiscard]] std::size_t row() const { return row_; }
  // The same with another number for the row.
  [[nodiscard]] Error numbered(std::uint64_t number) const {
    return Error(fmt::format("{}row {}{}", before_, number, after_));
  }

 private:
  std::string before_;
  std::string after_;
  std::size_t row_;
};

}  // namespace fsieve::source
