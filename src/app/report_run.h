// The commands that `report` is made of, run one after another on one table.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "app/option_values.h"
#include "app/run.h"
#include "fsieve/source.h"
#include "page/report_page.h"
#include "table/missing_cells.h"

namespace fsieve::inline app {

class ReportRun {
 public:
  // How a user of the front end would ask for a command with these options.
  using Wording = std::function<std::string(const OptionValues&)>;

  // Throws Error(usage). `timed`: time and seconds are in what is made, which else is the same
  // every time.
  ReportRun(const OptionValues& values, Wording wording, bool timed);

  // `source` was opened by the data options of the report.
  void run(const Source& source, RunRecord& record);

  [[nodiscard]] const ReportParts& parts() const { return parts_; }
  // Of all commands, each once.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
  // `missing`: of the table before it was opened.
  [[nodiscard]] std::string page(const Source& source, const io::MissingCells& missing,
                                 const RunRecord& record);

 private:
  std::string completed(AnyReport report, const OptionValues& values, const RunRecord& record);
  void learn(const Source& source, RunRecord& record);

  OptionValues values_;
  Wording wording_;
  bool timed_;
  OptionValues for_reduce_;
  Request reduce_;
  OptionValues for_select_;
  Request select_;
  std::size_t rule_size_;
  ReportParts parts_;
  ReportMaking making_;
  std::vector<std::string> warnings_;
};

}  // namespace fsieve::app
