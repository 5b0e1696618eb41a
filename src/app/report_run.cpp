#include "app/report_run.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "app/report_plan.h"
#include "app/value_text.h"
#include "fsieve/error.h"

namespace fsieve::inline app {

ReportRun::ReportRun(const OptionValues& values, Wording wording, bool timed)
    : values_(values),
      wording_(std::move(wording)),
      timed_(timed),
      for_reduce_(reduce_in_report(values)),
      reduce_(for_reduce_),
      for_select_(select_in_report(values)),
      select_(for_select_),
      rule_size_(rule_size(values)) {
  making_.command = wording_(values);
  making_.seed = parse_whole("--seed", values.required("seed"));
}

void ReportRun::run(const Source& source, RunRecord& record) {
  parts_.reduce = completed(app::run(reduce_, source, record), for_reduce_, record);
  if (!values_.given("label")) return;
  AnyReport selected = app::run(select_, source, record);
  const auto& classes = std::get<Report<SffsResult>>(selected.result).classes;
  const bool two_classes = classes && classes->size() == 2;
  parts_.select = completed(std::move(selected), for_select_, record);
  if (two_classes) learn(source, record);
}

// The rule looks at fewer features than asked for where there are no more.
void ReportRun::learn(const Source& source, RunRecord& record) {
  for (std::size_t k = rule_size_; k > 0; --k) {
    const OptionValues values = learn_in_report(values_, source, k);
    const Request request(values);
    try {
      parts_.learn = completed(app::run(request, source, record), values, record);
      making_.rule = request.rule();
      return;
    } catch (const Error& error) {
      if (error.code() != Error::Code::too_few_features) throw;
    }
  }
}

std::string ReportRun::completed(AnyReport report, const OptionValues& values,
                                 const RunRecord& record) {
  if (timed_) add_timing(report, record);
  making_.commands.emplace_back(spec_of(values.command()).name, wording_(values));
  for (const std::string& warning : report.warnings()) {
    const bool said = std::find(warnings_.begin(), warnings_.end(), warning) != warnings_.end();
    if (!said) warnings_.push_back(warning);
  }
  return to_json(report);
}

std::string ReportRun::page(const Source& source, const io::MissingCells& missing,
                            const RunRecord& record) {
  making_.missing = missing;
  if (timed_) {
    making_.time = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    making_.seconds = record.timing().total_s;
  }
  return report_page(parts_, making_, source, record.context().watcher());
}

}  // namespace fsieve::app
