#include "methods/forward/significance.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "linalg/blas.h"
#include "stats/exchange_tail.h"
#include "stats/f_tail.h"
#include "stats/normal.h"

namespace fsieve::inline methods {
namespace {

using blas::Op;

// Chances above this are of no interest to any level, and not looked into.
constexpr double large_log_chance = -2.3;
// A share of the residual that is rounding.
constexpr double rounding_share = 1e-9;

struct Caught {
  std::size_t functions = 0;
  double squared = 0;          // of the residual, by the functions
  std::vector<double> fitted;  // the part of the residual that they catch
};

Caught caught_by(const Evidence& evidence) {
  const std::size_t n = evidence.data.rows();
  const std::size_t p = evidence.functions.size() / n;
  const std::size_t columns = evidence.residual.size() / n;
  Caught caught{p, 0, std::vector<double>(evidence.residual.size())};
  if (p == 0) return caught;
  std::vector<double> inner(p * columns);
  blas::gemm(Op::transpose, Op::none, p, columns, n, 1.0, evidence.functions.data(), n,
             evidence.residual.data(), n, 0.0, inner.data(), p);
  caught.squared = blas::dot(inner.size(), inner.data(), inner.data());
  blas::gemm(Op::none, Op::none, n, columns, p, 1.0, evidence.functions.data(), n, inner.data(), p,
             0.0, caught.fitted.data(), n);
  return caught;
}

// The same columns without the factor √w, or with one more: where weights balance classes, an
// exchange moves a row of the label together with its weight.
std::vector<double> times_root(const SupervisedData& data, std::vector<double> columns,
                               double power) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    columns[i] *= std::pow(data.unit[i % data.rows()], power);
  }
  return columns;
}

// The residual as exchanges see it, and how many rows each row stands for.
std::vector<double> exchanged_residual(const SupervisedData& data,
                                       const std::vector<double>& residual) {
  if (!data.weighted()) return residual;
  return times_root(data, residual, data.balanced ? 1 : -1);
}

const std::vector<double>& exchanged_counts(const SupervisedData& data) {
  static const std::vector<double> no_counts;
  return data.weighted() && !data.balanced ? data.label.weights : no_counts;
}

double rows_left(const Evidence& evidence) {
  const SupervisedData& data = evidence.data;
  const double n = data.balanced ? static_cast<double>(data.rows()) : data.weight();
  return n - static_cast<double>(evidence.rank);
}

double log_f_chance(const Evidence& evidence, const Caught& caught) {
  const auto& residual = evidence.residual;
  const JudgedLabel* const label = evidence.label;
  return methods::log_f_chance(
      static_cast<double>(caught.functions), caught.squared,
      label != nullptr ? label->left : blas::dot(residual.size(), residual.data(), residual.data()),
      label != nullptr ? label->columns : free_columns(evidence.data.rows(), residual),
      rows_left(evidence));
}

// Inner products of columns with one another, every row as often as it counts.
std::vector<double> inner_products(std::size_t rows, const std::vector<double>& columns,
                                   const std::vector<double>& counts) {
  const std::size_t width = columns.size() / rows;
  std::vector<double> inner(width * width);
  for (std::size_t a = 0; a < width; ++a) {
    for (std::size_t b = 0; b < width; ++b) {
      for (std::size_t i = 0; i < rows; ++i) {
        inner[a * width + b] +=
            (counts.empty() ? 1 : counts[i]) * columns[a * rows + i] * columns[b * rows + i];
      }
    }
  }
  return inner;
}

// The variance of Σ_i <w_i, e_i> with each e_i as large as it is at its row, beside the variance
// with the e exchanged; not less than 1.
double uneven_spread(std::size_t rows, const std::vector<double>& weights,
                     const std::vector<double>& left, const std::vector<double>& counts) {
  double in_place = 0;
  double total = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const double count = counts.empty() ? 1 : counts[i];
    double sum = 0;
    for (std::size_t at = i; at < weights.size(); at += rows) sum += weights[at] * left[at];
    in_place += count * sum * sum;
    total += count;
  }
  const auto of_weights = inner_products(rows, weights, counts);
  const auto of_left = inner_products(rows, left, counts);
  const double exchanged = blas::dot(of_left.size(), of_weights.data(), of_left.data()) / total;
  return exchanged > 0 ? std::max(1.0, in_place / exchanged) : 1.0;
}

// The residual without what the functions catch of it.
std::vector<double> left_by(const Evidence& evidence, const Caught& caught) {
  std::vector<double> left = evidence.residual;
  for (std::size_t i = 0; i < left.size(); ++i) left[i] -= caught.fitted[i];
  return left;
}

}  // namespace

double free_columns(std::size_t rows, const std::vector<double>& residual) {
  const std::size_t columns = residual.size() / rows;
  if (columns == 1) return 1;
  double trace = 0;
  double squares = 0;
  for (std::size_t a = 0; a < columns; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      const double inner = blas::dot(rows, residual.data() + a * rows, residual.data() + b * rows);
      squares += inner * inner * (a == b ? 1 : 2);
      if (a == b) trace += inner;
    }
  }
  return squares > 0 ? trace * trace / squares : 1;
}

double log_f_chance(double functions, double caught, double left, double columns,
                    double rows_left) {
  const double free = rows_left - functions;
  if (!(functions > 0) || free < 5) return 0;
  const double ratio = (caught / functions) / (std::max(left - caught, 1e-300) / free);
  return std::min(0.0, log_f_tail(ratio, columns * functions, columns * free));
}

JudgedLabel::JudgedLabel(const SupervisedData& data, const std::vector<double>& residual)
    : left(blas::dot(residual.size(), residual.data(), residual.data())),
      columns(free_columns(data.rows(), residual)),
      exchanged(exchanged_residual(data, residual)),
      exchange(data.rows(), residual.size() / data.rows(), exchanged, exchanged_counts(data)) {}

double log_f_chance(const Evidence& evidence) {
  return log_f_chance(evidence, caught_by(evidence));
}

double log_chance(const Evidence& evidence) {
  const SupervisedData& data = evidence.data;
  const Caught caught = caught_by(evidence);
  if (caught.functions == 0 || !(caught.squared > 0)) return 0;
  double by_f = log_f_chance(evidence, caught);
  if (by_f > large_log_chance && !data.balanced) return by_f;
  std::optional<JudgedLabel> judged;
  const JudgedLabel& label =
      evidence.label != nullptr ? *evidence.label : judged.emplace(data, evidence.residual);
  const std::vector<double> weights =
      data.weighted() ? times_root(data, caught.fitted, -1) : caught.fitted;
  const ExchangeTail tail = label.exchange.tail(weights);
  const auto functions = static_cast<double>(caught.functions);
  if (data.balanced) {
    // Deviations among rows that count once each, as a share of what they can be.
    const double share = std::min(tail.z * tail.z / static_cast<double>(data.rows()), 1.0);
    by_f = log_f_chance(functions, share, 1, label.columns, rows_left(evidence));
  }
  const bool something_left = label.left - caught.squared > rounding_share * label.left;
  const double spread =
      evidence.products && something_left
          ? uneven_spread(data.rows(), weights, exchanged_residual(data, left_by(evidence, caught)),
                          exchanged_counts(data))
          : 1.0;
  const double dimensions = std::max(1.0, functions * label.columns);
  const double by_exchange =
      dimensions > 1 || spread > 1
          ? log_chi_square_tail(squared_normal_quantile(tail.log_chance) / spread, dimensions)
          : tail.log_chance;
  return std::min(0.0, std::max(by_f, by_exchange));
}

}  // namespace fsieve::methods
