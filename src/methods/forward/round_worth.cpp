// What features would be worth to a round: exactly, or about.
#include <tbb/enumerable_thread_specific.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/stop.h"
#include "linalg/tiles.h"
#include "methods/forward/round.h"

namespace fsieve::inline methods {
namespace {

using blas::Op;

// gram += sign · F'F: for three columns the matrix routine takes longer than their inner products,
// and for those of two categories with many levels each, seconds.
void add_gram(double sign, std::size_t rows, const double* columns, std::size_t count,
              std::vector<double>& gram) {
  constexpr std::size_t few = 4;
  constexpr std::size_t many = 2 * blas::tile;
  if (count > many) {
    std::vector<blas::Tile> tiles;
    blas::add_lower_tiles(0, 0, count, tiles);
    for (const blas::Tile& t : tiles) {  // one after another: callers are on all threads
      stop_if_asked();
      const double* left = columns + t.row * rows;
      const double* right = columns + t.column * rows;
      double* to = gram.data() + t.row + t.column * count;
      if (t.diagonal) {
        blas::syrk_lower(Op::transpose, t.rows, rows, sign, left, rows, 1.0, to, count);
      } else {
        blas::gemm(Op::transpose, Op::none, t.rows, t.columns, rows, sign, left, rows, right, rows,
                   1.0, to, count);
      }
    }
    return;
  }
  if (count > few) {
    blas::syrk_lower(Op::transpose, count, rows, sign, columns, rows, 1.0, gram.data(), count);
    return;
  }
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = k; i < count; ++i) {
      gram[i + k * count] += sign * blas::dot(rows, columns + i * rows, columns + k * rows);
    }
  }
}

}  // namespace

// Gains are rounded, so that candidates that are worth the same (copies, or functions that explain
// all that is left) are told apart by their position, not by rounding errors.
Catch judged(const Explained& explained, double left, double total, double free) {
  const auto p = static_cast<double>(explained.rank);
  const double caught = std::min(explained.caught, left);
  const double gain = caught - p * (left - caught) / std::max(free - p, 1.0);
  const double unit = total * 1e-10;
  return {explained.rank, caught, std::round(gain / unit) * unit, 0};
}

double gain_between(double before, double left, std::size_t added, double free) {
  return before - left - static_cast<double>(added) * left / std::max(free, 1.0);
}

Catch Round::judge(const Explained& explained) const {
  return judged(explained, left_, total_, data_->weight() - static_cast<double>(rank()));
}

Catch Round::judge(const EstimatedCatch& estimate) const {
  Catch worth = judge(estimate.explained);
  worth.error = error_of(estimate, estimate_terms(0));
  return worth;
}

// The error is never taken to be smaller than a few digits of single precision.
double Round::error_at_least(double gain) const {
  const EstimateTerms terms = estimate_terms(0);
  return terms.error_of_gain * std::abs(gain) + terms.least_error;
}

EstimateTerms Round::estimate_terms(double trivial) const {
  EstimateTerms terms;
  terms.least = trivial * data_->weight();
  terms.residual = left_;
  terms.total = total_;
  terms.free = data_->weight() - static_cast<double>(rank());
  terms.rounding = rounding_beside_span(data_->rows());
  terms.least_error = 4e-6 * std::sqrt(left_ * total_);
  terms.error_of_gain = 1e-3;
  return terms;
}

std::vector<EstimatedStep> Round::columns_alone(std::size_t reach) const {
  return singles_.best(reach, 1, estimate_terms(trivial_single));
}

bool Round::columns_have_products() const {
  return products_fit_of(1) && singles_.subsets() == subsets();
}

std::vector<EstimatedStep> Round::columns_with_products(std::size_t reach) const {
  if (!columns_have_products()) return {};
  return singles_.best(reach, subsets(), estimate_terms(trivial_product));
}

Catch Round::with_products(std::size_t feature) const {
  return catch_of(functions_with(feature, subsets()), trivial_product);
}

Catch Round::alone(std::size_t feature) const {
  return catch_of(functions_with(feature, 1), trivial_single);
}

Catch Round::curved(std::size_t feature) const {
  return catch_of(curved_functions(feature), trivial_single);
}

std::vector<EstimatedStep> Round::families_curved(std::size_t reach) const {
  return curves_->best(reach, estimate_terms(trivial_single));
}

Catch Round::estimate_curved(std::size_t feature) const {
  const double least = trivial_single * data_->weight();
  if (!curves_) return judge(curve_grams_.explained(feature, 1, least));
  return curves_->has(feature) ? judge(curves_->explained(feature, least)) : curved(feature);
}

Catch Round::estimate_with_products(std::size_t feature) const {
  const double least = trivial_product * data_->weight();
  const bool single = singles_.has(feature);
  const std::size_t known = single ? singles_.subsets() : grams_.subsets(feature);
  if (known != subsets()) return with_products(feature);
  return judge(single ? singles_.explained(feature, known, least)
                      : grams_.explained(feature, known, least));
}

Catch Round::estimate_alone(std::size_t feature) const {
  const double least = trivial_single * data_->weight();
  return judge(singles_.has(feature) ? singles_.explained(feature, 1, least)
                                     : grams_.explained(feature, 1, least));
}

Catch Round::catch_of(const Functions& functions, double trivial) const {
  const std::size_t count = functions.size() / data_->rows();
  const std::vector<double> in_span = span_.inner_products(functions.data(), count);
  std::vector<double> on_label = on_residual(functions.data(), count);
  return catch_of(functions.data(), count, in_span.data(), on_label.data(), trivial);
}

