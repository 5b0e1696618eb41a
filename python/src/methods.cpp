#include "methods.h"

#include <memory>

#include "app/data_options.h"
#include "app/run.h"
#include "base/number.h"
#include "fsieve/checkpoint.h"
#include "fsieve/io.h"
#include "fsieve/model.h"

namespace fsieve::python {
namespace {

// As long as a search of hours takes, its state is kept in the file of --checkpoint.
class KeptState {
 public:
  KeptState(const OptionValues& values, Request& request) {
    if (values.command() != Command::learn || !values.given("checkpoint")) return;
    file_ = checkpoint_file(values.required("checkpoint"));
    request.keep_state_in(file_.get());
  }
  void clear() const {
    if (file_) file_->save({});
  }

 private:
  std::unique_ptr<Checkpoint> file_;
};

// `open(options)` gives the table as a source.
template <typename Open>
std::string run_on(const Open& open, const Call& call, RunRecord& record) {
  const OptionValues values = values_of(call);
  std::string json;
  on_threads_of(values, [&] {
    Request request(values);
    const KeptState state(values, request);
    AnyReport report = app::run(request, open(request.data()), record);
    add_timing(report, record);
    json = to_json(report);
    state.clear();
  });
  return json;
}

}  // namespace

std::string run(const Table& table, const Call& call, Progress& progress) {
  RunRecord record(kTableName, run_context(values_of(call), progress));
  std::unique_ptr<OpenedTable> opened;
  const auto open = [&](const ReadOptions& data) -> const Source& {
    opened = opened_table(table, call, data, record);
    return opened->source();
  };
  return run_on(open, call, record);
}

std::string run(const Source& source, const Call& call, Progress& progress,
                const std::vector<std::string>& warnings) {
  RunRecord record(kTableName, run_context(values_of(call), progress));
  record.warnings = warnings;
  return run_on([&](const ReadOptions&) -> const Source& { return source; }, call, record);
}

Predictions predict(const std::string& model_json, const Table& table, const Call& call,
                    Progress& progress) {
  const Model model = model_from_json(model_json, "model");
  const OptionValues values = values_of(call);
  const Unseen unseen = values.choice("unseen") == "majority" ? Unseen::majority : Unseen::error;
  ReadOptions data = read_options(values);
  std::vector<std::string>& needed = data.needed.emplace();
  for (const ModelFeature& feature : model.features) needed.push_back(feature.column);
  const OpenedTable opened(table, call, data, progress);
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
