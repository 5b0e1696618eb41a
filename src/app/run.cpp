#include "app/run.h"

#include <fmt/format.h>

#include <utility>

#include "app/data_options.h"
#include "app/learn_options.h"
#include "app/left_out.h"
#include "app/method_options.h"
#include "app/parameters.h"
#include "app/value_text.h"
#include "base/number_text.h"
#include "fsieve/threads.h"

namespace fsieve::inline app {
namespace {

Request::Method method_of(const OptionValues& values) {
  if (values.command() == Command::learn) return junta_options(values);
  if (values.command() == Command::select) {
    return Request::Sffs{sffs_options(values), values.required("k")};
  }
  switch (reduce_method(values)) {
    case ReduceMethod::gfs:
      return gfs_options(values);
    case ReduceMethod::gfa:
      return gfa_options(values);
    case ReduceMethod::uffs:
      break;
  }
  return Request::Uffs{uffs_options(values), values.given("relations")};
}

// Runs a method, and writes down what it was run on, and the parameters that were in effect.
class Runner {
  template <typename Work>
  auto fitted(const Work& work) {
    return describe(record_.fitting(work), source_);
  }

 public:
  Runner(const ReadOptions& data, const Source& source, RunRecord& record)
      : data_(data), source_(source), record_(record), context_(record.context()) {}

  AnyReport operator()(const Request::Uffs& asked) {
    const UffsOptions& options = asked.options;
    auto report = fitted([&] {
      return options.clusters ? interchangeable(source_, options, context_)
                              : uffs(source_, options, context_);
    });
    if (!asked.relations_listed) report.relations.reset();
    if (asked.relations_listed && !report.relations) report.relations.emplace();
    report.parameters = reduce_parameters(options, data_, report.stages, asked.relations_listed);
    return {std::move(report)};
  }

  AnyReport operator()(const GfsOptions& options) { return greedy(options, gfs, "gfs"); }
  AnyReport operator()(const GfaOptions& options) { return greedy(options, gfa, "gfa"); }

  AnyReport operator()(const Request::Sffs& asked) {
    auto report = fitted([&] { return sffs(source_, asked.options, context_); });
    report.parameters = select_parameters(asked.options, asked.asked_k, data_, report);
    return {std::move(report)};
  }

  AnyReport operator()(const JuntaOptions& options) {
    Model model = record_.fitting([&] { return learn(source_, options, context_); });
    model.parameters = learn_parameters(options, data_);
    return {std::move(model)};
  }

 private:
  template <typename Options, typename Method>
  AnyReport greedy(const Options& options, const Method& method, const char* name) {
    auto report = fitted([&] { return method(source_, options, context_); });
    report.method = name;
    report.parameters = reduce_parameters(options, data_);
    return {std::move(report)};
  }

  const ReadOptions& data_;
  const Source& source_;
  RunRecord& record_;
  const RunContext& context_;
};

std::string summary_of(const Model& model) {
  return fmt::format("{} from {} of {}, training error {:.1f} %", model.label, model.subset.size(),
                     counted(model.feature_count, "feature"), 100 * model.training_error);
}

template <typename Result>
std::string summary_of(const Result& result) {
  return fmt::format("{} of {} {}", result.selected.size(), counted(result.features, "feature"),
                     std::is_same_v<Result, Report<SffsResult>> ? "selected" : "kept");
}

}  // namespace

Request::Request(const OptionValues& values)
    : method_(method_of(values)), data_(read_options(values)) {}

Timing RunRecord::timing() const {
  Timing timing = timing_;
  timing.total_s = seconds_since(start_);
  return timing;
}

const std::vector<std::string>& AnyReport::warnings() const {
  return std::visit(
      [](const auto& held) -> const auto& { return held.warnings; }, result);
}

std::set<std::size_t> AnyReport::columns() const {
  std::set<std::size_t> columns;
  const auto add = [&](const auto& held) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(held)>, Model>) {
      for (const auto& feature : held.selected) columns.insert(feature.index);
    }
  };
  std::visit(add, result);
  return columns;
}

std::string AnyReport::summary() const {
  return std::visit([](const auto& held) { return summary_of(held); }, result);
}

AnyReport run(const Request& request, const Source& source, RunRecord& record) {
  check_not_left_out(request, source.schema());
  AnyReport report = std::visit(Runner(request.data(), source, record), request.method());
  const auto complete = [&](auto& result) {
    result.source = record.table();
    result.warnings.insert(result.warnings.begin(), record.warnings.begin(), record.warnings.end());
  };
  std::visit(complete, report.result);
  return report;
}

void add_timing(AnyReport& report, const RunRecord& record) {
  std::visit([&](auto& result) { result.timing = record.timing(); }, report.result);
}

std::string to_json(const AnyReport& report) {
  return std::visit([](const auto& result) { return to_json(result); }, report.result);
}

std::string to_report(const AnyReport& report, const TextStyle& style) {
  return std::visit([&](const auto& result) { return to_report(result, style); }, report.result);
}

void on_threads_of(const OptionValues& values, const std::function<void()>& work) {
  with_threads(parse_whole("--threads", values.text("threads").value_or("0")), work);
}

}  // namespace fsieve::app
