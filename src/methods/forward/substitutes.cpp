#include "methods/forward/substitutes.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "linalg/tiles.h"
#include "methods/forward/feature_worth.h"

namespace fsieve::inline methods {
namespace {

using blas::Op;

constexpr std::size_t most_substitutes = 3;
constexpr std::size_t most_selected = 30;
constexpr std::size_t looked_at = 8;  // by each of the two criteria
constexpr double least_share = 0.5;   // of what the selected feature explains
// Multiply-adds with products for all selected features together: some tenths of a second.
constexpr double most_work = 5e9;

// Mean squared inner product of every feature's plain columns with the functions (times √w).
std::vector<double> likeness(const SupervisedData& data, std::vector<double> functions) {
  const std::size_t n = data.rows();
  const std::size_t count = functions.size() / n;
  const std::size_t columns = data.design.columns.size();
  for (std::size_t i = 0; i < functions.size(); ++i) functions[i] *= data.unit[i % n];
  std::vector<double> inner(count * columns);
  blas::tiled_gemm(Op::transpose, Op::none, count, columns, n, 1.0, functions.data(), n,
                   data.standardised.data(), n, 0.0, inner.data(), count);
  std::vector<double> likeness(data.design.features.size());
  for (std::size_t f = 0; f < likeness.size(); ++f) {
    const std::size_t first = data.design.features[f].first;
    const std::size_t last = data.plain_end(f);
    for (std::size_t k = first * count; k < last * count; ++k) likeness[f] += inner[k] * inner[k];
    if (last > first) likeness[f] /= static_cast<double>(last - first);
  }
  return likeness;
}

class StandIns {
 public:
  StandIns(const SupervisedData& data, std::vector<TakenStep> steps, int depth,
           const Wishes& wishes)
      : data_(data), steps_(std::move(steps)), depth_(depth), wishes_(wishes) {
    std::vector<bool> taken(data.design.features.size());
    for (const TakenStep& step : steps_) {
      for (const std::size_t feature : step.features) {
        taken[feature] = true;
        selected_.push_back(feature);
      }
    }
    for (const std::size_t feature : wishes.adjust) taken[feature] = true;
    for (std::size_t f = 0; f < taken.size(); ++f) {
      if (!taken[f] && !data.design.features[f].constant) others_.push_back(f);
    }
  }

  std::vector<Substitute> run() {
    if (selected_.empty() || others_.empty()) return {};
    if (depth_ > 1 && !products_affordable()) leave_products_out();
    std::vector<std::vector<Substitute>> found(std::min(selected_.size(), most_selected));
    if (depth_ > 1) {
      in_parallel_one_by_one(found.size(), [&](std::size_t k) {
        found[k] =
            stand_ins(selected_[k], final_round(data_, steps_, depth_, wishes_, selected_[k]));
      });
    } else {
      without_products(found);
    }
    std::vector<Substitute> all;
    for (const auto& some : found) all.insert(all.end(), some.begin(), some.end());
    return all;
  }

 private:
  // Taking the steps again without a feature, and judging who might replace it.
  [[nodiscard]] bool products_affordable() const {
    const Round round = final_round(data_, steps_, depth_, wishes_);
    const auto rank = static_cast<double>(round.rank());
    const auto selected = static_cast<double>(selected_.size());
    const double judged = 2 * looked_at * (selected + 1);
    return static_cast<double>(data_.rows()) * rank * (2 * rank + judged) * selected <= most_work;
  }

  // As features of later rounds come in: alone, while rows suffice.
  void leave_products_out() {
    depth_ = 1;
    for (TakenStep& step : steps_) step.round = 2;
  }

