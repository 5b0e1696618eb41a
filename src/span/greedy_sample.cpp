// The sample engine of the greedy methods: keeps the orthonormal functions themselves, as columns
// over the rows, and takes them out of new functions by blocks (two passes of classical
// Gram-Schmidt). No digits are lost to squaring, and once the rank reaches the number of rows there
// is nothing left to do. With weights, the columns are those of the functions times √w.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/buffer.h"
#include "base/parallel.h"
#include "fsieve/error.h"
#include "linalg/tiles.h"
#include "source/weights.h"
#include "source/whole_table.h"
#include "span/greedy_basis.h"

namespace fsieve::inline span {
namespace {

using blas::Op;

// A function of whose norm no more than this is left is a combination of others.
constexpr double no_more_left = 1e-8;
// Functions that are projected together, and those of them made orthonormal one by one.
constexpr std::size_t functions_at_once = 256;
constexpr std::size_t panel_columns = 32;
// A function that lost more than this of its norm within its batch is projected once more.
constexpr double large_loss = 0.1;

// Columns of equal length, one after another, that grow in number.
class GrowingColumns {
 public:
  explicit GrowingColumns(std::size_t rows) : rows_(rows) {}

  [[nodiscard]] const double* column(std::size_t k) const { return values_.data() + k * rows_; }
  [[nodiscard]] std::size_t count() const { return count_; }

  double* add() {
    if ((count_ + 1) * rows_ > values_.size()) {
      const std::size_t room = std::max<std::size_t>(64, count_ + count_ / 2);
      Buffer larger(room * rows_);
      std::copy_n(values_.data(), count_ * rows_, larger.data());
      values_ = std::move(larger);
    }
    return values_.data() + count_++ * rows_;
  }

 private:
  std::size_t rows_;
  std::size_t count_ = 0;
  Buffer values_;
};

class GreedySample final : public GreedyBasis {
 public:
  GreedySample(const Source& source, const Design& design, std::size_t columns, bool constant,
               Progress& progress)
      : GreedyBasis(design, columns, constant),
        design_(design),
        progress_(progress),
        rows_(design.rows),
        root_(std::sqrt(design.weight)),
        whole_(whole_table(source)),
        features_(design.rows * columns),
        functions_(design.rows) {
    const RootWeights roots(source.weights());
    in_parallel(columns, [&](std::size_t c) {
      design_.standardised(whole_, 0, rows_, c, features_.data() + c * rows_);
      roots.scale(features_.data() + c * rows_);
    });
    if (!constant) return;
    double* function = functions_.add();
    std::fill_n(function, rows_, 1 / root_);
    roots.scale(function);
  }

  [[nodiscard]] Engine engine() const override { return Engine::sample; }

  void add(const std::vector<Parity>& functions) override {
    StandardisedRows rows(design_, columns_of(functions));
    rows.fill(whole_, 0, rows_);
    progress_.begin("orthogonalising", functions.size());
    for (std::size_t from = 0; from < functions.size() && !full(); from += functions_at_once) {
      progress_.advance(from);
      const std::size_t count = std::min(functions_at_once, functions.size() - from);
      add_batch(rows, {functions.data() + from, count});
    }
    progress_.end();
  }

 private:
  // New functions over the rows, less what was taken out of them; `taken` (all functions x count)
  // says how much of each.
  struct Batch {
    std::span<const Parity> functions;
    std::size_t most = 0;        // functions there can be when the batch is done
    std::vector<double> values;  // rows x count
    std::vector<double> taken;   // most x count
    std::vector<double> norm;    // at the beginning
    std::vector<double> before;  // what was left of it before functions of its own batch
  };

  [[nodiscard]] double norm(const double* values) const {
    return std::sqrt(blas::dot(rows_, values, values));
  }

  void add_batch(const StandardisedRows& rows, std::span<const Parity> functions) {
    const std::size_t old = rank();
    const std::size_t count = functions.size();
    Batch batch{functions, old + count, {}, {}, {}, {}};
    batch.values.resize(rows_ * count);
    batch.taken.resize(batch.most * count);
    batch.norm.resize(count);
    batch.before.resize(count);
    in_parallel(count, [&](std::size_t k) {
      double* values = batch.values.data() + k * rows_;
      rows.evaluate(functions[k], values);
      batch.norm[k] = norm(values);
    });
    for (std::size_t k = 0; k < count; ++k) {
      if (!std::isfinite(batch.norm[k])) too_large(functions[k]);
    }
    project(batch, 0, 0);
    project(batch, 0, 0);
    in_parallel(count,
                [&](std::size_t k) { batch.before[k] = norm(batch.values.data() + k * rows_); });
    for (std::size_t begin = 0; begin < count && !full(); begin += panel_columns) {
      const std::size_t end = std::min(begin + panel_columns, count);
      const std::size_t first = rank();
      for (std::size_t k = begin; k < end && !full(); ++k) add_one(batch, k, first);
      project(batch, end, first);
    }
    take_out_of_features(old);
  }

