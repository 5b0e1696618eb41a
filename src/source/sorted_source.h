// A table with its features in byte order of their names: what is computed from it, to the last
// digit, does not depend on the order in which they stand in the file.
#pragma once

#include <memory>
#include <vector>

#include "fsieve/source.h"
#include "source/row_view.h"

namespace fsieve::inline source {

// `source` must outlive it. Columns keep their `index`; the label stays last.
class SortedSource final : public Source, public RowView {
 public:
  explicit SortedSource(const Source& source);

  [[nodiscard]] const Schema& schema() const override { return schema_; }
  [[nodiscard]] std::size_t rows() const override { return source_.rows(); }
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override;
  [[nodiscard]] std::span<const double> in_memory() const override {
    return in_order_ ? source_.in_memory() : std::span<const double>(values_);
  }
  [[nodiscard]] std::span<const double> weights() const override { return source_.weights(); }

  [[nodiscard]] const Source& viewed() const override { return source_; }
  [[nodiscard]] const char* view_name() const override;
  void save_view(std::ostream& /*out*/) const override {}

  // Where feature j stands in the source.
  [[nodiscard]] std::size_t position(std::size_t j) const { return order_[j]; }

 private:
  const Source& source_;
  Schema schema_;
  std::vector<std::size_t> order_;  // columns of the source's blocks, the label included
  bool in_order_ = false;           // as the source has them
  std::vector<double> values_;      // a copy, where the source is in memory and not very long
};

// Entries of features of the sorted source as those of its source, in the order there.
template <class Entries>
void put_back(Entries& entries, const SortedSource& sorted) {
  for (auto& entry : entries) entry.feature = sorted.position(entry.feature);
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.feature < b.feature; });
}

}  // namespace fsieve::source
