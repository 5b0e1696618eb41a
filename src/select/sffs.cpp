// SFFS (000 section 4.2): optional UFFS, then a search for the features that predict the label
// best.
#include "fsieve/sffs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "data/supervised_data.h"
#include "fsieve/error.h"
#include "score/span_score.h"
#include "select/forward.h"

namespace fsieve {
namespace {

class Sffs {
 public:
  Sffs(const Source& source, const SffsOptions& options, Progress& progress)
      : given_(source), options_(options), progress_(progress) {}

  SffsResult run() {
    const Source& source = in_memory();
    data_ = make_supervised_data(source, options_.task, progress_);
    if (options_.reduce) reduce();
    if (options_.k && *options_.k > data_.features.size()) {
      throw Error(fmt::format("{} features were asked for, but only {} can be chosen from",
                              *options_.k, data_.features.size()));
    }
    result_.classification = data_.label.classification;
    result_.classes = data_.label.classes;
    result_.measure = measure_of(data_.label);
    ForwardResult found = search_forward(data_, options_, progress_);
    result_.selected = std::move(found.selected);
    result_.subsets = std::move(found.steps);
    result_.warnings.insert(result_.warnings.end(), found.warnings.begin(), found.warnings.end());
    estimate_accuracy(found.first_round_score);
    return std::move(result_);
  }

 private:
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
    result_.reduced = uffs(*data_.source, options, progress_);
    data_.features.clear();
    for (const SelectedFeature& kept : result_.reduced->selected) {
      data_.features.push_back(kept.feature);
    }
  }

  // M_n estimates the 1-norm of the Bayes rule's margin, so the accuracy is (1 + M_n) / 2.
  void estimate_accuracy(double score) {
    if (result_.selected.empty()) return;
    if (result_.measure == Measure::m_n) result_.accuracy_estimate = (1 + score) / 2;
    if (result_.measure == Measure::bayes_accuracy) result_.accuracy_estimate = score;
  }

  const Source& given_;
  const SffsOptions& options_;
  Progress& progress_;
  std::unique_ptr<MemorySource> loaded_;
  SupervisedData data_;
  SffsResult result_;
};

}  // namespace

SffsResult sffs(const Source& source, const SffsOptions& options, Progress& progress) {
  return Sffs(source, options, progress).run();
}

}  // namespace fsieve
