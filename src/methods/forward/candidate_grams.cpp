#include "methods/forward/candidate_grams.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/large_pages.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "linalg/narrow.h"
#include "linalg/tiles.h"

namespace fsieve::inline methods {
namespace {

using blas::Op;

// Numbers that the inner products of all candidates may take, unless the data take more.
constexpr std::size_t most_numbers = std::size_t{1} << 27U;
// Numbers that a matrix made on the fly may take.
constexpr std::size_t most_scratch = std::size_t{1} << 23U;

// Columns and rows of the functions that are made at a time when subsets open: 0.4 MB, and for a
// feature of many columns, whose pairs are a block of their own, not much more.
constexpr std::size_t block_columns = 192;
constexpr std::size_t piece_rows(std::size_t pairs) {
  return std::clamp<std::size_t>((std::size_t{1} << 22U) / pairs, 16, 512);
}

// How many things of `size` numbers fit into a scratch matrix, at least one.
std::size_t fitting(std::size_t size) { return std::max<std::size_t>(most_scratch / size, 1); }

template <class Body>
void for_each_column(std::size_t count, const Body& body) {
  in_parallel(count, body);
}

void multiply(std::size_t n, const float* a, const float* b, float* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i] * b[i];
}

// Of few numbers, in lanes that a compiler can put side by side.
double sum_of_squares(std::size_t n, const float* values) {
  constexpr std::size_t lanes = 16;
  float sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += values[i + l] * values[i + l];
  }
  double sum = 0;
  for (const float part : sums) sum += part;
  for (; i < n; ++i) sum += static_cast<double>(values[i]) * values[i];
  return sum;
}

// Below so many multiplications a call of the matrix routines takes longer than they do.
constexpr std::size_t few_products = 512;

// gram −= A A', the lower triangle; A: functions × count.
void take_products_out(std::size_t functions, std::size_t count, const float* a, std::size_t ld,
                       float* gram) {
  if (functions * functions * count > few_products) {
    blas::syrk_lower(Op::none, functions, count, -1.0F, a, ld, 1.0F, gram, functions);
    return;
  }
  for (std::size_t j = 0; j < count; ++j, a += ld) {
    for (std::size_t k = 0; k < functions; ++k) {
      for (std::size_t i = k; i < functions; ++i) gram[i + k * functions] -= a[i] * a[k];
    }
  }
}

// out −= B A'; B: labels × count, A: functions × count.
void take_products_out(std::size_t labels, std::size_t functions, std::size_t count, const float* b,
                       const float* a, std::size_t ld, float* out) {
  if (labels * functions * count > few_products) {
    blas::gemm(Op::none, Op::transpose, labels, functions, count, -1.0F, b, labels, a, ld, 1.0F,
               out, labels);
    return;
  }
  for (std::size_t j = 0; j < count; ++j, a += ld, b += labels) {
    for (std::size_t k = 0; k < functions; ++k) {
      for (std::size_t y = 0; y < labels; ++y) out[y + k * labels] -= b[y] * a[k];
    }
  }
}

}  // namespace

CandidateGrams::CandidateGrams(const SupervisedData& data, const std::vector<std::size_t>& features,
                               std::size_t labels, Columns which)
    : data_(&data), labels_(labels), place_(data.design.features.size()) {
  std::size_t columns = 0;
  for (const std::size_t feature : features) {
    Candidate& candidate = candidates_.emplace_back();
    candidate.feature = feature;
    const DesignFeature& own = data.design.features[feature];
    candidate.own = (which == Columns::all ? own.last : data.plain_end(feature)) - own.first;
    columns += candidate.own;
  }
  const std::size_t numbers = std::max(most_numbers, 2 * data.rows() * columns);
  const auto share = static_cast<double>(numbers) /
                     static_cast<double>(std::max<std::size_t>(candidates_.size(), 1));
  most_functions_ = static_cast<std::size_t>(std::sqrt(share));
  gather();
}

void CandidateGrams::place_candidates() {
  for (std::size_t k = 0; k < candidates_.size(); ++k) place_[candidates_[k].feature] = k;
}

// Puts the candidates' columns side by side.
void CandidateGrams::gather() {
  const std::size_t n = data_->rows();
  column_count_ = unused_ = 0;
  for (Candidate& candidate : candidates_) {
    candidate.column = column_count_;
    column_count_ += candidate.own;
  }
  std::vector<float> gathered;
  if (!device_) {
    gathered.reserve(n * column_count_);
    use_large_pages(gathered.data(), n * column_count_ * sizeof(float));
    gathered.resize(n * column_count_);
  }
  in_parallel(device_ ? 0 : candidates_.size(), [&](std::size_t k) {
    const Candidate& candidate = candidates_[k];
    const double* from = data_->column(data_->design.features[candidate.feature].first);
    blas::narrow(candidate.own * n, from, gathered.data() + candidate.column * n);
  });
  columns_ = std::make_shared<const std::vector<float>>(std::move(gathered));
  place_candidates();
}

