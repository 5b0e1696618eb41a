#include "relations/tableau.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "equation/small_solve.h"

namespace fsieve::relations {
namespace {

// Larger tableaus (entries times possible exchanges) are left as they are.
constexpr double most_tableau_work = 1e7;
constexpr std::size_t most_exchanges = 200;
constexpr double tied = 1e-6;

class Simplifier {
 public:
  Simplifier(Tableau& tableau, const Simplicity& simplicity)
      : tableau_(tableau), simplicity_(simplicity), height_(tableau.basis.size()) {}

  void run() {
    double now = value(tableau_);
    double work = 0;
    for (std::size_t step = 0; step < most_exchanges; ++step) {
      Tableau best;
      double best_value = now - 1e-9;
      for (std::size_t o = 0; o < tableau_.others.size(); ++o) {
        for (std::size_t b = 0; b < height_; ++b) {
          // An exchange over a small entry would make large ones.
          if (std::abs(tableau_.weights[b + o * height_]) < 100 * simplicity_.zero) continue;
          if (!simplicity_.free(tableau_.basis[b])) continue;
          work += static_cast<double>(tableau_.weights.size());
          if (work > most_tableau_work) return;
          Tableau next = exchanged(b, o);
          const double next_value = value(next);
          if (next_value >= best_value) continue;
          best_value = next_value;
          best = std::move(next);
        }
      }
      if (best.basis.empty()) return;
      tableau_ = std::move(best);
      now = best_value;
    }
  }

 private:
  [[nodiscard]] double value(const Tableau& tableau) const {
    double sum = 0;
    for (std::size_t o = 0; o < tableau.others.size(); ++o) {
      const double* weights = tableau.weights.data() + o * height_;
      bool out_of_place = false;
      for (std::size_t b = 0; b < height_; ++b) {
        const double size = std::abs(weights[b]);
        if (size < simplicity_.zero) continue;
        sum += simplicity_.cost(tableau.basis[b], tableau.others[o], weights[b]);
        if (!simplicity_.free(tableau.basis[b])) continue;
        const bool as_large = std::abs(size - 1) <= tied && tableau.basis[b] > tableau.others[o];
        if (size > 1 + tied || as_large) out_of_place = true;
      }
      if (out_of_place) sum += misplaced;
    }
    return sum;
  }

  // Column o of the others takes the place of column b of the basis.
  [[nodiscard]] Tableau exchanged(std::size_t b, std::size_t o) const {
    Tableau next = tableau_;
    std::swap(next.basis[b], next.others[o]);
    const double* entering = tableau_.weights.data() + o * height_;
    const double pivot = entering[b];
    for (std::size_t c = 0; c < next.others.size(); ++c) {
      double* column = next.weights.data() + c * height_;
      if (c == o) {
        for (std::size_t i = 0; i < height_; ++i) column[i] = -entering[i] / pivot;
        column[b] = 1 / pivot;
        continue;
      }
      const double share = column[b] / pivot;
      if (share == 0) continue;
      for (std::size_t i = 0; i < height_; ++i) {
        column[i] -= share * entering[i];
        if (std::abs(column[i]) < simplicity_.zero) column[i] = 0;
      }
      column[b] = share;
    }
    return next;
  }

  Tableau& tableau_;
  const Simplicity& simplicity_;
  std::size_t height_;
};

}  // namespace

Tableau tableau_of(const std::vector<double>& gram, std::size_t size,
                   std::vector<std::size_t> basis, std::vector<std::size_t> others) {
  Tableau tableau{std::move(basis), std::move(others), {}};
  const std::size_t height = tableau.basis.size();
  std::vector<double> own(height * height);
  for (std::size_t j = 0; j < height; ++j) {
    for (std::size_t i = 0; i < height; ++i) {
      own[i + j * height] = gram[tableau.basis[i] + tableau.basis[j] * size];
    }
  }
  const SmallFactor factor(std::move(own), height);
  tableau.weights.resize(height * tableau.others.size());
  for (std::size_t o = 0; o < tableau.others.size(); ++o) {
    double* weights = tableau.weights.data() + o * height;
    for (std::size_t i = 0; i < height; ++i) {
      weights[i] = gram[tableau.basis[i] + tableau.others[o] * size];
    }
    factor.solve(weights);
  }
  return tableau;
}

void simplify(Tableau& tableau, const Simplicity& simplicity) {
  for (double& weight : tableau.weights) {
    if (std::abs(weight) < simplicity.zero) weight = 0;
  }
  if (!tableau.basis.empty() && !tableau.others.empty()) Simplifier(tableau, simplicity).run();
}

}  // namespace fsieve::relations