  // Takes functions [first, rank) out of columns [from, count) of a batch.
  void project(Batch& batch, std::size_t from, std::size_t first) {
    const std::size_t functions = rank() - first;
    const std::size_t count = batch.functions.size() - from;
    if (functions == 0 || count == 0) return;
    const double* basis = functions_.column(first);
    double* values = batch.values.data() + from * rows_;
    products_.resize(functions * count);
    blas::tiled_gemm(Op::transpose, Op::none, functions, count, rows_, 1.0, basis, rows_, values,
                     rows_, 0.0, products_.data(), functions);
    blas::tiled_gemm(Op::none, Op::none, rows_, count, functions, -1.0, basis, rows_,
                     products_.data(), functions, 1.0, values, rows_);
    for (std::size_t k = 0; k < count; ++k) {
      blas::axpy(functions, 1.0, products_.data() + k * functions,
                 batch.taken.data() + (from + k) * batch.most + first);
    }
  }

  // The same for one column.
  void project_one(Batch& batch, std::size_t k, std::size_t first) {
    const std::size_t functions = rank() - first;
    if (functions == 0) return;
    double* values = batch.values.data() + k * rows_;
    products_.resize(functions);
    blas::gemv(Op::transpose, rows_, functions, 1.0, functions_.column(first), rows_, values, 0.0,
               products_.data());
    blas::gemv(Op::none, rows_, functions, -1.0, functions_.column(first), rows_, products_.data(),
               1.0, values);
    blas::axpy(functions, 1.0, products_.data(), batch.taken.data() + k * batch.most + first);
  }

  // Column k, of which everything before function `first` was taken out, becomes a function unless
  // it is a combination of others.
  void add_one(Batch& batch, std::size_t k, std::size_t first) {
    const double* values = batch.values.data() + k * rows_;
    const auto is_dependent = [&](double left) { return !(left > no_more_left * batch.norm[k]); };
    if (is_dependent(batch.before[k])) return;
    project_one(batch, k, first);
    project_one(batch, k, first);
    double left = norm(values);
    if (is_dependent(left)) return;
    if (left < large_loss * batch.before[k]) {
      project_one(batch, k, 0);
      left = norm(values);
      if (is_dependent(left)) return;
    }
    weakest_ = std::min(weakest_, std::pow(left / batch.norm[k], 2));
    double* function = functions_.add();
    for (std::size_t i = 0; i < rows_; ++i) function[i] = values[i] / left;
    double* taken = batch.taken.data() + k * batch.most;
    taken[rank()] = left;
    for (std::size_t f = 0; f <= rank(); ++f) taken[f] /= root_;
    lower_.add({taken, rank() + 1});
    kept_.push_back(batch.functions[k]);
  }

  // Algorithm 1, lines 10 and 11, for the functions from `first` on.
  void take_out_of_features(std::size_t first) {
    const std::size_t functions = rank() - first;
    if (functions == 0) return;
    std::vector<double> products(columns() * functions);
    blas::tiled_gemm(Op::transpose, Op::none, columns(), functions, rows_, 1 / root_,
                     features_.data(), rows_, functions_.column(first), rows_, 0.0, products.data(),
                     columns());
    for (std::size_t f = 0; f < functions; ++f) {
      take_out({products.data() + f * columns(), columns()});
    }
  }

  [[noreturn]] void too_large(const Parity& function) const {
    throw Error(fmt::format("the function {} has values too large to be squared",
                            design_.columns[function.columns()[0]].name));
  }

  const Design& design_;
  Progress& progress_;
  std::size_t rows_;
  double root_;
  Block whole_;
  Buffer features_;           // standardised, rows x columns
  GrowingColumns functions_;  // of unit length
  std::vector<double> products_;
};

}  // namespace

std::unique_ptr<GreedyBasis> make_greedy_sample(const Source& source, const Design& design,
                                                std::size_t columns, bool constant,
                                                Progress& progress) {
  return std::make_unique<GreedySample>(source, design, columns, constant, progress);
}

}  // namespace fsieve::span
