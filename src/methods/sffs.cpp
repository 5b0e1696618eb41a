// SFFS (000 section 4.2): optional UFFS, then a search for the features that predict the label
// best.
#include "fsieve/sffs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "basis/parity.h"
#include "data/bins.h"
#include "data/class_weights.h"
#include "data/supervised_data.h"
#include "fsieve/error.h"
#include "fsieve/selection_manner.h"
#include "measure/loss_bound.h"
#include "measure/span_score.h"
#include "methods/forward/forward.h"
#include "methods/union/scorer.h"
#include "methods/union/unite.h"
#include "source/checked_source.h"
#include "source/present_rows.h"

namespace fsieve {
namespace {

class Sffs {
 public:
  Sffs(const Source& source, const SffsOptions& options, const SelectionManner& manner,
       Progress& progress)
      : given_(source), options_(options), manner_(manner), progress_(progress) {}

  SffsResult run() {
    check();
    const Source& source = balanced_if_asked(binned_if_asked(without_absent_rows(in_memory())));
    data_ = make_supervised_data(source, options_.task, progress_);
    data_.balanced = manner_.balanced;
    if (data_.weight() < 2) {
      throw Error(
          fmt::format("the weights of the rows sum to {:g}: scale them to count rows, two "
                      "or more",
                      data_.weight()));
    }
    if (options_.reduce) reduce();
    if (options_.k && *options_.k > data_.features.size()) {
      throw Error(fmt::format("{} features were asked for, but only {} can be chosen from",
                              *options_.k, data_.features.size()),
                  Error::Code::too_few_features);
    }
    check_depth();
    result_.classification = data_.label.classification;
    result_.classes = data_.label.classes;
    result_.measure = measure_of(data_.label);
    if (options_.search == Search::unite) {
      unite_best_subsets();
    } else {
      search();
    }
    add_bound();
    return std::move(result_);
  }

 private:
  void check() const {
    const auto usage = [](const std::string& message) { throw Error(message, Error::Kind::usage); };
    if (options_.k && *options_.k == 0) usage("k is at least 1");
    if (options_.depth < 1 || options_.depth > max_depth) {
      usage(fmt::format("depth {} is not between 1 and {}", options_.depth, max_depth));
    }
    if (options_.search == Search::unite && !options_.k)
      usage("the union needs a number of features");
    if (options_.search != Search::unite && options_.score == Score::l2) {
      usage("the l2 score ranks subsets for the union");
    }
    if (options_.search == Search::beam && options_.beam == 0) usage("a beam is at least 1 wide");
    if (!(options_.alpha > 0 && options_.alpha < 1)) usage("alpha is not between 0 and 1");
    if (!(options_.delta > 0 && options_.delta < 1)) usage("delta is not between 0 and 1");
    const double least = std::ceil(2 / options_.alpha) - 1;
    if (options_.permutations > 0 && static_cast<double>(options_.permutations) < least) {
      usage(fmt::format("{} permutations can never convince at alpha {}: give at least {}",
                        options_.permutations, options_.alpha, least));
    }
  }

  const Source& without_absent_rows(const Source& source) {
    present_ = present_rows(source);
    return present_ ? *present_ : source;
  }

  const Source& binned_if_asked(const Source& source) {
    if (options_.bins == 0) return source;
    binned_ = binned(source, options_.bins);
    return *binned_;
  }

  const Source& balanced_if_asked(const Source& source) {
    if (!manner_.balanced) return source;
    balanced_.emplace(source, balanced_weights(read_label(source, options_.task)));
    return *balanced_;
  }

  const Source& in_memory() {
    if (!given_.in_memory().empty()) return given_;
    const std::size_t bytes = given_.rows() * given_.schema().columns() * sizeof(double);
    if (bytes > options_.memory) {
      throw Error(fmt::format(
          "selection needs the whole table in memory, {0} MiB; allow it with --memory {0}M",
          (bytes >> 20U) + 1));
    }
    loaded_ = MemorySource::load(given_);
    return *loaded_;
  }

  void reduce() {
    UffsOptions options;
    options.stages = *options_.reduce;
    options.memory = options_.memory;
    options.equations = options_.equations;
    result_.reduced = uffs(*data_.source, options, progress_);
    data_.features.clear();
    for (const SelectedFeature& kept : result_.reduced->selected) {
      data_.features.push_back(kept.feature);
    }
  }

  void check_depth() const {
    if (options_.depth <= most_real_depth || all_discrete(data_, options_.bins)) return;
    throw Error(
        fmt::format("depth {} is for features that are all discrete (--bins makes them so); "
                    "else it is at most {}",
                    options_.depth, most_real_depth));
  }

  void unite_best_subsets() {
    const UnionResult found = unite(data_, *data_.source, options_, progress_);
    for (const UnitedFeature& united : found.chosen) {
      result_.selected.push_back(
          {united.feature, result_.selected.size() + 1, std::nullopt, united.score, std::nullopt});
    }
    result_.subsets = found.subsets;
    if (options_.score == Score::l2) {
      result_.measure = Measure::l2;
    } else if (!found.chosen.empty()) {
      estimate_accuracy(found.chosen.front().score);
    }
  }

  void search() {
    ForwardResult found = search_forward(data_, options_, manner_, progress_);
    result_.selected = std::move(found.selected);
    result_.subsets = std::move(found.steps);
    result_.warnings.insert(result_.warnings.end(), found.warnings.begin(), found.warnings.end());
    estimate_accuracy(found.first_round_score);
  }

  // M_n estimates the 1-norm of the Bayes rule's margin, so the accuracy is (1 + M_n) / 2.
  void estimate_accuracy(double score) {
    if (result_.selected.empty()) return;
    if (result_.measure == Measure::m_n) result_.accuracy_estimate = (1 + score) / 2;
    if (result_.measure == Measure::bayes_accuracy) result_.accuracy_estimate = score;
  }

  // Theorem 2 speaks of two classes and two-valued features.
  void add_bound() {
    const auto two_valued = [](const DesignColumn& column) {
      return column.two_valued && !column.level;
    };
    if (result_.measure != Measure::m_n || result_.selected.empty() ||
        !std::all_of(data_.design.columns.begin(), data_.design.columns.end(), two_valued)) {
      return;
    }
    std::vector<std::size_t> chosen;
    for (const RelevantFeature& feature : result_.selected) chosen.push_back(feature.feature);
    result_.bound = loss_bound(data_, chosen, options_.delta);
  }

  const Source& given_;
  const SffsOptions& options_;
  const SelectionManner& manner_;
  Progress& progress_;
  std::unique_ptr<MemorySource> loaded_;
  std::unique_ptr<MemorySource> present_;
  std::unique_ptr<MemorySource> binned_;
  std::optional<WeightedSource> balanced_;
  SupervisedData data_;
  SffsResult result_;
};

}  // namespace

SffsResult sffs(const Source& source, const SffsOptions& options, Progress& progress) {
  return sffs(source, options, SelectionManner{}, progress);
}

SffsResult sffs(const Source& source, const SffsOptions& options, const SelectionManner& manner,
                Progress& progress) {
  return Sffs(*CheckedInput(source), options, manner, progress).run();
}

}  // namespace fsieve
