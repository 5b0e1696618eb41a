#include "orth/candidate_grams.h"

#include <algorithm>
#include <cmath>

#include "blas/tiles.h"

namespace fsieve {
namespace {

using blas::Op;

// Numbers that the inner products of all candidates may take, unless the data take more.
constexpr std::size_t most_numbers = std::size_t{1} << 27U;
// Numbers that a matrix made on the fly may take.
constexpr std::size_t most_scratch = std::size_t{1} << 23U;

// Columns and rows of the functions that are made at a time when subsets open: 0.8 MB.
constexpr std::size_t block_columns = 192;
constexpr std::size_t piece_rows = 512;

// How many things of `size` numbers fit into a scratch matrix, at least one.
std::size_t fitting(std::size_t size) { return std::max<std::size_t>(most_scratch / size, 1); }

template <class Body>
void for_each_column(std::size_t count, const Body& body) {
  tbb::parallel_for(std::size_t{0}, count, body);
}

void multiply(std::size_t n, const double* a, const double* b, double* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i] * b[i];
}

}  // namespace

CandidateGrams::CandidateGrams(const SupervisedData& data, const std::vector<std::size_t>& features,
                               std::size_t labels)
    : data_(&data), labels_(labels), place_(data.design.features.size()) {
  std::size_t unused = data.design.columns.size();
  for (const std::size_t feature : features) {
    const DesignFeature& columns = data.design.features[feature];
    Candidate& candidate = candidates_.emplace_back();
    candidate.feature = feature;
    candidate.own = columns.last - columns.first;
    unused -= candidate.own;
  }
  const std::size_t numbers =
      std::max(most_numbers, 2 * data.rows() * (data.design.columns.size() - unused));
  const auto share = static_cast<double>(numbers) /
                     static_cast<double>(std::max<std::size_t>(candidates_.size(), 1));
  most_functions_ = static_cast<std::size_t>(std::sqrt(share));
  if (unused > 0) {
    gather();
    return;
  }
  column_count_ = data.design.columns.size();
  for (Candidate& candidate : candidates_) {
    candidate.column = data.design.features[candidate.feature].first;
  }
  place_candidates();
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
  Buffer gathered(n * column_count_);
  tbb::parallel_for(std::size_t{0}, candidates_.size(), [&](std::size_t k) {
    const Candidate& candidate = candidates_[k];
    const double* from = data_->column(data_->design.features[candidate.feature].first);
    std::copy_n(from, candidate.own * n, gathered.data() + candidate.column * n);
  });
  gathered_ = std::make_shared<const Buffer>(std::move(gathered));
  place_candidates();
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

const double* CandidateGrams::columns() const {
  return gathered_ ? gathered_->data() : data_->standardised.data();
}

void CandidateGrams::resize(Candidate& candidate, std::size_t subsets) const {
  const std::size_t before = candidate.functions();
  candidate.subsets = subsets;
  const std::size_t after = candidate.functions();
  std::vector<double> gram(after * after);
  for (std::size_t k = 0; k < std::min(before, after); ++k) {
    std::copy_n(candidate.gram.data() + k * before, std::min(before, after),
                gram.data() + k * after);
  }
  candidate.gram = std::move(gram);
  candidate.on_label.resize(after * labels_);
}

void CandidateGrams::forget_products(std::size_t feature) {
  Candidate& candidate = candidates_[place_[feature]];
  candidate.closed = true;
  if (candidate.subsets > 1) resize(candidate, 1);
}

void CandidateGrams::forget_all_products() {
  for (const Candidate& candidate : candidates_) forget_products(candidate.feature);
  subsets_ = 1;
}

void CandidateGrams::open(const std::vector<double>& values, const Span* span,
                          const std::vector<double>& residual) {
  const std::size_t n = data_->rows();
  const std::size_t known = subsets_;
  subsets_ = values.size() / n;
  for (Candidate& candidate : candidates_) {
    if (subsets_ > 1 && candidate.own * subsets_ > most_functions_) candidate.closed = true;
    resize(candidate, candidate.closed ? 1 : subsets_);
  }
  const std::vector<Block> blocks = candidate_blocks();
  for (std::size_t subset = known; subset < subsets_; ++subset) {
    tbb::parallel_for(
        std::size_t{0}, blocks.size(),
        [&](std::size_t b) { open_block(blocks[b], subset, values, span, residual); },
        tbb::simple_partitioner());
  }
}

// Candidates next to each other, with few enough columns for a block of functions to stay in cache.
std::vector<CandidateGrams::Block> CandidateGrams::candidate_blocks() const {
  std::vector<Block> blocks;
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const Candidate& candidate = candidates_[k];
    const std::size_t end = candidate.column + candidate.own;
    const std::size_t pairs = candidate.own * candidate.own;
    if (blocks.empty() || end - blocks.back().from > block_columns ||
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
void CandidateGrams::open_block(const Block& block, std::size_t subset,
                                const std::vector<double>& values, const Span* span,
                                const std::vector<double>& residual) {
  const std::size_t n = data_->rows();
  const std::size_t rank = span != nullptr ? span->rank() : 0;
  const double* source = columns() + block.from * n;
  std::vector<double> functions(piece_rows * block.columns);
  const auto make_functions = [&](std::size_t row, std::size_t rows) {
    for (std::size_t c = 0; c < block.columns; ++c) {
      multiply(rows, values.data() + subset * n + row, source + c * n + row,
               functions.data() + c * rows);
    }
  };

  std::vector<double> on_label(labels_ * block.columns);
  std::vector<double> in_span(rank * block.columns);
  for (std::size_t row = 0; row < n; row += piece_rows) {
    const std::size_t rows = std::min(piece_rows, n - row);
    make_functions(row, rows);
    blas::gemm(Op::transpose, Op::none, labels_, block.columns, rows, 1.0, residual.data() + row, n,
               functions.data(), rows, 1.0, on_label.data(), labels_);
    if (rank == 0) continue;
    blas::gemm(Op::transpose, Op::none, rank, block.columns, rows, 1.0, span->functions() + row, n,
               functions.data(), rows, 1.0, in_span.data(), rank);
  }

  // <function(c), values(a) · column(c')> for all subsets a: the products function(c) · column(c')
  // of one candidate, all with all values in one matrix product.
  std::vector<double> products(piece_rows * block.pairs);
  std::vector<double> inner((subset + 1) * block.pairs);
  for (std::size_t row = 0; row < n; row += piece_rows) {
    const std::size_t rows = std::min(piece_rows, n - row);
    make_functions(row, rows);
    if (rank > 0) {
      // Once: what rounding leaves of the span is of no account in inner products.
      blas::gemm(Op::none, Op::none, rows, block.columns, rank, -1.0, span->functions() + row, n,
                 in_span.data(), rank, 1.0, functions.data(), rows);
    }
    double* product = products.data();
    for (std::size_t k = block.first; k < block.last; ++k) {
      const Candidate& candidate = candidates_[k];
      const std::size_t at = candidate.column - block.from;
      for (std::size_t c = at; c < at + candidate.own; ++c) {
        for (std::size_t other = at; other < at + candidate.own; ++other, product += rows) {
          multiply(rows, functions.data() + c * rows, source + other * n + row, product);
        }
      }
    }
    blas::gemm(Op::transpose, Op::none, subset + 1, block.pairs, rows, 1.0, values.data() + row, n,
               products.data(), rows, 1.0, inner.data(), subset + 1);
  }

  const double* of_pair = inner.data();
  for (std::size_t k = block.first; k < block.last; ++k) {
    Candidate& candidate = candidates_[k];
    const std::size_t ld = candidate.functions();
    for (std::size_t c = 0; c < candidate.own; ++c) {
      const std::size_t row = subset * candidate.own + c;
      if (candidate.subsets > subset) {
        std::copy_n(on_label.data() + (candidate.column - block.from + c) * labels_, labels_,
                    candidate.on_label.data() + row * labels_);
      }
      for (std::size_t other = 0; other < candidate.own; ++other, of_pair += subset + 1) {
        for (std::size_t a = 0; a <= subset && candidate.subsets > subset; ++a) {
          const std::size_t column = a * candidate.own + other;
          if (column <= row) candidate.gram[row + column * ld] = of_pair[a];
        }
      }
    }
  }
}

void CandidateGrams::take_out(const std::vector<double>& values, const Span& span,
                              std::size_t first, const double* on_residual) {
  if (candidates_.empty()) return;
  const std::size_t n = data_->rows();
  const std::size_t at_once =
      std::max<std::size_t>(std::min(fitting(n), fitting(column_count_)) / subsets_, 1);
  for (; first < span.rank(); first += at_once) {
    const std::size_t count = std::min(at_once, span.rank() - first);
    const std::size_t height = subsets_ * count;
    // All (value · new function), and their inner products with all candidates' columns.
    Buffer scaled(n * height);
    for_each_column(height, [&](std::size_t k) {
      multiply(n, values.data() + k % subsets_ * n, span.functions(first + k / subsets_),
               scaled.data() + k * n);
    });
    Buffer inner(height * column_count_);
    blas::tiled_gemm(Op::transpose, Op::none, height, column_count_, n, 1.0, scaled.data(), n,
                     columns(), n, 0.0, inner.data(), height);
    const double* on_label = on_residual;
    tbb::parallel_for(std::size_t{0}, candidates_.size(), [&](std::size_t k) {
      Candidate& candidate = candidates_[k];
      const std::size_t functions = candidate.functions();
      const double* on_new = inner.data() + candidate.column * height;
      std::size_t ld = subsets_;
      std::vector<double> sorted;  // functions x new functions, in the candidate's order
      if (candidate.own > 1) {
        ld = functions;
        sorted.resize(functions * count);
        for (std::size_t f = 0; f < functions; ++f) {
          const double* from = on_new + f % candidate.own * height + f / candidate.own;
          for (std::size_t j = 0; j < count; ++j) sorted[f + j * ld] = from[j * subsets_];
        }
        on_new = sorted.data();
      }
      blas::syrk_lower(Op::none, functions, count, -1.0, on_new, ld, 1.0, candidate.gram.data(),
                       functions);
      if (on_label != nullptr) {
        blas::gemm(Op::none, Op::transpose, labels_, functions, count, -1.0, on_label, labels_,
                   on_new, ld, 1.0, candidate.on_label.data(), labels_);
      }
    });
    if (on_residual != nullptr) on_residual += count * labels_;
  }
}

Explained CandidateGrams::explained(std::size_t feature, std::size_t subsets, double least) const {
  const Candidate& candidate = candidates_[place_[feature]];
  const std::size_t count = candidate.own * subsets;
  const std::size_t ld = candidate.functions();
  std::vector<double> gram(count * count);
  for (std::size_t k = 0; k < count; ++k) {
    std::copy_n(candidate.gram.data() + k * ld + k, count - k, gram.data() + k * count + k);
  }
  std::vector<double> on_label(
      candidate.on_label.begin(),
      candidate.on_label.begin() + static_cast<std::ptrdiff_t>(count * labels_));
  return explained_by(count, gram.data(), count, least, labels_, on_label.data());
}

}  // namespace fsieve
