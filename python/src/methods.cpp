#include "methods.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <utility>

#include "app/data_options.h"
#include "app/learn_options.h"
#include "app/method_options.h"
#include "app/parameters.h"
#include "app/selection_manner_options.h"
#include "app/value_text.h"
#include "base/number.h"
#include "base/threads.h"
#include "fsieve/error.h"
#include "fsieve/io.h"
#include "fsieve/junta.h"
#include "fsieve/relations.h"
#include "fsieve/result.h"

namespace fsieve::python {
namespace {

class Clock {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// One run of a method: the same steps as a command of the program, without files.
class Run {
 public:
  // One of `table` and `source` is given.
  Run(const Table* table, const Source* source, const Request& request, Progress& progress,
      std::vector<std::string> warnings = {})
      : table_(table),
        request_(request),
        values_(values_of(request)),
        progress_(progress),
        source_(source),
        warnings_(std::move(warnings)) {}

  std::string text() {
    std::string json;
    with_threads(parse_whole("--threads", values_.required("threads")), [&] {
      json = values_.command() == Command::select  ? select()
             : values_.command() == Command::learn ? learn()
                                                   : reduce();
    });
    return json;
  }

 private:
  void open() {
    data_ = read_options(values_);
    if (source_ != nullptr) return;
    const Clock reading;
    opened_ = std::make_unique<OpenedTable>(*table_, request_, data_, progress_);
    source_ = &opened_->source();
    warnings_ = opened_->warnings();
    timing_.read_s = reading.seconds();
  }

  template <typename Method>
  auto fit(const Method& method) {
    const Clock fitting;
    auto found = method(*source_);
    timing_.fit_s = fitting.seconds();
    return found;
  }

  template <typename Result>
  std::string finished(Result& result) {
    result.source = std::string(kTableName);  // assigning a literal makes GCC 12 warn
    result.warnings.insert(result.warnings.begin(), warnings_.begin(), warnings_.end());
    timing_.total_s = total_.seconds();
    result.timing = timing_;
    return to_json(result);
  }

  std::string reduce() {
    switch (reduce_method(values_)) {
      case ReduceMethod::gfs:
        return greedy(gfs_options(values_), gfs);
      case ReduceMethod::gfa:
        return greedy(gfa_options(values_), gfa);
      case ReduceMethod::uffs:
        break;
    }
    return reduce_by_uffs();
  }

  template <typename Options, typename Method>
  std::string greedy(const Options& options, const Method& method) {
    open();
    const GreedyChoice found =
        fit([&](const Source& source) { return method(source, options, progress_); });
    GreedyResult result = describe(found, *source_);
    result.method = values_.required("method");
    result.parameters = reduce_parameters(options, data_);
    return finished(result);
  }

  std::string reduce_by_uffs() {
    const UffsOptions method = uffs_options(values_);
    const bool first = relations_first(values_);
    const bool listed = values_.given("relations");
    open();
    const RelationsResult found = fit([&](const Source& source) {
      if (method.clusters) return RelationsResult{interchangeable(source, method, progress_), {}};
      return first ? uffs_by_relations(source, method, progress_)
                   : RelationsResult{uffs(source, method, progress_), {}};
    });
    ReduceResult result = describe(found.reduced, *source_);
    if (listed) result.relations = found.relations;
    if (method.clusters) result.clusters = named_clusters(found.reduced, *source_);
    result.parameters = reduce_parameters(method, data_, found.reduced.stages, first, listed);
    return finished(result);
  }

  std::string select() {
    const SffsOptions method = sffs_options(values_);
    const SelectionManner manner = selection_manner(values_);
    open();
    const SffsResult found =
        fit([&](const Source& source) { return sffs(source, method, manner, progress_); });
    SelectResult result = describe(found, *source_);
    result.parameters = select_parameters(method, manner, values_.required("k"), data_, found);
    return finished(result);
  }

  std::string learn() {
    JuntaOptions method = junta_options(values_);
    const auto path = values_.text("checkpoint");
    const auto checkpoint = path ? checkpoint_file(*path) : nullptr;
    method.checkpoint = checkpoint.get();
    open();
    Model model =
        fit([&](const Source& source) { return fsieve::learn(source, method, progress_); });
    model.parameters = learn_parameters(method, data_);
    std::string json = finished(model);
    if (checkpoint) checkpoint->save({});
    return json;
  }

  Clock total_;
  const Table* table_;
  const Request& request_;
  OptionValues values_;
  Progress& progress_;
  ReadOptions data_;
  const Source* source_;
  std::unique_ptr<OpenedTable> opened_;
  std::vector<std::string> warnings_;  // what was decided about the columns
  Timing timing_;
};

}  // namespace

std::string run(const Table& table, const Request& request, Progress& progress) {
  return Run(&table, nullptr, request, progress).text();
}

std::string run(const Source& source, const Request& request, Progress& progress,
                const std::vector<std::string>& warnings) {
  return Run(nullptr, &source, request, progress, warnings).text();
}

Predictions predict(const std::string& model_json, const Table& table, const Request& request,
                    Progress& progress) {
  const Model model = model_from_json(model_json, "model");
  const OptionValues values = values_of(request);
  const Unseen unseen = values.choice("unseen") == "majority" ? Unseen::majority : Unseen::error;
  ReadOptions data = read_options(values);
  std::vector<std::string>& needed = data.needed.emplace();
  for (const ModelFeature& feature : model.features) needed.push_back(feature.column);
  const OpenedTable opened(table, request, data, progress);
  PredictionCounts counts;
  const auto source = predicted(model, opened.source(), unseen, 1, counts);
  const Schema& schema = source->schema();
  const std::size_t place = schema.columns() - 2;
  // Classes that are numbers come as numbers, others as positions.
  const bool numbers = schema.features[place].kind == ColumnKind::numeric;
  const double first = numbers ? number_in(model.classes[0]).value_or(0) : 0;
  Predictions predictions;
  progress.begin("predicting", source->rows());
  const auto reader = source->open();
  Block block;
  while (reader->next(block)) {
    for (const double value : block.column(place)) {
      predictions.second_class.push_back(value != first ? 1 : 0);
    }
    const auto scores = block.column(place + 1);
    predictions.scores.insert(predictions.scores.end(), scores.begin(), scores.end());
    progress.advance(block.first_row + block.rows);
  }
  progress.end();
  return predictions;
}

}  // namespace fsieve::python
