#include "select/forward.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "score/span_score.h"
#include "select/round.h"
#include "select/subset_scan.h"
#include "stats/f_tail.h"

namespace fsieve {
namespace {

// Subsets that a scan hands over to be computed exactly.
constexpr std::size_t exact_subsets = 300;

// A step that might be taken.
struct Step {
  std::vector<std::size_t> features;
  Catch worth;
  enum class Kind { with_products, alone, subset } kind = Kind::alone;
};

double log_choose(std::size_t n, int k) {
  double log = 0;
  for (int i = 0; i < k; ++i) log += std::log(static_cast<double>(n - i)) - std::log(i + 1.0);
  return log;
}

class ForwardSearch {
 public:
  ForwardSearch(const SupervisedData& data, const SffsOptions& options, Progress& progress)
      : data_(data), options_(options), progress_(progress), free_(data.features) {}

  ForwardResult run() {
    const std::size_t wanted = options_.k.value_or(free_.size());
    progress_.begin("searching", wanted);
    for (int number = 1; result_.selected.size() < wanted && !free_.empty(); ++number) {
      const std::size_t before = result_.selected.size();
      run_round(number, wanted - before);
      if (number == 1 && !result_.steps.empty())
        result_.first_round_score = result_.steps.back().score;
      if (!options_.k || result_.selected.size() == before) break;
    }
    progress_.end();
    if (result_.steps.size() > options_.top) result_.steps.resize(options_.top);
    return std::move(result_);
  }

 private:
  // Explains the label with the features that are free, until nothing convinces.
  void run_round(int number, std::size_t room) {
    Round round(data_, options_.depth, room);
    while (round.taken().size() < room && !free_.empty() && round.open()) {
      const std::size_t left = room - round.taken().size();
      std::optional<Step> step = convincing_step(round, left);
      // A round that would be empty takes the best single feature, unless only what convinces is
      // wanted.
      if (!step && round.taken().empty() && options_.k) step = best_alone(round);
      if (!step || step->worth.functions == 0) break;
      take(*step, round, number);
    }
  }

  // The first of the three kinds whose best step convinces.
  std::optional<Step> convincing_step(const Round& round, std::size_t room) {
    if (auto step = best_with_products(round); step && convinces(round, *step)) return step;
    if (auto step = best_alone(round); step && convinces(round, *step)) return step;
    for (int size = 2; size <= options_.depth && static_cast<std::size_t>(size) <= room; ++size) {
      if (auto step = best_subset(round, size); step && convinces(round, *step)) return step;
    }
    return std::nullopt;
  }

  std::optional<Step> best_with_products(const Round& round) const {
    if (round.taken().empty() || options_.depth == 1) return std::nullopt;
    return best_of_free(Step::Kind::with_products, [&](std::size_t feature) {
      return round.products_fit(feature) ? round.with_products(feature) : Catch();
    });
  }

  std::optional<Step> best_alone(const Round& round) const {
    return best_of_free(Step::Kind::alone,
                        [&](std::size_t feature) { return round.alone(feature); });
  }

  // The largest gain over all free features; ties go to the first.
  template <class Worth>
  std::optional<Step> best_of_free(Step::Kind kind, const Worth& worth) const {
    std::vector<Catch> catches(free_.size());
    tbb::parallel_for(std::size_t{0}, free_.size(),
                      [&](std::size_t k) { catches[k] = worth(free_[k]); });
    std::optional<Step> best;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      if (catches[k].functions == 0) continue;
      if (!best || catches[k].gain > best->worth.gain) best = Step{{free_[k]}, catches[k], kind};
    }
    return best;
  }

  // The subset of free features whose own products are worth most.
  std::optional<Step> best_subset(const Round& round, int size) {
    if (free_.size() < static_cast<std::size_t>(size)) return std::nullopt;
    const double work =
        std::exp(log_choose(free_.size(), size)) * static_cast<double>(data_.rows());
    if (work > options_.scan_limit) {
      warn(
          fmt::format("the scan of all subsets of {} features was left out: it would take {:.1e} "
                      "products, more than --scan-limit {:.1e}",
                      size, work, options_.scan_limit));
      return std::nullopt;
    }
    const auto subsets =
        promising_subsets(data_, round.residual(), free_, size, exact_subsets, progress_);
    std::vector<Catch> catches(subsets.size());
    tbb::parallel_for(std::size_t{0}, subsets.size(),
                      [&](std::size_t k) { catches[k] = round.of_subset(subsets[k]); });
    std::optional<Step> best;
    for (std::size_t k = 0; k < subsets.size(); ++k) {
      if (catches[k].functions == 0) continue;
      const bool better = !best || catches[k].gain > best->worth.gain ||
                          (catches[k].gain == best->worth.gain && subsets[k] < best->features);
      if (better) best = Step{subsets[k], catches[k], Step::Kind::subset};
    }
    return best;
  }

  // log of the chance that the best of all candidates catches so much of noise.
  [[nodiscard]] double log_p(const Round& round, const Step& step) const {
    const auto p = static_cast<double>(step.worth.functions);
    const double free = static_cast<double>(data_.rows()) - static_cast<double>(round.rank()) - p;
    if (free < 5) return 0;
    const double rest = std::max(round.left() - step.worth.caught, 1e-300);
    const double ratio = (step.worth.caught / p) / (rest / free);
    const auto c = static_cast<double>(data_.label.freedom());
    const double candidates =
        log_choose(data_.features.size(), static_cast<int>(step.features.size()));
    return std::min(0.0, log_f_tail(ratio, c * p, c * free) + candidates);
  }

  [[nodiscard]] bool convinces(const Round& round, const Step& step) const {
    return log_p(round, step) <= std::log(options_.alpha / 2);
  }

  void take(const Step& step, Round& round, int number) {
    const double p_value = std::exp(log_p(round, step));
    switch (step.kind) {
      case Step::Kind::with_products:
        round.take_with_products(step.features[0]);
        break;
      case Step::Kind::alone:
        round.take_alone(step.features[0]);
        break;
      case Step::Kind::subset:
        round.take_subset(step.features);
        break;
    }
    const double score = span_score(data_.label, round.basis());
    for (const std::size_t feature : step.features) {
      free_.erase(std::find(free_.begin(), free_.end(), feature));
      result_.selected.push_back({feature, result_.selected.size() + 1, number, score, p_value});
    }
    result_.steps.push_back({step.features, score});
    progress_.advance(result_.selected.size());
  }

  void warn(const std::string& warning) {
    auto& warnings = result_.warnings;
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) {
      warnings.push_back(warning);
    }
  }

  const SupervisedData& data_;
  const SffsOptions& options_;
  Progress& progress_;
  std::vector<std::size_t> free_;  // features not taken in any round, in input order
  ForwardResult result_;
};

}  // namespace

ForwardResult search_forward(const SupervisedData& data, const SffsOptions& options,
                             Progress& progress) {
  return ForwardSearch(data, options, progress).run();
}

}  // namespace fsieve
