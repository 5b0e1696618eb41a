// Sample sizes and guarantees of the junta learner in numbers (004 Lemmas 4, 7, 8).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fsieve/junta.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve {

struct BoundsQuestion {
  std::size_t k = 1;
  std::size_t d = 1;
  double delta = 0.05;
  double ck = 1;                  // largest squared parity, 1 or more
  std::optional<double> epsilon;  // excess error allowed: how many rows?
  std::optional<double> rows;     // or rows at hand: what excess error?
};

// ε = ε₁ + U(ε₂), U(x) = x³ + 3x²/2 + 5x/4, δ₁ = δ₂ = δ/2; the split needs the fewest rows.
struct Bounds {
  std::size_t k = 1;
  std::size_t d = 1;
  double delta = 0.05;
  double ck = 1;
  double epsilon = 0;
  double epsilon1 = 0;
  double epsilon2 = 0;
  double n = 0;         // max(n1, n2): with the features' means and deviations known
  double n1 = 0;        // Lemma 4: the subset
  double n2 = 0;        // Lemma 7: the predictor
  double epsilon0 = 0;  // accuracy of the means that Lemmas 12 and 13 ask for
  double n0 = 0;        // Lemma 8: more rows, for estimating the means
};

// Exactly one of epsilon and rows must be given. Throws Error(usage) on values out of range.
[[nodiscard]] Bounds bounds(const BoundsQuestion& question);

// c_k where all means are at most `bias` in absolute value.
[[nodiscard]] double ck_of_bias(double bias, std::size_t k);

struct TableCk {
  double ck = 1;             // the product of the k largest ((1 + |μ_j|) / σ_j)²
  std::size_t features = 0;  // that are not constant
  std::vector<std::string> warnings;
};

// c_k of a table, its features as learn() would see them.
[[nodiscard]] TableCk ck_of_table(const Source& source, std::size_t k, Cut binarize, double cut,
                                  Progress& progress);

}  // namespace fsieve
