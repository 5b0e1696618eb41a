// Where values stand among those of some rows, and the polynomials of that (data/families.h), for
// values of any rows.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <span>
#include <vector>

#include "data/rank_polynomials.h"

namespace fsieve::inline data {

class RankFunctions {
 public:
  // Of the values of some rows; `weights`: of these, or empty. Between the values that are kept, a
  // few thousand, ranks are interpolated.
  RankFunctions(std::span<const double> values, std::span<const double> weights);

  // For parts of a table that compute with them.
  void save(std::ostream& out) const;
  [[nodiscard]] static RankFunctions load(std::istream& in);

  // Orthonormal over those rows: of degree 1 first, fewer than three where values are few.
  [[nodiscard]] std::size_t polynomials() const { return polynomials_.size(); }

  // Does one value hold half of the rows or more?
  [[nodiscard]] bool lump() const { return lump_; }
  // The largest square of a polynomial over those rows.
  [[nodiscard]] double peak() const { return peak_; }

  // Centred ranks, between −1 and 1.
  void ranks(std::span<const double> values, double* out) const;
  // The polynomial of ranks.
  void polynomial(std::size_t which, std::span<const double> ranks, double* out) const;

  // The normal score of a centred rank, never further out than that of half a row.
  [[nodiscard]] double normal_score(double rank) const;

 private:
  RankFunctions() = default;

  struct Value {
    double value = 0;
    double rank = 0;
    double share = 0;  // of the weight
  };

  void keep_some(const std::vector<Value>& all);

  std::vector<double> values_;  // rising
  std::vector<double> ranks_;
  std::vector<RankPolynomial> polynomials_;
  double half_row_ = 0;  // as a share of all
  bool lump_ = false;
  double peak_ = 0;
};

}  // namespace fsieve::data
