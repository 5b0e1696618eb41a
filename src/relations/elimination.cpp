#include "relations/elimination.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "equation/small_solve.h"
#include "linalg/blas.h"

namespace fsieve::relations {
namespace {

// Added to the diagonal, so that exact relations have an inverse too; what it hides is rounding.
constexpr double ridge = 1e-9;
// Variances up to this are none.
constexpr double no_variance = 1e-6;
// Remainders closer than this are equal, and positions in byte order of names decide.
constexpr double tie = 1e-5;

class Elimination {
 public:
  Elimination(const std::vector<double>& gram, const std::vector<Bundle>& bundles, double epsilon,
              double rows)
      : bundles_(bundles), size_(count(gram)), epsilon_(epsilon), rows_(rows), active_(size_, 1) {
    invert(gram);
    active_columns_.resize(size_);
    std::iota(active_columns_.begin(), active_columns_.end(), std::size_t{0});
    gone_.resize(bundles.size());
  }

  std::vector<std::size_t> run() {
    std::vector<std::size_t> removed;
    while (const auto next = choose()) {
      remove(*next);
      removed.push_back(*next);
    }
    return removed;
  }

 private:
  static std::size_t count(const std::vector<double>& gram) {
    return static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(gram.size()))));
  }

  // The precision matrix by two triangular solves with the identity.
  void invert(const std::vector<double>& gram) {
    std::vector<double> lower = gram;
    for (std::size_t j = 0; j < size_; ++j) {
      double* column = lower.data() + j * size_;
      column[j] = std::sqrt(std::max(column[j] + ridge, ridge));
      for (std::size_t i = j + 1; i < size_; ++i) column[i] /= column[j];
      for (std::size_t k = j + 1; k < size_; ++k) {
        const double factor = column[k];
        double* right = lower.data() + k * size_;
        if (factor == 0) continue;
        for (std::size_t i = k; i < size_; ++i) right[i] -= factor * column[i];
      }
    }
    precision_.assign(size_ * size_, 0);
    for (std::size_t j = 0; j < size_; ++j) precision_[j + j * size_] = 1;
    blas::solve_lower(size_, size_, lower.data(), size_, precision_.data(), size_);
    blas::solve_lower_transposed(size_, size_, lower.data(), size_, precision_.data(), size_);
  }

  [[nodiscard]] double precision(std::size_t i, std::size_t j) const {
    return precision_[i + j * size_];
  }

  // The covariance of what the others leave of a bundle.
  [[nodiscard]] std::vector<double> left_of(const Bundle& bundle) const {
    const std::size_t width = bundle.last - bundle.first;
    if (width == 1) return {1 / precision(bundle.first, bundle.first)};
    std::vector<double> own(width * width);
    for (std::size_t j = 0; j < width; ++j) {
      for (std::size_t i = 0; i < width; ++i) {
        own[i + j * width] = precision(bundle.first + i, bundle.first + j);
      }
    }
    return SmallFactor(std::move(own), width).inverse();
  }

  // The bundle that goes next; none when all are needed.
  [[nodiscard]] std::optional<std::size_t> choose() const {
    struct Candidate {
      double left;
      std::size_t bundle;
      // Of what is explained exactly, narrow bundles first: several may go for one wide one.
      std::size_t rank;
    };
    std::vector<Candidate> candidates;
    for (std::size_t b = 0; b < bundles_.size(); ++b) {
      if (!bundles_[b].removable || gone_[b]) continue;
      const std::size_t width = bundles_[b].last - bundles_[b].first;
      const std::vector<double> left = left_of(bundles_[b]);
      double largest = 0;
      for (std::size_t k = 0; k < width; ++k) largest = std::max(largest, left[k * (width + 1)]);
      if (largest > allowed(width)) continue;
      candidates.push_back({largest, b, largest <= no_variance ? width : size_ + 1});
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      if (a.rank != b.rank) return a.rank < b.rank;
      return a.left != b.left ? a.left < b.left : a.bundle > b.bundle;
    });
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      std::size_t best = c;
      for (std::size_t d = c + 1;
           d < candidates.size() && candidates[d].rank == candidates[c].rank &&
           candidates[d].left <= candidates[c].left * (1 + tie);
           ++d) {
        if (candidates[d].bundle > candidates[best].bundle) best = d;
      }
      std::swap(candidates[c], candidates[best]);
      if (others_stay_explained(candidates[c].bundle)) return candidates[c].bundle;
    }
    return std::nullopt;
  }

  // The largest variance left that still counts as explained once `width` columns less are there.
  [[nodiscard]] double allowed(std::size_t width) const {
    const auto used = static_cast<double>(active_columns_.size() - width + 1);
    const double freedom = rows_ - used;
    if (freedom < std::max(10.0, rows_ / 20)) return 0;
    return epsilon_ * epsilon_ * freedom / rows_;
  }

  [[nodiscard]] bool others_stay_explained(std::size_t b) const {
    const Bundle& bundle = bundles_[b];
    const std::size_t width = bundle.last - bundle.first;
    const std::vector<double> left = left_of(bundle);
    const double most = allowed(width);
    return std::all_of(removed_.begin(), removed_.end(), [&](const Removed& removed) {
      return removed.left + quadratic(left, width, removed.weights.data() + bundle.first) <= most;
    });
  }

  static double quadratic(const std::vector<double>& matrix, std::size_t width,
                          const double* vector) {
    double sum = 0;
    for (std::size_t j = 0; j < width; ++j) {
      for (std::size_t i = 0; i < width; ++i) sum += matrix[i + j * width] * vector[i] * vector[j];
    }
    return sum;
  }

  void remove(std::size_t b) {
    const Bundle& bundle = bundles_[b];
    const std::size_t width = bundle.last - bundle.first;
    const std::vector<double> left = left_of(bundle);
    gone_[b] = true;
    for (std::size_t c = bundle.first; c < bundle.last; ++c) active_[c] = 0;
    std::erase_if(active_columns_, [&](std::size_t c) { return active_[c] == 0; });

    // How the columns of the bundle are written by those that stay.
    std::vector<std::vector<double>> weights(width, std::vector<double>(size_));
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t j = 0; j < width; ++j) {
        const double* row = precision_.data() + (bundle.first + j) * size_;
        const double factor = -left[i + j * width];
        for (const std::size_t c : active_columns_) weights[i][c] += factor * row[c];
      }
    }
    for (Removed& removed : removed_) {
      const double* own = removed.weights.data() + bundle.first;
      removed.left += quadratic(left, width, own);
      for (std::size_t j = 0; j < width; ++j) {
        if (own[j] == 0) continue;
        for (const std::size_t c : active_columns_) removed.weights[c] += own[j] * weights[j][c];
      }
    }
    for (std::size_t j = 0; j < width; ++j) {
      const double* row = precision_.data() + (bundle.first + j) * size_;
      for (const std::size_t k : active_columns_) {
        const double factor = row[k];
        if (factor == 0) continue;
        double* column = precision_.data() + k * size_;
        for (const std::size_t c : active_columns_) column[c] += factor * weights[j][c];
      }
    }
    for (std::size_t i = 0; i < width; ++i) {
      removed_.push_back({left[i * (width + 1)], std::move(weights[i])});
    }
  }

  struct Removed {
    double left;                  // variance
    std::vector<double> weights;  // of the columns that are still there
  };

  const std::vector<Bundle>& bundles_;
  std::size_t size_;
  double epsilon_;
  double rows_;
  std::vector<char> active_;
  std::vector<std::size_t> active_columns_;
  std::vector<char> gone_;
  std::vector<double> precision_;
  std::vector<Removed> removed_;
};

}  // namespace

std::vector<std::size_t> eliminated(const std::vector<double>& gram,
                                    const std::vector<Bundle>& bundles, double epsilon,
                                    double rows) {
  if (gram.empty()) return {};
  return Elimination(gram, bundles, epsilon, rows).run();
}

// Cholesky with a skip.
std::vector<std::size_t> dependent_columns(std::vector<double> gram, std::size_t size) {
  constexpr double nothing = 1e-9;
  std::vector<std::size_t> dependent;
  for (std::size_t j = 0; j < size; ++j) {
    double* const column = gram.data() + j * size;
    if (column[j] <= nothing) {
      dependent.push_back(j);
      continue;
    }
    const double scale = 1 / std::sqrt(column[j]);
    for (std::size_t i = j; i < size; ++i) column[i] *= scale;
    for (std::size_t k = j + 1; k < size; ++k) {
      blas::axpy(size - k, -column[k], column + k, gram.data() + k * size + k);
    }
  }
  return dependent;
}

}  // namespace fsieve::relations