void CandidateGrams::use(const std::shared_ptr<blas::Accelerator>& device) {
  if (candidates_.empty() || !DeviceGrams::fit(*device, data_->rows(), column_count_)) return;
  device_ = std::make_shared<DeviceGrams>(device, data_->rows(), labels_);
  gather();
}

void CandidateGrams::remove(const std::vector<std::size_t>& features) {
  std::erase_if(candidates_, [&](const Candidate& candidate) {
    const bool gone =
        std::find(features.begin(), features.end(), candidate.feature) != features.end();
    if (gone) unused_ += candidate.own;
    return gone;
  });
  place_candidates();
  if (8 * unused_ > column_count_) gather();
}

// How many of these subsets matter to any candidate.
std::size_t CandidateGrams::asked(const std::vector<double>& values) const {
  const bool all_closed = std::all_of(candidates_.begin(), candidates_.end(),
                                      [](const Candidate& candidate) { return candidate.closed; });
  return all_closed ? 1 : values.size() / data_->rows();
}

// Takes over the subsets and functions of the span that are new.
void CandidateGrams::follow(const std::vector<double>& values, const Span* span) {
  subsets_ = std::min(subsets_, asked(values));
  if (device_) {
    if (unused_ > 0 && !device_->has(columns_)) gather();
    const auto put = [this](blas::Accelerator& device, const blas::Place& to) {
      for (const Candidate& candidate : candidates_) {
        device.put(data_->column(data_->design.features[candidate.feature].first), data_->rows(),
                   data_->rows(), candidate.own, to.at(0, candidate.column));
      }
    };
    stamp_ = device_->follow(
        {columns_, column_count_, put}, stamp_, {values.data(), asked(values)},
        {span != nullptr ? span->functions() : nullptr, span != nullptr ? span->rank() : 0});
    return;
  }
  const auto append = [](const double* all, std::size_t count, std::vector<float>& to) {
    const std::size_t known = std::min(to.size(), count);
    to.resize(count);
    blas::narrow(count - known, all + known, to.data() + known);
  };
  append(values.data(), asked(values) * data_->rows(), values_);
  if (span != nullptr) append(span->functions(), span->rank() * span->rows(), span_);
}

void CandidateGrams::resize(Candidate& candidate, std::size_t subsets) const {
  const std::size_t before = candidate.functions();
  candidate.subsets = subsets;
  const std::size_t after = candidate.functions();
  std::vector<float> gram(after * after);
  for (std::size_t k = 0; k < std::min(before, after); ++k) {
    std::copy_n(candidate.gram.data() + k * before, std::min(before, after),
                gram.data() + k * after);
  }
  candidate.gram = std::move(gram);
  candidate.on_label.resize(after * labels_);
  candidate.squares.resize(after, data_->weight());  // that of the columns, which are standardised
}

void CandidateGrams::forget_products(std::size_t feature) {
  Candidate& candidate = candidates_[place_[feature]];
  candidate.closed = true;
  if (candidate.subsets > 1) resize(candidate, 1);
}

void CandidateGrams::forget_all_products() {
  for (const Candidate& candidate : candidates_) forget_products(candidate.feature);
  subsets_ = 1;
  values_.resize(data_->rows());
}

void CandidateGrams::open(const std::vector<double>& values, const Span* span,
                          const std::vector<double>& residual) {
  if (candidates_.empty()) return;
  const std::size_t all = values.size() / data_->rows();
  for (Candidate& candidate : candidates_) {
    if (all > 1 && candidate.own * all > most_functions_) candidate.closed = true;
  }
  follow(values, span);
  const std::size_t known = std::exchange(subsets_, asked(values));
  for (Candidate& candidate : candidates_) {
    const std::size_t own = candidate.closed ? 1 : subsets_;
    if (candidate.subsets != own) resize(candidate, own);
  }
  if (subsets_ == known) return;
  if (device_) {
    for (std::size_t subset = known; subset < subsets_; ++subset) {
      open_on_device(subset, span != nullptr ? span->rank() : 0, residual);
    }
    return;
  }
  const std::vector<float> label = blas::narrowed(residual.data(), residual.size());
  const std::size_t rank = span != nullptr ? span->rank() : 0;
  for (std::size_t subset = known; subset < subsets_; ++subset) {
    const std::vector<Block> blocks = candidate_blocks(subset > 0);
    in_parallel_one_by_one(blocks.size(),
                           [&](std::size_t b) { open_block(blocks[b], subset, rank, label); });
  }
}

