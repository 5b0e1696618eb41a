// How well features tell the label: what is measured, and of what.
#pragma once

#include <cstddef>
#include <vector>

namespace fsieve {

enum class Task { automatic, classification, regression };
enum class Score { l1, l2 };
enum class Measure { m_n, bayes_accuracy, q2, l2 };

struct ScoredSubset {
  std::vector<std::size_t> features;
  double score = 0;
};

// How well the first k features predict rows that took no part in choosing them.
struct PathPoint {
  std::size_t k = 0;
  double score = 0;  // accuracy, or R² for a number
  double error = 0;  // standard error of its mean
};

// 000 Theorem 2 for the features chosen: with probability 1 − delta their Bayes loss exceeds the
// best possible by at most this.
struct LossBound {
  double delta = 0;
  double excess_loss = 0;
  bool vacuous = false;  // larger than any loss
};

}  // namespace fsieve
