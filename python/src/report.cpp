#include "report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <ctime>

#include "app/data_options.h"
#include "app/learn_options.h"
#include "app/report_plan.h"
#include "app/value_text.h"
#include "base/threads.h"
#include "fsieve/error.h"
#include "fsieve/result.h"
#include "methods.h"
#include "page/report_page.h"

namespace fsieve::python {
namespace {

// What was given, as a request again.
Request request_of(const OptionValues& values) {
  Request request{std::string(spec_of(values.command()).name), {}, {}};
  for (const OptionSpec& option : option_table()) {
    if (!belongs_to(option, values.command()) || option.positional) continue;
    if (!values.given(option.name)) continue;
    request.options.emplace(option.name, values.required(option.name));
  }
  return request;
}

class Report {
 public:
  // `source` is the table as it was opened.
  Report(const OptionValues& values, const Table& table, const Source& source, Progress& progress)
      : values_(values),
        table_(table),
        source_(source),
        progress_(progress),
        rule_size_(rule_size(values)) {}

  std::string page() {
    const auto begun = std::chrono::steady_clock::now();
    parts_.reduce = result_of(reduce_in_report(values_));
    made_by("reduce", "fsieve.UFFS(relations=True).fit(X)");
    const bool labelled = values_.given("label");
    if (labelled && select()) learn();
    making_.command = labelled ? "fsieve.report(X, y)" : "fsieve.report(X)";
    making_.seed = parse_whole("--seed", values_.required("seed"));
    making_.time = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    making_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    return fsieve::report_page(parts_, making_, source_, progress_);
  }

 private:
  std::string result_of(const OptionValues& values) {
    return run(table_, request_of(values), progress_);
  }

  void made_by(const char* what, std::string call) {
    making_.commands.emplace_back(what, std::move(call));
  }

  // Whether the label has two classes.
  bool select() {
    const OptionValues values = select_in_report(values_);
    parts_.select = result_of(values);
    made_by("select", fmt::format("fsieve.SFFS(k=\"{}\").fit(X, y)", values.required("k")));
    const SavedResult saved = result_from_json(parts_.select, "result");
    const auto* const result = std::get_if<SelectResult>(&saved);
    return result != nullptr && result->classes && result->classes->size() == 2;
  }

  // The rule looks at fewer features where there are no more.
  void learn() {
    for (std::size_t k = rule_size_; k > 0; --k) {
      const OptionValues values = learn_in_report(values_, source_, k);
      try {
        parts_.learn = result_of(values);
        making_.rule = junta_options(values);
        return made_by("learn", fmt::format("fsieve.JuntaClassifier(k={}, binarize=\"median\", "
                                            "search=\"{}\").fit(X, y)",
                                            k, values.required("search")));
      } catch (const Error& error) {
        if (error.code() != Error::Code::too_few_features) throw;
      }
    }
  }

  const OptionValues& values_;
  const Table& table_;
  const Source& source_;
  Progress& progress_;
  std::size_t rule_size_;
  ReportParts parts_;
  ReportMaking making_;
};

}  // namespace

std::string report_page(const Table& table, const Request& request, Progress& progress) {
  const OptionValues values = values_of(request);
  std::string page;
  with_threads(parse_whole("--threads", values.required("threads")), [&] {
    const OpenedTable opened(table, request, read_options(values), progress);
    page = Report(values, table, opened.source(), progress).page();
  });
  return page;
}

}  // namespace fsieve::python
