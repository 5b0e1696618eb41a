// Numeric features cut into quantile bins, so that they can be counted like levels.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fsieve/source.h"
#include "source/row_view.h"
#include "source/trusted_source.h"

namespace fsieve::inline data {

// A copy of a source in memory in which every numeric feature of more than `bins` values is
// categorical: bin1 … binQ (bin01 … where there are more than nine), each about as full as the
// others by weight; equal values share a bin. Two-valued features stay as they are.
[[nodiscard]] std::unique_ptr<MemorySource> binned(const Source& source, std::size_t bins);

// The levels that a numeric feature is cut into.
struct ColumnBins {
  std::vector<double> starts;  // values at which all but the first begin
  std::vector<double> places;  // of each among the levels
  std::vector<std::string> levels;

  [[nodiscard]] double place(double value) const;
};

// A table that is not held, cut where the rows of a sample of it are. `source` must outlive it.
class BinnedSource final : public TrustedSource, public RowView {
 public:
  BinnedSource(const Source& source, const Source& sample, std::size_t bins);
  // By column; none: it stays as it is.
  BinnedSource(const Source& source, std::vector<std::optional<ColumnBins>> bins);

  [[nodiscard]] const Schema& schema() const override { return schema_; }
  [[nodiscard]] std::size_t rows() const override { return source_.rows(); }
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override;
  [[nodiscard]] std::span<const double> weights() const override { return source_.weights(); }

  [[nodiscard]] const Source& viewed() const override { return source_; }
  [[nodiscard]] const char* view_name() const override;
  void save_view(std::ostream& out) const override;

 private:
  const Source& source_;
  Schema schema_;
  std::vector<std::optional<ColumnBins>> bins_;
};

}  // namespace fsieve::data