  // Features that come in alone do so in any order, so what the rounds without one of them have in
  // common is taken once.
  void without_products(std::vector<std::vector<Substitute>>& found) const {
    const Round all = final_round(data_, steps_, depth_, wishes_);
    std::vector<TakenStep> looked_for;
    Round common(data_, {}, depth_, Round::Estimates::none);
    common.adjust_for(wishes_.adjust);
    std::vector<std::size_t> place;
    std::size_t number = 0;
    for (const TakenStep& step : steps_) {
      for (const std::size_t feature : step.features) {
        const bool taken =
            std::find(all.taken().begin(), all.taken().end(), feature) != all.taken().end();
        const std::size_t at = number++;
        if (!taken && at < found.size()) found[at] = stand_ins(feature, all);
        if (!taken) continue;
        TakenStep alone = step;
        alone.features = {feature};
        if (at >= found.size()) {
          take_again(alone, alone.features, common);
          continue;
        }
        looked_for.push_back(std::move(alone));
        place.push_back(at);
      }
    }
    const auto found_one = [&](std::size_t k, const Round& round) {
      found[place[k]] = stand_ins(looked_for[k].features[0], round);
    };
    if (!looked_for.empty()) leave_out_each(common, looked_for, 0, found_one);
  }

  // Calls work(k, round) for each of the steps, with the round that has all of them but k: one half
  // comes in for the other, and so on, so each comes in as often as the steps can be halved.
  template <class Work>
  void leave_out_each(const Round& round, std::span<const TakenStep> steps, std::size_t first,
                      const Work& work) const {
    if (steps.size() == 1) return work(first, round);
    const std::size_t half = steps.size() / 2;
    in_parallel_one_by_one(2, [&](std::size_t second) {
      Round grown = round;
      for (const TakenStep& step : second == 0 ? steps.subspan(half) : steps.first(half)) {
        take_again(step, step.features, grown);
      }
      if (second == 0) {
        leave_out_each(grown, steps.first(half), first, work);
      } else {
        leave_out_each(grown, steps.subspan(half), first + half, work);
      }
    });
  }

  // `round`: all that was taken but the feature.
  [[nodiscard]] std::vector<Substitute> stand_ins(std::size_t feature, const Round& round) const {
    std::vector<std::size_t> judged{feature};
    add_best(likeness(data_, round.residual()), judged);
    add_best(likeness(data_, own_functions(feature)), judged);
    const std::vector<double> gains = gains_beside(round, judged, depth_);
    std::vector<Substitute> found;
    for (std::size_t k = 1; k < judged.size() && gains[0] > 0; ++k) {
      if (gains[k] > 0 && gains[k] >= least_share * gains[0]) {
        found.push_back({judged[k], feature, gains[0] - gains[k]});
      }
    }
    std::sort(found.begin(), found.end(), [](const Substitute& a, const Substitute& b) {
      return a.loss != b.loss ? a.loss < b.loss : a.feature < b.feature;
    });
    found.resize(std::min(found.size(), most_substitutes));
    return found;
  }

  [[nodiscard]] std::vector<double> own_functions(std::size_t feature) const {
    return Round(data_, {feature}, 1, Round::Estimates::none).added_curved(feature);
  }

  // The other features of the largest values, in input order where these are equal.
  void add_best(const std::vector<double>& values, std::vector<std::size_t>& to) const {
    std::vector<std::size_t> best = others_;
    const std::size_t count = std::min(looked_at, best.size());
    std::partial_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(count), best.end(),
                      [&](std::size_t a, std::size_t b) {
                        return values[a] != values[b] ? values[a] > values[b] : a < b;
                      });
    for (std::size_t k = 0; k < count; ++k) {
      if (std::find(to.begin(), to.end(), best[k]) == to.end()) to.push_back(best[k]);
    }
  }

  const SupervisedData& data_;
  std::vector<TakenStep> steps_;
  int depth_;
  const Wishes& wishes_;
  std::vector<std::size_t> selected_;
  std::vector<std::size_t> others_;
};

}  // namespace

std::vector<Substitute> find_substitutes(const SupervisedData& data,
                                         const std::vector<TakenStep>& steps, int depth,
                                         const Wishes& wishes) {
  return StandIns(data, steps, depth, wishes).run();
}

}  // namespace fsieve::methods
