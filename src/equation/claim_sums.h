// Sums over the rows by which claims are fitted and judged: one pass for many of them.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <span>
#include <vector>

#include "data/design.h"
#include "equation/claim.h"
#include "fsieve/source.h"
#include "stats/asked.h"

namespace fsieve::inline equation {

// A claim with what its sums need.
struct ClaimTask {
  const Claim* claim = nullptr;
  Scaling scaling;
  std::vector<double> low;  // the bulk lies between; the target's come last
  std::vector<double> high;
  double mean = 0;     // of the target
  double typical = 0;  // its value in the middle
  double arrangements = 0;
  std::vector<double> inverse;  // of the Gram matrix, once it is known

  [[nodiscard]] std::size_t terms() const { return claim->products.size(); }
};

// The sums of some claims, of the fit or of its judgement.
class ClaimSums {
 public:
  // Where the sums of a claim are by which it is judged.
  enum Measure : std::size_t {
    squares,   // of the residual
    left_out,  // of the residual of each row when the others predict it
    left_out_fourth,
    left_out_second,  // products of the squares of both
    second,           // powers of the target less its mean
    fourth,
    typical_rows,
    hardly_told,
    bulk,  // rows, sums of the target less its mean there, and squares
    bulk_sum,
    bulk_squares,
    bulk_residual,
    // The same of rows in which no value of the equation was missing and filled in, and squares of
    // the residual when the other rows predict it.
    whole,
    whole_sum,
    whole_squares,
    whole_residual,
    whole_left_out,
    measures
  };

  // `fit`: the Gram matrix of each claim's products, and behind it their inner products with what
  // the equation leaves; else the sums that Measure names.
  ClaimSums(const Design& design, std::span<const ClaimTask> tasks, bool fit);

  // Of the fit: how many numbers a claim takes.
  [[nodiscard]] static std::size_t fit_size(const ClaimTask& task) {
    return task.terms() * (task.terms() + 1);
  }

  void add(const Block& block);
  void merge(const ClaimSums& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const { return sums_.size() * sizeof(double); }
  [[nodiscard]] const double* of(std::size_t t) const { return sums_.data() + offsets_[t]; }

  // For parts of a table that are asked for it.
  static constexpr const char* question = "claims";
  void save_question(std::ostream& out) const;
  static ClaimSums from_question(std::istream& in, const Schema& schema, Keep& keep);

 private:
  const Design* design_;
  std::span<const ClaimTask> tasks_;
  bool fit_;
  std::vector<std::size_t> columns_;
  std::vector<std::size_t> offsets_;
  std::vector<double> sums_;
};

}  // namespace fsieve::equation