// Candidates next to each other, with few enough columns for a block of functions to stay in cache;
// for products those that are open to them.
std::vector<CandidateGrams::Block> CandidateGrams::candidate_blocks(bool products) const {
  std::vector<Block> blocks;
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const Candidate& candidate = candidates_[k];
    if (products && candidate.closed) continue;
    const std::size_t end = candidate.column + candidate.own;
    const std::size_t pairs = candidate.own * candidate.own;
    if (blocks.empty() || k != blocks.back().last || end - blocks.back().from > block_columns ||
        blocks.back().pairs + pairs > block_columns) {
      blocks.push_back({k, k, candidate.column, 0, 0});
    }
    Block& block = blocks.back();
    block.last = k + 1;
    block.columns = end - block.from;
    block.pairs += pairs;
  }
  return blocks;
}

// The candidates of a block times one new subset, with the span taken out: their inner products
// with the residual and with the candidate's functions of all subsets up to this one. Rows come in
// pieces, twice: the inner products with the span must be whole before it can be taken out.
void CandidateGrams::open_block(const Block& block, std::size_t subset, std::size_t rank,
                                const std::vector<float>& residual) {
  const std::size_t n = data_->rows();
  const float* source = columns_->data() + block.from * n;
  const std::size_t piece = piece_rows(block.pairs);
  std::vector<float> functions(piece * block.columns);
  const auto make_functions = [&](std::size_t row, std::size_t rows) {
    for (std::size_t c = 0; c < block.columns; ++c) {
      multiply(rows, values_.data() + subset * n + row, source + c * n + row,
               functions.data() + c * rows);
    }
  };

  std::vector<float> on_label(labels_ * block.columns);
  std::vector<double> squares(block.columns);
  std::vector<float> in_span(rank * block.columns);
  for (std::size_t row = 0; row < n; row += piece) {
    const std::size_t rows = std::min(piece, n - row);
    stop_if_asked();
    make_functions(row, rows);
    for (std::size_t c = 0; subset > 0 && c < block.columns; ++c) {
      squares[c] += sum_of_squares(rows, functions.data() + c * rows);
    }
    blas::gemm(Op::transpose, Op::none, labels_, block.columns, rows, 1.0F, residual.data() + row,
               n, functions.data(), rows, 1.0F, on_label.data(), labels_);
    if (rank == 0) continue;
    blas::gemm(Op::transpose, Op::none, rank, block.columns, rows, 1.0F, span_.data() + row, n,
               functions.data(), rows, 1.0F, in_span.data(), rank);
  }

  // <function(c), values(a) · column(c')> for all subsets a: the products function(c) · column(c')
  // of one candidate, all with all values in one matrix product.
  std::vector<float> products(piece * block.pairs);
  std::vector<float> inner((subset + 1) * block.pairs);
  for (std::size_t row = 0; row < n; row += piece) {
    const std::size_t rows = std::min(piece, n - row);
    stop_if_asked();
    make_functions(row, rows);
    if (rank > 0) {
      // Once: what rounding leaves of the span is of no account in inner products.
      blas::gemm(Op::none, Op::none, rows, block.columns, rank, -1.0F, span_.data() + row, n,
                 in_span.data(), rank, 1.0F, functions.data(), rows);
    }
    float* product = products.data();
    for (std::size_t k = block.first; k < block.last; ++k) {
      const Candidate& candidate = candidates_[k];
      const std::size_t at = candidate.column - block.from;
      for (std::size_t c = at; c < at + candidate.own; ++c) {
        for (std::size_t other = at; other < at + candidate.own; ++other, product += rows) {
          multiply(rows, functions.data() + c * rows, source + other * n + row, product);
        }
      }
    }
    blas::gemm(Op::transpose, Op::none, subset + 1, block.pairs, rows, 1.0F, values_.data() + row,
               n, products.data(), rows, 1.0F, inner.data(), subset + 1);
  }

  keep(block, subset, on_label.data(), squares.data(), inner.data());
}

// The same for all candidates at once.
void CandidateGrams::open_on_device(std::size_t subset, std::size_t rank,
                                    const std::vector<double>& residual) {
  DeviceGrams::Pairs pairs;
  for (const Candidate& candidate : candidates_) {
    for (std::size_t c = 0; c < candidate.own; ++c) {
      for (std::size_t other = 0; other < candidate.own; ++other) {
        pairs.emplace_back(candidate.column + c, candidate.column + other);
      }
    }
  }
  const DeviceGrams::Opened opened = device_->open(subset, rank, residual, pairs);
  keep({0, candidates_.size(), 0, column_count_, pairs.size()}, subset, opened.on_label.data(),
       opened.squares.data(), opened.inner.data());
}

