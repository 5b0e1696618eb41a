// What is known of each feature during a stage: how it stood against the groups so far, and what
// was decided.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "basis/parity.h"
#include "span/judge.h"

namespace fsieve::inline span {

// A feature's residual norm against one group's basis of `rank` functions, and what the rule
// compares with epsilon: infinite where too few degrees of freedom are left to tell.
struct Test {
  double norm = std::numeric_limits<double>::infinity();
  std::size_t rank = 1;
  double value = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool tells() const { return std::isfinite(value); }
  // Ties, also those up to rounding, go to the earlier group.
  [[nodiscard]] bool better_than(const Test& other) const {
    return below(value, other.value) || (!below(other.value, value) && below(norm, other.norm));
  }

 private:
  static bool below(double a, double b) { return a + 1e-9 * a + 1e-14 < b; }
};

enum class Verdict { open, kept, undecided, removed };

struct Standing {
  Verdict verdict = Verdict::open;
  Test best;                                  // over the groups so far
  std::vector<std::vector<Parity>> supports;  // per design column: parities that explain it
};

class Ledger {
 public:
  // `stays`: features that no test removes.
  Ledger(const Judge& judge, std::vector<bool> stays)
      : judge_(judge), standings_(stays.size()), stays_(std::move(stays)) {}

  [[nodiscard]] const Judge& judge() const { return judge_; }
  Standing& operator[](std::size_t feature) { return standings_[feature]; }
  const Standing& operator[](std::size_t feature) const { return standings_[feature]; }

  // The groups after the first open with the constant alone, which tests nothing.
  void first_group_done() { first_group_ = false; }

  [[nodiscard]] Test test(double norm, std::size_t rank) const {
    if (rank == 1 && !first_group_) return {};
    if (rank >= judge_.dimensions)
      norm = 0;  // a full space leaves nothing, whatever the rounding says
    Test test{norm, rank};
    if (judge_.can_test(rank)) test.value = judge_.value(norm, rank);
    return test;
  }

  [[nodiscard]] bool improves(std::size_t feature, const Test& test) const {
    return test.better_than(standings_[feature].best);
  }

  [[nodiscard]] bool redundant(const Test& test) const { return test.value <= judge_.epsilon; }

  // Would the feature go, by this test or by what the groups before say?
  [[nodiscard]] bool goes(std::size_t feature, const Test& test) const {
    return !stays_[feature] && (redundant(standings_[feature].best) || redundant(test));
  }

  // A feature's turn in the running order, with its test against the open group.
  Verdict decide(std::size_t feature, const Test& test) {
    Standing& standing = standings_[feature];
    if (improves(feature, test)) standing.best = test;
    standing.verdict = !standing.best.tells()         ? Verdict::undecided
                       : goes(feature, standing.best) ? Verdict::removed
                                                      : Verdict::kept;
    return standing.verdict;
  }

 private:
  bool first_group_ = true;
  Judge judge_;
  std::vector<Standing> standings_;
  std::vector<bool> stays_;
};

}  // namespace fsieve::span