// The inner products of functions with what is left of the label, label by label.
std::vector<double> Round::on_residual(const double* functions, std::size_t count) const {
  const std::size_t n = data_->rows();
  std::vector<double> inner(label_columns_ * count);
  blas::gemm(Op::transpose, Op::none, label_columns_, count, n, 1.0, residual_.data(), n, functions,
             n, 0.0, inner.data(), label_columns_);
  return inner;
}

// What functions catch, made orthogonal to the span; `in_span` and `on_label`: their inner products
// with it and with the residual, which are written to. The residual is orthogonal to the span, so
// only the Gram matrix changes.
Catch Round::catch_of(const double* functions, std::size_t count, const double* in_span,
                      double* on_label, double trivial) const {
  const std::size_t n = data_->rows();
  std::vector<double> gram(count * count);
  add_gram(1.0, n, functions, count, gram);
  add_gram(-1.0, rank(), in_span, count, gram);
  return judge(
      explained_by(count, gram.data(), count, trivial * data_->weight(), label_columns_, on_label));
}

// What each of `count` things would catch; append(k, functions) appends the functions of one. A few
// at a time, whose functions stay in cache: fewer where they have many.
template <class Append>
std::vector<Catch> Round::judge_each(std::size_t count, double trivial, const Append& append,
                                     std::size_t at_once) const {
  constexpr std::size_t most_values = std::size_t{1} << 23U;
  const std::size_t n = data_->rows();
  if (count == 1) {
    Functions functions;
    append(0, functions);
    return {catch_of(functions, trivial)};
  }
  std::vector<Catch> catches(count);
  tbb::enumerable_thread_specific<Functions> scratch;
  const auto judge_block = [&](std::size_t b) {
    const std::size_t last = std::min(count, (b + 1) * at_once);
    Functions& functions = scratch.local();
    for (std::size_t begin = b * at_once, end = begin; begin < last; begin = end) {
      functions.clear();
      std::vector<std::size_t> first_function{0};
      while (end < last && functions.size() < most_values) {
        stop_if_asked();
        append(end++, functions);
        first_function.push_back(functions.size() / n);
      }
      const std::vector<double> in_span =
          span_.inner_products(functions.data(), first_function.back());
      std::vector<double> on_label = on_residual(functions.data(), first_function.back());
      for (std::size_t k = begin; k < end; ++k) {
        stop_if_asked();
        const std::size_t first = first_function[k - begin];
        const std::size_t own = first_function[k - begin + 1] - first;
        catches[k] = catch_of(functions.data() + first * n, own, in_span.data() + first * rank(),
                              on_label.data() + first * label_columns_, trivial);
      }
    }
  };
  // A thread that waits for the tiles of a product takes no other block: it has one scratch.
  in_parallel((count + at_once - 1) / at_once,
              [&](std::size_t b) { tbb::this_task_arena::isolate([&] { judge_block(b); }); });
  return catches;
}

std::vector<Catch> Round::of_subsets(const std::vector<std::vector<std::size_t>>& subsets) const {
  if (subsets.empty()) return {};
  if (are_pairs_of_columns(subsets)) return of_pairs(subsets);
  return judge_each(subsets.size(), trivial_product, [&](std::size_t k, Functions& functions) {
    append_own_functions(subsets[k], functions);
  });
}

std::vector<Catch> Round::each_with_products(const std::vector<std::size_t>& features) const {
  constexpr std::size_t judged_together = 256;
  const auto append = [&](std::size_t k, Functions& functions) {
    const Functions own = functions_with(features[k], subsets());
    functions.insert(functions.end(), own.begin(), own.end());
  };
  return judge_each(features.size(), trivial_product, append,
                    std::clamp<std::size_t>(judged_together / subsets(), 1, 16));
}

std::vector<Catch> Round::each_alone(const std::vector<std::size_t>& features) const {
  return judge_each(features.size(), trivial_single, [&](std::size_t k, Functions& functions) {
    const Functions own = functions_with(features[k], 1);
    functions.insert(functions.end(), own.begin(), own.end());
  });
}

std::vector<Catch> Round::each_curved(const std::vector<std::size_t>& features) const {
  return judge_each(features.size(), trivial_single, [&](std::size_t k, Functions& functions) {
    const Functions own = curved_functions(features[k]);
    functions.insert(functions.end(), own.begin(), own.end());
  });
}

std::vector<double> Round::product_promises(const std::vector<std::size_t>& features) const {
  const std::size_t n = data_->rows();
  const std::size_t columns = data_->design.columns.size();
  std::vector<double> squares(columns);
  std::vector<double> inner(label_columns_ * columns);
  for (std::size_t a = 1; a < subsets(); ++a) {
    Functions weighted = residual_;
    for (std::size_t i = 0; i < weighted.size(); ++i) weighted[i] *= values_[a * n + i % n];
    blas::tiled_gemm(Op::transpose, Op::none, label_columns_, columns, n, 1.0, weighted.data(), n,
                     data_->standardised.data(), n, 0.0, inner.data(), label_columns_);
    for (std::size_t k = 0; k < inner.size(); ++k) {
      squares[k / label_columns_] += inner[k] * inner[k];
    }
  }
  std::vector<double> promises;
  for (const std::size_t feature : features) {
    double& promise = promises.emplace_back();
    for (std::size_t c = data_->design.features[feature].first; c < data_->plain_end(feature);
         ++c) {
      promise += squares[c];
    }
  }
  return promises;
}

double Round::gain_since(double left, std::size_t rank) const {
  return gain_between(left, left_, span_.rank() - rank,
                      data_->weight() - static_cast<double>(span_.rank()));
}

}  // namespace fsieve::methods