// Puts the inner products of a block's functions of a new subset to their candidates.
void CandidateGrams::keep(const Block& block, std::size_t subset, const float* on_label,
                          const double* squares, const float* inner) {
  for (std::size_t k = block.first; k < block.last; ++k) {
    Candidate& candidate = candidates_[k];
    const std::size_t ld = candidate.functions();
    for (std::size_t c = 0; c < candidate.own; ++c) {
      const std::size_t row = subset * candidate.own + c;
      if (candidate.subsets > subset) {
        std::copy_n(on_label + (candidate.column - block.from + c) * labels_, labels_,
                    candidate.on_label.data() + row * labels_);
        candidate.squares[row] =
            subset == 0 ? data_->weight() : squares[candidate.column - block.from + c];
      }
      for (std::size_t other = 0; other < candidate.own; ++other, inner += subset + 1) {
        for (std::size_t a = 0; a <= subset && candidate.subsets > subset; ++a) {
          const std::size_t column = a * candidate.own + other;
          if (column <= row) candidate.gram[row + column * ld] = inner[a];
        }
      }
    }
  }
}

// The inner products of all (value · new function) with all candidates' columns.
std::vector<float> CandidateGrams::with_new_functions(std::size_t first, std::size_t count) const {
  if (device_) return device_->with_columns(subsets_, first, count);
  const std::size_t n = data_->rows();
  const std::size_t height = subsets_ * count;
  std::vector<float> scaled(n * height);
  for_each_column(height, [&](std::size_t k) {
    multiply(n, values_.data() + k % subsets_ * n, span_.data() + (first + k / subsets_) * n,
             scaled.data() + k * n);
  });
  std::vector<float> inner(height * column_count_);
  blas::tiled_gemm(Op::transpose, Op::none, height, column_count_, n, 1.0F, scaled.data(), n,
                   columns_->data(), n, 0.0F, inner.data(), height);
  return inner;
}

void CandidateGrams::take_out(const std::vector<double>& values, const Span& span,
                              std::size_t first, const double* on_residual) {
  if (candidates_.empty()) return;
  const std::size_t n = data_->rows();
  follow(values, &span);
  std::vector<float> caught;  // of the residual, by the new functions
  if (on_residual != nullptr) {
    caught = blas::narrowed(on_residual, labels_ * (span.rank() - first));
  }
  const float* on_label = on_residual != nullptr ? caught.data() : nullptr;
  // Those made on the fly stay on a device, and there is more room.
  const std::size_t fit =
      device_ ? 8 * fitting(column_count_) : std::min(fitting(n), fitting(column_count_));
  const std::size_t at_once = std::max<std::size_t>(fit / subsets_, 1);
  for (; first < span.rank(); first += at_once) {
    const std::size_t count = std::min(at_once, span.rank() - first);
    const std::size_t height = subsets_ * count;
    const std::vector<float> inner = with_new_functions(first, count);
    in_parallel(candidates_.size(), [&](std::size_t k) {
      Candidate& candidate = candidates_[k];
      const std::size_t functions = candidate.functions();
      const float* on_new = inner.data() + candidate.column * height;
      std::size_t ld = subsets_;
      std::vector<float> sorted;  // functions x new functions, in the candidate's order
      if (candidate.own > 1) {
        ld = functions;
        sorted.resize(functions * count);
        for (std::size_t f = 0; f < functions; ++f) {
          const float* from = on_new + f % candidate.own * height + f / candidate.own;
          for (std::size_t j = 0; j < count; ++j) sorted[f + j * ld] = from[j * subsets_];
        }
        on_new = sorted.data();
      }
      take_products_out(functions, count, on_new, ld, candidate.gram.data());
      if (on_label == nullptr) return;
      take_products_out(labels_, functions, count, on_label, on_new, ld, candidate.on_label.data());
    });
    if (on_label != nullptr) on_label += count * labels_;
  }
}

EstimatedCatch CandidateGrams::explained(std::size_t feature, std::size_t subsets,
                                         double least) const {
  const Candidate& candidate = candidates_[place_[feature]];
  const std::size_t count = candidate.own * subsets;
  const std::size_t ld = candidate.functions();
  // Thousands of candidates, at every step, of a few numbers each: their memory is used again.
  thread_local std::vector<double> gram;
  thread_local std::vector<double> on_label;
  gram.resize(count * count);
  for (std::size_t k = 0; k < count; ++k) {
    std::copy_n(candidate.gram.data() + k * ld + k, count - k, gram.data() + k * count + k);
  }
  on_label.assign(candidate.on_label.begin(),
                  candidate.on_label.begin() + static_cast<std::ptrdiff_t>(count * labels_));
  return estimated_catch(count, gram.data(), labels_, on_label.data(), candidate.squares.data(),
                         least, rounding_beside_span(data_->rows()));
}

}  // namespace fsieve::methods
