// Statistics of UFFS that chunks of a table are added to.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "call.h"
#include "fsieve/progress.h"
#include "span/parity_sums.h"

namespace fsieve::python {

class Sums {
 public:
  Sums() = default;
  // What bytes() gave, with the names of the columns and the depth.
  Sums(const std::vector<std::string>& names, int depth, const std::string& bytes);

  // The first chunk decides the columns, the call of it the depth.
  void add(const Table& chunk, const Call& call, Progress& progress);
  void merge(const Sums& other);
  [[nodiscard]] std::string reduce(const Call& call, Progress& progress) const;

  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] int depth() const { return sums_ ? sums_->depth() : 0; }
  [[nodiscard]] std::uint64_t rows() const { return sums_ ? sums_->moments().rows() : 0; }
  [[nodiscard]] std::string bytes() const;

 private:
  std::unique_ptr<ParitySums> sums_;  // null: no chunk yet
};

}  // namespace fsieve::python
