// The inner products of CandidateGrams on a device, in double precision: the candidates' columns,
// the subsets and the functions of the span stay there, and what is new comes to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "linalg/accelerator.h"

namespace fsieve::inline methods {

class DeviceGrams {
 public:
  DeviceGrams(std::shared_ptr<blas::Accelerator> device, std::size_t rows, std::size_t labels)
      : device_(std::move(device)), rows_(rows), labels_(labels) {}

  // Is there room for so many columns of candidates?
  [[nodiscard]] static bool fit(const blas::Accelerator& device, std::size_t rows,
                                std::size_t columns);

  // Some columns, as one who asks has them: two of the same key are the same.
  struct Columns {
    std::shared_ptr<const void> key;
    std::size_t count = 0;
    std::function<void(blas::Accelerator&, const blas::Place&)> put;
  };
  [[nodiscard]] bool has(const std::shared_ptr<const void>& columns) const {
    return key_ == columns;
  }
  // Functions that go on from those of an earlier call; `all` has these too.
  struct Functions {
    const double* all = nullptr;
    std::size_t count = 0;
  };
  // Brings over what is not there. `stamp`: what an earlier call returned where subsets and span
  // begin with those of that call; 0: none.
  std::uint64_t follow(const Columns& columns, std::uint64_t stamp, const Functions& subsets,
                       const Functions& span);

  // Inner products of (subset · function of the span) with all columns: for every column, those of
  // the first function with all subsets, of the next one, ...
  [[nodiscard]] std::vector<float> with_columns(std::size_t subsets, std::size_t first,
                                                std::size_t count);

  // All columns times a subset, with the first `rank` functions of the span taken out.
  struct Opened {
    std::vector<float> on_label;  // labels per column: inner products with the residual
    std::vector<double> squares;  // squared norms before the span is taken out
    std::vector<float> inner;     // subset + 1 per pair: with (subset a · the pair's other column)
  };
  // `pairs`: a column and another one.
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  [[nodiscard]] Opened open(std::size_t subset, std::size_t rank,
                            const std::vector<double>& residual, const Pairs& pairs);

 private:
  // The array: columns, room for as many functions of them, the residual, subsets, span.
  [[nodiscard]] blas::Place column(std::size_t c) const {
    return blas::Place{array_.get(), 0, stride_}.at(0, c);
  }
  [[nodiscard]] std::size_t functions_at() const { return columns_; }
  [[nodiscard]] std::size_t label_at() const { return 2 * columns_; }
  [[nodiscard]] std::size_t subsets_at() const { return label_at() + labels_; }
  [[nodiscard]] std::size_t span_at() const { return subsets_at() + most_subsets_; }

  void make_room(const Columns& columns, std::size_t subsets, std::size_t span);
  void put_rest(const Functions& functions, std::size_t at, std::size_t& known);
  [[nodiscard]] std::size_t slice_for(std::size_t functions) const;
  void form(const std::vector<std::uint32_t>& factors, std::size_t row, std::size_t rows,
            const blas::Place& to);
  [[nodiscard]] std::vector<float> fetched(const blas::Place& from, std::size_t rows,
                                           std::size_t columns);

  std::shared_ptr<blas::Accelerator> device_;
  std::size_t rows_;
  std::size_t stride_ = blas::even_stride(rows_);
  std::size_t labels_;
  std::shared_ptr<const void> key_;
  std::size_t columns_ = 0;
  std::size_t most_subsets_ = 0;
  std::size_t most_functions_ = 0;  // of the span
  std::size_t subsets_ = 0;         // that are there
  std::size_t functions_ = 0;
  std::uint64_t stamp_ = 0;
  blas::Accelerator::Array array_;
};

}  // namespace fsieve::methods
