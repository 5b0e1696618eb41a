#include "relations/neighbours.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/parallel.h"
#include "base/stop.h"
#include "equation/small_solve.h"
#include "linalg/narrow.h"
#include "linalg/tiles.h"

namespace fsieve::relations {
namespace {

// Neighbours looked at: a column of fewer rows than this many per neighbour is not explained.
constexpr std::size_t rows_per_neighbour = 8;
constexpr std::size_t most_neighbours = 24;
constexpr std::size_t strip = 256;  // columns correlated with all others at a time

class Neighbourhood {
 public:
  Neighbourhood(const Sheet& sheet, const std::vector<std::uint32_t>& columns, double epsilon)
      : columns_(columns), rows_(sheet.rows), epsilon_(epsilon) {
    std::vector<double> values;
    values.reserve(columns.size() * rows_);
    for (const std::uint32_t c : columns) {
      stop_if_asked();
      values.insert(values.end(), sheet.column(c), sheet.column(c) + rows_);
    }
    std::vector<double> deviations;
    values_ = standardised(sheet, std::move(values), deviations);
    narrow_ = blas::narrowed(values_.data(), values_.size());
    width_ = std::min(most_neighbours, rows_ / rows_per_neighbour);
    neighbours_.resize(columns.size());
  }

  std::vector<Relation> run() {
    if (width_ < 2 || columns_.size() < 3) return {};
    find_neighbours();
    std::vector<double> left(columns_.size());
    in_parallel(columns_.size(), [&](std::size_t j) { left[j] = left_by(j, neighbours_[j]); });
    std::vector<std::size_t> order(columns_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return left[a] != left[b] ? left[a] < left[b] : a > b;
    });
    std::vector<Relation> relations;
    std::vector<char> gone(columns_.size());
    std::vector<char> used(columns_.size());
    for (const std::size_t j : order) {
      if (left[j] > epsilon_ * epsilon_) break;
      if (used[j] != 0) continue;
      std::vector<std::size_t> support = neighbours_[j];
      std::erase_if(support, [&](std::size_t k) { return gone[k] != 0; });
      if (!shorten(j, support)) continue;
      gone[j] = 1;
      relations.push_back(relation_of(j, support));
      for (const std::size_t k : support) used[k] = 1;
    }
    return relations;
  }

 private:
  [[nodiscard]] const double* column(std::size_t j) const { return values_.data() + j * rows_; }

  // Strip by strip, the columns of the largest correlations with each. Single precision tells which
  // may be among them.
  void find_neighbours() {
    const std::size_t count = columns_.size();
    std::vector<float> inner(count * strip);
    for (std::size_t first = 0; first < count; first += strip) {
      const std::size_t size = std::min(strip, count - first);
      blas::tiled_gemm(blas::Op::transpose, blas::Op::none, count, size, rows_, 1.0F,
                       narrow_.data(), rows_, narrow_.data() + first * rows_, rows_, 0.0F,
                       inner.data(), count);
      in_parallel(size, [&](std::size_t s) {
        neighbours_[first + s] = largest(inner.data() + s * count, first + s);
      });
    }
  }

  // Of the correlations of a column the largest, of equal ones the first; its own is left out.
  [[nodiscard]] std::vector<std::size_t> largest(const float* correlations, std::size_t own) const {
    const std::size_t few = std::min(width_, columns_.size() - 1);
    std::vector<float> best;  // sorted, as single precision has them
    float least = -1;         // to be among them
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const float size = std::abs(correlations[k]);
      if (size <= least || k == own) continue;
      if (best.size() == few) best.pop_back();
      best.insert(std::upper_bound(best.begin(), best.end(), size, std::greater<>()), size);
      if (best.size() == few) least = best.back();
    }
    struct Other {
      double size;
      std::size_t column;
      bool operator<(const Other& other) const {
        return size != other.size ? size > other.size : column < other.column;
      }
    };
    // Both the least of them and another may be wrong by the rounding; a column's square is
    // `rows_`.
    const double wrong = 2 * blas::rounding_of_inner_product(rows_) * static_cast<double>(rows_);
    const auto from = static_cast<float>(static_cast<double>(best.back()) - wrong);
    std::vector<Other> others;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      if (k == own || std::abs(correlations[k]) < from) continue;
      others.push_back({std::abs(blas::dot(rows_, column(k), column(own))), k});
    }
    std::sort(others.begin(), others.end());
    std::vector<std::size_t> columns;
    for (std::size_t k = 0; k < few; ++k) columns.push_back(others[k].column);
    return columns;
  }

  // The variance that a column's support leaves, corrected for the degrees of freedom; `losses`
  // gets what dropping each of them would add.
  [[nodiscard]] double left_by(std::size_t j, const std::vector<std::size_t>& support,
                               std::vector<double>* losses = nullptr) const {
    const std::size_t size = support.size();
    if (size == 0) return 1;
    const auto n = static_cast<double>(rows_);
    std::vector<double> gram(size * size);
    std::vector<double> against(size);
    for (std::size_t a = 0; a < size; ++a) {
      against[a] = blas::dot(rows_, column(support[a]), column(j)) / n;
      for (std::size_t b = 0; b <= a; ++b) {
        gram[a + b * size] = blas::dot(rows_, column(support[a]), column(support[b])) / n;
        gram[b + a * size] = gram[a + b * size];
      }
    }
    const SmallFactor factor(std::move(gram), size);
    std::vector<double> weights = against;
    factor.solve(weights.data());
    double left = 1;
    for (std::size_t a = 0; a < size; ++a) left -= weights[a] * against[a];
    left = std::max(left, 0.0);
    if (losses != nullptr) {
      const std::vector<double> inverse = factor.inverse();
      losses->resize(size);
      for (std::size_t a = 0; a < size; ++a) {
        (*losses)[a] = weights[a] * weights[a] / std::max(inverse[a * (size + 1)], 1e-300);
      }
    }
    return left * n / (n - static_cast<double>(size) - 1);
  }

  // Drops what matters least while the column stays explained; false where it is not at all.
  [[nodiscard]] bool shorten(std::size_t j, std::vector<std::size_t>& support) const {
    std::vector<double> losses;
    if (left_by(j, support, &losses) > epsilon_ * epsilon_) return false;
    while (support.size() > 1) {
      const auto least = std::min_element(losses.begin(), losses.end()) - losses.begin();
      std::vector<std::size_t> fewer = support;
      fewer.erase(fewer.begin() + least);
      if (left_by(j, fewer, &losses) > epsilon_ * epsilon_) break;
      support = std::move(fewer);
    }
    return true;
  }

  [[nodiscard]] Relation relation_of(std::size_t j, const std::vector<std::size_t>& support) const {
    Relation relation;
    relation.target = columns_[j];
    for (const std::size_t k : support) relation.products.push_back({{columns_[k], 1}});
    std::sort(relation.products.begin(), relation.products.end());
    relation.candidates =
        static_cast<double>(support.size() + 1) * std::log(static_cast<double>(columns_.size()));
    return relation;
  }

  const std::vector<std::uint32_t>& columns_;
  std::size_t rows_;
  double epsilon_;
  std::size_t width_ = 0;
  std::vector<double> values_;
  std::vector<float> narrow_;  // the same in single precision
  std::vector<std::vector<std::size_t>> neighbours_;
};

}  // namespace

std::vector<Relation> by_neighbours(const Sheet& sheet, const std::vector<std::uint32_t>& columns,
                                    double epsilon) {
  return Neighbourhood(sheet, columns, epsilon).run();
}

}  // namespace fsieve::relations
