// What is known of each feature during a stage: how it stood against the groups so far, and what
// was decided.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "basis/parity.h"
#include "span/judge.h"
#include "span/support.h"

namespace fsieve::inline span {

// A feature's residual norm against one group's basis of `rank` functions, and what the rule
// compares with epsilon: infinite where too few degrees of freedom are left to tell.
struct Test {
  double norm = std::numeric_limits<double>::infinity();
  std::size_t rank = 1;
  double value = std::numeric_limits<double>::infinity();
  bool estimated = false;  // by some of the rows

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

// What is known of features before a walk on a sample, which all rows follow.
struct Foreknowledge {
  std::vector<bool> stays;      // features that no test removes
  std::vector<bool> goes = {};  // features that go whatever the test says; empty: none
  // The shares by which more than epsilon may be left of a feature that goes, and of one that stays
  // but is explained, so that it can be looked at again.
  double margin = 0;
  double doubt = 0;
  // One that stays is not looked at again where it takes so many terms.
  std::size_t doubt_terms = SIZE_MAX;
  // One that goes is given up where so many terms leave more than epsilon: it will not be confirmed
  // by an equation that a person reads. Unless no more than this share is left of it.
  std::size_t patience = SIZE_MAX;
  double exact = 0;
  // Where they leave less: whether they can be pruned to such an equation, or nearly.
  std::function<bool(std::size_t column, const std::vector<Parity>& chosen, const GramOf& gram_of)>
      hope = nullptr;
};

class Ledger {
 public:
  Ledger(const Judge& judge, Foreknowledge known)
      : judge_(judge), standings_(known.stays.size()), known_(std::move(known)) {}

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

  // A test of a feature that says clearly more than this changes nothing.
  [[nodiscard]] double matters_up_to(std::size_t feature) const {
    return std::max(standings_[feature].best.value,
                    (1 + std::max(known_.margin, known_.doubt)) * judge_.epsilon);
  }

  [[nodiscard]] bool redundant(const Test& test) const {
    return test.value <= (1 + known_.margin) * judge_.epsilon;
  }

  // Would the feature go, by this test or by what the groups before say?
  [[nodiscard]] bool goes(std::size_t feature, const Test& test) const {
    if (known_.stays[feature]) return false;
    return (!known_.goes.empty() && known_.goes[feature]) || redundant(standings_[feature].best) ||
           redundant(test);
  }

  // Does it stay for now, though more rows might say otherwise?
  [[nodiscard]] bool doubtful(std::size_t feature, const Test& test) const {
    return !known_.stays[feature] && !redundant(test) &&
           test.value <= (1 + known_.doubt) * judge_.epsilon;
  }

  [[nodiscard]] std::size_t most_terms(std::size_t feature) const {
    return goes(feature, standings_[feature].best) ? SIZE_MAX : known_.doubt_terms;
  }

  // How many terms may leave more than epsilon of a column of which all of a group leave this
  // share.
  [[nodiscard]] std::size_t patience(double residual2) const {
    return residual2 > known_.exact ? known_.patience : SIZE_MAX;
  }

  [[nodiscard]] bool hope(std::size_t column, const std::vector<Parity>& chosen,
                          const GramOf& gram_of) const {
    return !known_.hope || known_.hope(column, chosen, gram_of);
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
  Foreknowledge known_;
};

}  // namespace fsieve::span
