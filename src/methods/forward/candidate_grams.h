// For every candidate feature, the inner products of the functions it would bring into a span: its
// columns times some products of features taken ("subsets", the empty one first), made orthogonal
// to the span. They are kept up to date as the span grows, so a step costs matrix products over all
// candidates at once, and a small factorisation per candidate. All in single precision, at twice
// the speed: this says who is worth being judged exactly.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "data/supervised_data.h"
#include "methods/forward/device_grams.h"
#include "methods/forward/estimated_catch.h"
#include "span/span.h"

namespace fsieve::inline methods {

class CandidateGrams {
 public:
  // The candidates are `features`, with the columns that make products or with all their columns;
  // the residual has `labels` columns.
  enum class Columns { plain, all };
  CandidateGrams(const SupervisedData& data, const std::vector<std::size_t>& features,
                 std::size_t labels, Columns which = Columns::plain);

  // From now on a device forms the inner products, if it has room for that; before anything is
  // opened. Copies share it.
  void use(const std::shared_ptr<blas::Accelerator>& device);

  // The features are candidates no longer.
  void remove(const std::vector<std::size_t>& features);

  // Adds subsets: `values` has all of them, the known ones first, one after another. `residual`
  // must be orthogonal to the span; the span may be null for none.
  void open(const std::vector<double>& values, const Span* span,
            const std::vector<double>& residual);

  // The span has grown: functions [first, rank) are new. `on_residual`: their inner products with
  // the residual before they came (labels per function); null if it stays the same.
  void take_out(const std::vector<double>& values, const Span& span, std::size_t first,
                const double* on_residual);

  // Forgets all subsets of a candidate, or of all, but the empty one, for good.
  void forget_products(std::size_t feature);
  void forget_all_products();

  // How many subsets a candidate's functions are known for: all, or the empty one only where they
  // are forgotten or would take too much memory.
  [[nodiscard]] std::size_t subsets(std::size_t feature) const {
    return candidates_[place_[feature]].subsets;
  }

  // What the functions of a candidate with its first `subsets` subsets explain of the residual,
  // about.
  [[nodiscard]] EstimatedCatch explained(std::size_t feature, std::size_t subsets,
                                         double least) const;

 private:
  struct Candidate {
    std::size_t feature = 0;
    std::size_t column = 0;  // its first one, among those of the candidates
    std::size_t own = 0;     // how many it has
    std::size_t subsets = 0;
    bool closed = false;          // to products
    std::vector<float> gram;      // of (subset, own column), the column running faster; lower
    std::vector<float> on_label;  // labels x functions
    std::vector<double> squares;  // squared norms of the functions before the span is taken out
    [[nodiscard]] std::size_t functions() const { return own * subsets; }
  };

  struct Block {
    std::size_t first = 0, last = 0;  // candidates
    std::size_t from = 0;             // first column
    std::size_t columns = 0;
    std::size_t pairs = 0;  // of columns of one candidate
  };

  void follow(const std::vector<double>& values, const Span* span);
  void place_candidates();
  void gather();
  [[nodiscard]] std::size_t asked(const std::vector<double>& values) const;
  [[nodiscard]] std::vector<Block> candidate_blocks(bool products) const;
  void open_block(const Block& block, std::size_t subset, std::size_t rank,
                  const std::vector<float>& residual);
  void open_on_device(std::size_t subset, std::size_t rank, const std::vector<double>& residual);
  void keep(const Block& block, std::size_t subset, const float* on_label, const double* squares,
            const float* inner);
  [[nodiscard]] std::vector<float> with_new_functions(std::size_t first, std::size_t count) const;
  void resize(Candidate& candidate, std::size_t subsets) const;

  const SupervisedData* data_;
  std::size_t labels_;
  std::size_t subsets_ = 0;
  std::size_t most_functions_ = 0;  // of one candidate, for memory's sake
  std::vector<Candidate> candidates_;
  std::vector<std::size_t> place_;                     // of a feature among the candidates
  std::shared_ptr<const std::vector<float>> columns_;  // of the candidates
  std::size_t column_count_ = 0;         // in there, a few of them of no candidate any more
  std::size_t unused_ = 0;               // how many these are
  std::vector<float> values_;            // the subsets
  std::vector<float> span_;              // the functions of the span
  std::shared_ptr<DeviceGrams> device_;  // has the last three instead
  std::uint64_t stamp_ = 0;              // of what it has
};

}  // namespace fsieve::methods
