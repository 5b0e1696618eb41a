// Weights that let every class of a label count the same.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "data/label.h"
#include "source/row_view.h"
#include "source/trusted_source.h"

namespace fsieve::inline data {

// Per class: n / (classes · the weight of the class), which makes all classes weigh the same and
// together as much as before. Throws Error where the label is a number.
[[nodiscard]] std::vector<double> balancing_factors(const Label& label);
// Per row: its weight times the factor of its class.
[[nodiscard]] std::vector<double> balanced_weights(const Label& label,
                                                   const std::vector<double>& factors);

// A table that is not held, its classes weighing the same. `source` must outlive it.
class BalancedSource final : public TrustedSource, public RowView {
 public:
  // `of_class`: the weight of the rows of every value of the label, or of every level by its
  // place; `part`: the weight that each is to have.
  BalancedSource(const Source& source, std::map<double, double> of_class, double part);

  [[nodiscard]] const Schema& schema() const override { return source_.schema(); }
  [[nodiscard]] std::size_t rows() const override { return source_.rows(); }
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override;
  [[nodiscard]] std::span<const double> in_memory() const override { return source_.in_memory(); }
  // Made when they are first needed. Where the rows lie elsewhere, sums over them need none here.
  [[nodiscard]] std::span<const double> weights() const override;

  [[nodiscard]] const Source& viewed() const override { return source_; }
  [[nodiscard]] const char* view_name() const override;
  void save_view(std::ostream& out) const override;

 private:
  [[nodiscard]] std::vector<double> read_weights() const;

  const Source& source_;
  std::map<double, double> of_class_;
  double part_;
  mutable std::once_flag made_;
  mutable std::vector<double> weights_;
};

}  // namespace fsieve::data
