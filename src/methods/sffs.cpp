// SFFS (000 section 4.2): optional UFFS, then a search for the features that predict the label
// best.
#include "fsieve/sffs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/run_context.h"
#include "data/design_budget.h"
#include "data/sample_size.h"
#include "data/supervised_data.h"
#include "data/whole_label.h"
#include "device/open_screens.h"
#include "equation/named_removals.h"
#include "fsieve/error.h"
#include "measure/loss_bound.h"
#include "measure/span_score.h"
#include "methods/forward/all_rows.h"
#include "methods/forward/forward.h"
#include "methods/forward/stability.h"
#include "methods/forward/together.h"
#include "methods/forward/wishes.h"
#include "methods/sampled_table.h"
#include "methods/searched_rows.h"
#include "methods/selection_checks.h"
#include "methods/selection_estimate.h"
#include "methods/union/scorer.h"
#include "methods/union/sign_table.h"
#include "methods/union/unite.h"
#include "methods/united_features.h"
#include "source/checked_source.h"
#include "source/parted_source.h"
#include "source/trusted_source.h"

namespace fsieve {
namespace {

std::vector<std::size_t> positions(const SffsResult& result) {
  std::vector<std::size_t> features;
  for (const RelevantFeature& feature : result.selected) features.push_back(feature.feature);
  return features;
}

// So many rows tell which features are worth most: a step that explains a thousandth of the label
// stands out of all pairs of a thousand columns. Of wide tables fewer, for memory's sake.
std::size_t rows_to_search(std::size_t columns) {
  constexpr std::size_t values = std::size_t{1} << 24U;
  return std::clamp<std::size_t>(values / std::max<std::size_t>(columns, 1), 10'000, 1U << 16U);
}

// All rows of a table, of which a sample is searched.
struct WholeTable {
  const Source& source;
  const TableFacts& facts;
};

class Sffs {
 public:
  // `worth`: what all features are worth is told too, not only which are selected.
  Sffs(const Source& source, const SffsOptions& options, bool worth, const RunContext& context)
      : given_(source),
        asked_(options),
        options_(options),
        worth_(worth),
        context_(context),
        progress_(context.watcher()),
        rows_(source, options_) {}

  SffsResult run() {
    check_options(options_);
    check_device(options_.device);
    const std::size_t size =
        sample_size(options_.sample, given_.rows(), rows_to_search(given_.schema().columns()));
    if (size < given_.rows()) {
      SffsResult result = run_on_sample(size);
      if (!options_.ranking) result.ranking.clear();  // it tells whether the sample overlooked any
      if (!options_.ranking) result.substitutes.clear();
      return result;
    }
    worth_ = worth_ && options_.ranking;
    return run_on_all();
  }

 private:
  // The source is a sample of this table.
  Sffs(const Source& source, const SffsOptions& options, bool worth, const WholeTable& table,
       const RunContext& context)
      : Sffs(source, options, worth, context) {
    table_ = &table;
  }

  SffsResult run_on_all() {
    check_rows_budget(given_.schema(), given_.rows(), context_.memory);
    rows_.check_memory(context_.memory);
    if (only_subsets()) {
      signs_ =
          SignTable::read(is_held(given_) ? given_ : rows_.in_memory(), options_.task, progress_);
    }
    if (signs_) {
      data_ = signs_->data;
    } else {
      load_columns();
    }
    make_room_for_wishes();
    limit_k();
    check_depth();
    if (data_.label.classification) result_.classes = data_.label.classes;
    result_.measure = measure_of(data_.label);
    warn_of_counts();
    Estimator estimator(data_, options_, wishes_, context_);
    if (const auto size = estimator.estimate(result_)) options_.k = size;
    search();
    estimator.warn_of_no_use(result_);
    add_bound();
    if (worth_ && options_.stability > 0) add_stability(rows_.present());
    return std::move(result_);
  }

  // Is nothing asked for but which subsets of two and more features score best?
  [[nodiscard]] bool only_subsets() const {
    return options_.search == Search::unite && options_.score == Score::l1 && options_.depth > 1 &&
           options_.depth <= most_discrete_depth && options_.bins == 0 && options_.folds == 0 &&
           options_.k > std::size_t{0} && !options_.reduce && !options_.balanced && !worth_ &&
           table_ == nullptr;
  }

  void load_columns() {
    data_ = rows_.data(task(), progress_);
    data_.machines = machines_of(table_ == nullptr ? given_ : table_->source);
    if (table_ != nullptr) {
      const Schema& schema = table_->source.schema();
      all_rows_.emplace(table_->source,
                        make_design(schema, table_->source.rows(), table_->facts.moments()),
                        WholeLabel(schema, table_->facts, data_.label));
    }
    if (options_.reduce) reduce();
  }

  // Searches a sample, and judges what is found there on all rows. Where that does not hold, twice
  // as many rows are searched, two times at most.
  SffsResult run_on_sample(std::size_t size) {
    const std::size_t most = 4 * size;
    check_sample(most);
    const TableForSample table(given_, options_, size, progress_);
    SffsOptions options = asked_;
    options.sample = every_row;
    for (;; size *= 2) {
      const auto sample = table.sample(size, progress_);
      const WholeTable whole{table.source(), table.facts()};
      Sffs search(*sample, options, worth_, whole, context_);
      SffsResult result = search.run_on_all();
      if (!search.holds_ && size < most && 2 * size < given_.rows()) continue;
      result.sample_rows = sample->rows();
      return result;
    }
  }

  // Whatever was allowed, so much is taken: a sample of a few megabytes must not fail.
  void check_sample(std::size_t most) const {
    constexpr std::size_t small = std::size_t{64} << 20U;
    const std::size_t bytes =
        std::min(most, given_.rows()) * given_.schema().columns() * sizeof(double);
    if (bytes <= std::max(context_.memory, small)) return;
    throw Error(fmt::format(
        "samples of up to {0} rows take {1} MiB; allow it with --memory {1}M, or give a smaller "
        "--sample",
        std::min(most, given_.rows()), (bytes >> 20U) + 1));
  }

  // A label is what all its rows say.
  [[nodiscard]] Task task() const {
    if (table_ == nullptr) return options_.task;
    return task_of(table_->source.schema(), table_->facts, options_.task);
  }

  void reduce() {
    UffsOptions options;
    options.stages = *options_.reduce;
    options.device = options_.device;
    options.equations = options_.equations;
    options.seed = options_.seed;
    options.sample = table_ != nullptr ? automatic_sample : options_.sample;
    result_.reduced = uffs(table_ != nullptr ? table_->source : *data_.source, options, context_);
    data_.features.clear();
    for (const SelectedFeature& kept : result_.reduced->selected) {
      if (!data_.design.features[kept.feature].constant) data_.features.push_back(kept.feature);
    }
  }

  // Covariates cannot be chosen; what is to be kept can, also where it was found to be redundant.
  void make_room_for_wishes() {
    wishes_ = wishes_of(options_, data_.source->schema());
    std::vector<std::size_t>& features = data_.features;
    for (const std::size_t feature : wishes_.adjust) std::erase(features, feature);
    let_first_stand_for_group(wishes_, features);
    for (const std::size_t feature : wishes_.keep) {
      const auto place = std::lower_bound(features.begin(), features.end(), feature);
      if (place == features.end() || *place != feature) features.insert(place, feature);
    }
    if (options_.k && *options_.k < wishes_.keep.size()) {
      throw Error(fmt::format("-k {} is less than the {} features of --keep", *options_.k,
                              wishes_.keep.size()),
                  Error::Kind::usage);
    }
  }

  void limit_k() {
    const std::size_t most = data_.features.size();
    if (!options_.k || *options_.k <= most) return;
    const std::string said = fmt::format(
        "{} features were asked for, but only {} can be chosen from", *options_.k, most);
    if (most == 0) throw Error(said, Error::Code::too_few_features);
    result_.warnings.push_back(said + ": all of them are selected");
    options_.k = most;
  }

  // Ten digits are classes; twenty whole numbers are more likely counts.
  void warn_of_counts() {
    constexpr std::size_t most_classes = 10;
    const std::size_t classes = data_.label.classes.size();
    const Column& label = *given_.schema().label;
    if (options_.task != Task::automatic || label.kind != ColumnKind::numeric) return;
    if (!data_.label.classification || classes <= most_classes) return;
    result_.warnings.push_back(
        fmt::format("label \"{}\" has {} different whole numbers, which are taken as classes "
                    "(--task regression takes it as a number)",
                    label.name, classes));
  }

  void check_depth() const {
    if (options_.depth <= most_real_depth || all_discrete(data_, options_.bins)) return;
    throw Error(
        fmt::format("depth {} is for features that are all discrete (--bins makes them so); "
                    "else it is at most {}",
                    options_.depth, most_real_depth));
  }

  void search() {
    if (options_.search == Search::unite) {
      unite_best_subsets();
    } else {
      search_in_rounds();
    }
  }

  void unite_best_subsets() {
    UnionResult found;
    if (options_.k != std::size_t{0}) {
      found = united();
    }
    for (const UnitedFeature& united : found.chosen) {
      result_.selected.push_back(
          {united.feature, result_.selected.size() + 1, std::nullopt, united.score, std::nullopt});
    }
    take_subsets(found.subsets);
    if (worth_) {
      take_worth(ranked_union(data_, chosen(), options_, wishes_, all_rows(), progress_));
    }
    if (options_.score == Score::l2) result_.measure = Measure::l2;
  }

  UnionResult united() {
    if (signs_) return unite(*signs_, options_, progress_);
    if (all_rows_) return united_on_all_rows(data_, options_, *all_rows_, progress_);
    return unite(data_, *data_.source, options_, progress_);
  }

  void take_subsets(std::vector<ScoredSubset>& subsets) {
    for (ScoredSubset& subset : subsets) result_.subsets.push_back({std::move(subset), {}});
  }

  void search_in_rounds() {
    ForwardResult found = search_forward(data_, options_, wishes_, worth_, progress_, all_rows());
    holds_ = found.holds;
    result_.selected = std::move(found.selected);
    take_subsets(found.steps);
    result_.warnings.insert(result_.warnings.end(), found.warnings.begin(), found.warnings.end());
    take_worth(std::move(found));
  }

  void take_worth(ForwardResult found) {
    result_.ranking = std::move(found.ranking);
    result_.substitutes = std::move(found.substitutes);
  }

  [[nodiscard]] const AllRows* all_rows() const { return all_rows_ ? &*all_rows_ : nullptr; }

  // The halves are searched for as many features as were chosen from all rows.
  void add_stability(const Source& whole) {
    SffsOptions options = asked_;
    options.folds = 0;
    options.best_size = false;
    if (asked_.best_size) options.k = options_.k;
    const auto choose = [&](const Source& half) {
      if (options.k == std::size_t{0}) return std::vector<std::size_t>{};
      return positions(Sffs(half, options, false, context_.unwatched()).run());
    };
    Stability stability = stability_of(whole, data_.label, options_.stability, options_.seed,
                                       data_.features.size(), wishes_, choose, progress_);
    for (FeatureWorth& worth : result_.ranking) worth.stability = stability.shares[worth.feature];
    result_.stability = std::move(stability.report);
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
    const std::size_t candidates = data_.features.size();
    if (!signs_) {
      result_.bound = loss_bound(data_, chosen(), candidates, options_.delta);
      return;
    }
    const SupervisedData columns = signs_->with_columns_of(chosen(), progress_);
    result_.bound = loss_bound(columns, columns.features, candidates, options_.delta);
  }

  [[nodiscard]] std::vector<std::size_t> chosen() const { return positions(result_); }

  const Source& given_;
  const SffsOptions& asked_;
  SffsOptions options_;  // the same with a k that the features allow, or that was chosen
  bool worth_;
  const RunContext& context_;
  Progress& progress_;
  SearchedRows rows_;
  SupervisedData data_;
  std::optional<SignTable> signs_;     // then the data have no columns
  const WholeTable* table_ = nullptr;  // the rows are a sample of
  std::optional<AllRows> all_rows_;
  bool holds_ = true;  // what the sample said, on all rows
  Wishes wishes_;
  SffsResult result_;
};

void name_all(SffsResult& result, const Schema& schema) {
  const auto name = [&](std::size_t feature) { return schema.features[feature].name; };
  put_names(result.selected, schema);
  put_names(result.ranking, schema);
  for (NamedSubset& subset : result.subsets) {
    for (const std::size_t feature : subset.features) subset.names.push_back(name(feature));
  }
  for (Substitute& substitute : result.substitutes) {
    substitute.name = name(substitute.feature);
    substitute.name_instead_of = name(substitute.instead_of);
  }
  // Features may have been cut into bins for it: here they are what they are in the input.
  if (result.reduced) name_removals(result.reduced->removed, schema);
}

}  // namespace

SffsResult sffs(const Source& source, const SffsOptions& options, const RunContext& context) {
  const CheckedInput checked(source);
  SffsResult result = within(context, [&] { return Sffs(*checked, options, true, context).run(); });
  name_all(result, source.schema());
  return result;
}

}  // namespace fsieve
