#include "methods/forward/device_grams.h"

#include <algorithm>
#include <atomic>

#include "base/stop.h"
#include "fsieve/error.h"
#include "linalg/narrow.h"

namespace fsieve::inline methods {
namespace {

using blas::Op;
using blas::Place;

constexpr std::size_t first_room = 128;  // for subsets, and for functions of the span

std::uint32_t index(std::size_t column) { return static_cast<std::uint32_t>(column); }

}  // namespace

bool DeviceGrams::fit(const blas::Accelerator& device, std::size_t rows, std::size_t columns) {
  return 2 * (2 * columns + 8 * first_room) * blas::even_stride(rows) <= device.room();
}

// Growing means copying everything again: room is doubled, so that is rare.
void DeviceGrams::make_room(const Columns& columns, std::size_t subsets, std::size_t span) {
  const bool same = has(columns.key);
  if (same && subsets <= most_subsets_ && span <= most_functions_) return;
  for (most_subsets_ = std::max(most_subsets_, first_room); most_subsets_ < subsets;) {
    most_subsets_ *= 2;
  }
  for (most_functions_ = std::max(most_functions_, first_room); most_functions_ < span;) {
    most_functions_ *= 2;
  }
  key_ = columns.key;
  columns_ = columns.count;
  subsets_ = functions_ = 0;
  array_.reset();
  array_ = device_->take((span_at() + most_functions_) * stride_);
  columns.put(*device_, column(0));
}

void DeviceGrams::put_rest(const Functions& functions, std::size_t at, std::size_t& known) {
  if (functions.count > known) {
    device_->put(functions.all + known * rows_, rows_, rows_, functions.count - known,
                 column(at + known));
  }
  known = functions.count;
}

std::uint64_t DeviceGrams::follow(const Columns& columns, std::uint64_t stamp,
                                  const Functions& subsets, const Functions& span) {
  if (stamp == 0 || stamp != stamp_) subsets_ = functions_ = 0;
  make_room(columns, subsets.count, span.count);
  put_rest(subsets, subsets_at(), subsets_);
  put_rest(span, span_at(), functions_);
  static std::atomic<std::uint64_t> last{0};
  return stamp_ = ++last;
}

// Rows of so many functions that are formed at a time.
std::size_t DeviceGrams::slice_for(std::size_t functions) const {
  const std::size_t fit = device_->room() / 4 / std::max<std::size_t>(functions, 1) / 8 * 8;
  return std::min(std::clamp<std::size_t>(fit, 8, blas::most_device_rows), stride_);
}

void DeviceGrams::form(const std::vector<std::uint32_t>& factors, std::size_t row, std::size_t rows,
                       const Place& to) {
  device_->evaluate({factors.data(), factors.size() / 2, 2}, column(0).at(row, 0), rows, to);
}

std::vector<float> DeviceGrams::fetched(const Place& from, std::size_t rows, std::size_t columns) {
  if (rows == 0) return {};
  std::vector<double> wide(rows * columns);
  device_->get(from, rows, columns, wide.data(), rows);
  return blas::narrowed(wide.data(), wide.size());
}

std::vector<float> DeviceGrams::with_columns(std::size_t subsets, std::size_t first,
                                             std::size_t count) {
  const std::size_t height = subsets * count;
  std::vector<std::uint32_t> factors;
  for (std::size_t j = first; j < first + count; ++j) {
    for (std::size_t a = 0; a < subsets; ++a) {
      factors.push_back(index(subsets_at() + a));
      factors.push_back(index(span_at() + j));
    }
  }
  const auto sums = device_->take(height * columns_);
  const Place inner{sums.get(), 0, height};
  const std::size_t slice = slice_for(height);
  const auto array = device_->take(slice * height);
  for (std::size_t row = 0; row < rows_; row += slice) {
    stop_if_asked();
    const std::size_t rows = std::min(slice, rows_ - row);
    const Place formed{array.get(), 0, slice};
    form(factors, row, rows, formed);
    device_->gemm(Op::transpose, Op::none, height, columns_, rows, 1.0, formed,
                  column(0).at(row, 0), row == 0 ? 0 : 1, inner);
    device_->keep_pace();
  }
  return fetched(inner, height, columns_);
}

DeviceGrams::Opened DeviceGrams::open(std::size_t subset, std::size_t rank,
                                      const std::vector<double>& residual, const Pairs& pairs) {
  const std::size_t count = columns_;
  device_->put(residual.data(), rows_, rows_, labels_, column(label_at()));
  std::vector<std::uint32_t> factors;
  for (std::size_t c = 0; c < count; ++c) {
    factors.push_back(index(subsets_at() + subset));
    factors.push_back(index(c));
  }
  const Place functions = column(functions_at());
  form(factors, 0, rows_, functions);

  const auto small = device_->take((labels_ + rank) * count);
  const Place on_label{small.get(), 0, labels_};
  const Place in_span{small.get(), labels_ * count, std::max<std::size_t>(rank, 1)};
  device_->gemm(Op::transpose, Op::none, labels_, count, rows_, 1.0, column(label_at()), functions,
                0, on_label);
  if (rank > 0) {
    device_->gemm(Op::transpose, Op::none, rank, count, rows_, 1.0, column(span_at()), functions, 0,
                  in_span);
    // Once: what rounding leaves of the span is of no account in inner products.
    device_->gemm(Op::none, Op::none, rows_, count, rank, -1.0, column(span_at()), in_span, 1,
                  functions);
  }

  factors.clear();
  for (const auto& [one, other] : pairs) {
    factors.push_back(index(functions_at() + one));
    factors.push_back(other);
  }
  const std::size_t slice = slice_for(pairs.size());
  const auto array = device_->take(slice * pairs.size());
  const auto sums = device_->take((subset + 1) * pairs.size());
  const Place inner{sums.get(), 0, subset + 1};
  for (std::size_t row = 0; row < rows_; row += slice) {
    stop_if_asked();
    const std::size_t rows = std::min(slice, rows_ - row);
    const Place products{array.get(), 0, slice};
    form(factors, row, rows, products);
    device_->gemm(Op::transpose, Op::none, subset + 1, pairs.size(), rows, 1.0,
                  column(subsets_at()).at(row, 0), products, row == 0 ? 0 : 1, inner);
    device_->keep_pace();
  }
  Opened opened{fetched(on_label, labels_, count), std::vector<double>(count),
                fetched(inner, subset + 1, pairs.size())};
  // What is left of a function and what the span takes of it make its norm.
  const std::vector<float> taken = fetched(in_span, rank, count);
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t j = 0; j < rank; ++j) {
      const double share = taken[c * rank + j];
      opened.squares[c] += share * share;
    }
  }
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [one, other] = pairs[k];
    if (one == other) opened.squares[one] += opened.inner[k * (subset + 1) + subset];
  }
  return opened;
}

}  // namespace fsieve::methods
