// Which steps of one feature are worth being judged exactly, by estimates of all of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace fsieve::inline methods {

// A step of one feature, about.
struct EstimatedStep {
  std::size_t feature = 0;
  double gain = 0;        // per cost
  double most = 0;        // that it may be
  bool no_guide = false;  // the estimate says nothing

  bool operator<(const EstimatedStep& other) const {
    if (most != other.most) return most < other.most;
    return gain != other.gain ? gain < other.gain : feature > other.feature;
  }
};

// Hands estimated steps over to be judged exactly, those that may be worth most first. A heap: of
// thousands of them a few are asked for.
class EstimatedSteps {
 public:
  explicit EstimatedSteps(std::vector<EstimatedStep> steps) : heap_(std::move(steps)) {
    std::make_heap(heap_.begin(), heap_.end());
  }

  // The features to be judged next, when the best `reach` so far are worth `known` at least: all
  // whose estimates say nothing, or those that may be better than the best of them.
  std::vector<std::size_t> next(double known, std::size_t reach) {
    std::vector<std::size_t> features;
    while (!heap_.empty() && heap_.front().no_guide) features.push_back(pop().feature);
    if (!features.empty()) return features;
    double best = -std::numeric_limits<double>::infinity();
    while (!heap_.empty()) {
      const double most = heap_.front().most;
      if (most < known || (features.size() >= reach && most < best)) break;
      const EstimatedStep step = pop();
      best = std::max(best, step.gain);
      features.push_back(step.feature);
    }
    return features;
  }

 private:
  EstimatedStep pop() {
    std::pop_heap(heap_.begin(), heap_.end());
    const EstimatedStep step = heap_.back();
    heap_.pop_back();
    return step;
  }

  std::vector<EstimatedStep> heap_;
};

}  // namespace fsieve::methods
