// fsieve report FILE [--label COL] -o report.html
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "app/command_text.h"
#include "app/report_plan.h"
#include "app/value_text.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/method_run.h"
#include "cli/standard_output.h"
#include "cli/stopwatch.h"
#include "cli/work.h"
#include "fsieve/error.h"
#include "page/report_page.h"
#include "report/result_fields.h"

namespace fsieve::cli {
namespace {

std::string now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

// Nothing: only the results are wanted.
std::optional<OutputFile> page_file(const OptionValues& values) {
  if (!values.given("output") && values.given("json")) return std::nullopt;
  if (!values.given("output")) {
    throw Error("-o FILE.html is missing: where the page is to go", Error::Kind::usage);
  }
  OutputFile page{"-o", values.required("output"), Holds::page};
  if (values.given("json") && is_standard_output(page.path)) {
    throw Error("--json and -o - both go to standard output; give one of them", Error::Kind::usage);
  }
  return page;
}

// The commands that a report is made of, their results one after another.
class Commands {
 public:
  Commands(MethodRun& run, ReportMaking& making) : run_(run), making_(making) {}

  [[nodiscard]] const ReportParts& parts() const { return parts_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

  void reduce(const UffsWork& work, const OptionValues& values) {
    parts_.reduce = completed(work.on(run_).result, "reduce", values);
  }

  // Whether the label has two classes.
  bool select(const SelectWork& work, const OptionValues& values) {
    SelectResult result = work.on(run_).result;
    parts_.select = completed(result, "select", values);
    return result.classes && result.classes->size() == 2;
  }

  // The rule looks at fewer features than `size` where there are no more.
  void learn(const OptionValues& values, std::size_t size) {
    for (std::size_t k = size; k > 0; --k) {
      const OptionValues given = learn_in_report(values, run_.source(), k);
      const LearnWork work(given);
      try {
        parts_.learn = completed(work.on(run_), "learn", given);
        making_.rule = work.options();
        return;
      } catch (const Error& error) {
        if (error.code() != Error::Code::too_few_features) throw;
      }
    }
  }

 private:
  template <typename Result>
  std::string completed(Result&& result, const char* what, const OptionValues& values) {
    run_.complete(result);
    making_.commands.emplace_back(what, command_text(values));
    for (const std::string& warning : result.warnings) {
      const bool said = std::find(warnings_.begin(), warnings_.end(), warning) != warnings_.end();
      if (!said) warnings_.push_back(warning);
    }
    return to_json(result);
  }

  MethodRun& run_;
  ReportMaking& making_;
  ReportParts parts_;
  std::vector<std::string> warnings_;
};

void write_page(const std::string& path, const std::string& page) {
  if (is_standard_output(path)) return write_stdout(page);
  OutputFiles outputs;
  outputs.text(path, page);
  commit(outputs);
}

}  // namespace

void report(const OptionValues& values) {
  const Stopwatch total;
  const OptionValues for_reduce = reduce_in_report(values);
  const UffsWork reduction(for_reduce);
  const OptionValues for_select = select_in_report(values);
  const SelectWork selection(for_select);
  const std::size_t size = rule_size(values);
  const auto output = page_file(values);
  MethodRun run(values, std::nullopt, output);

  ReportMaking making;
  making.command = command_text(values);
  making.seed = parse_whole("--seed", values.required("seed"));
  Commands commands(run, making);
  commands.reduce(reduction, for_reduce);
  const bool two_classes = values.given("label") && commands.select(selection, for_select);
  if (two_classes) commands.learn(values, size);
  if (output) {
    if (!values.given("no-timing")) {
      making.time = now();
      making.seconds = total.seconds();
    }
    write_page(output->path, report_page(commands.parts(), making, run.source(), run.progress()));
  }
  warning_lines(commands.warnings());
  if (output && !is_standard_output(output->path)) {
    note(values.given("quiet"), fmt::format("the page is in {}", output->path));
  }
  if (values.given("json")) write_stdout(dumped(report_object(commands.parts())));
}

}  // namespace fsieve::cli
