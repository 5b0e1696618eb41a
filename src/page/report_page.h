// The page of `fsieve report`: results of three commands and some pictures of the table, in one
// file of HTML that needs nothing else.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fsieve/junta.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "table/missing_cells.h"

namespace fsieve::inline page {

// The JSON of the commands, as they print it; empty: the command does not apply.
struct ReportParts {
  std::string reduce;
  std::string select;
  std::string learn;
};

struct ReportMaking {
  std::string command;                                        // that makes this page
  std::vector<std::pair<std::string, std::string>> commands;  // what, and the command that gives it
  std::uint64_t seed = 0;
  std::optional<std::string> time;  // none: equal runs are to give equal bytes
  std::optional<double> seconds;
  std::optional<JuntaOptions> rule;  // how it was learned, to try it on rows held out
  io::MissingCells missing;
};

// {"reduce":…,"select":…,"learn":…}, null for what does not apply.
[[nodiscard]] nlohmann::ordered_json report_object(const ReportParts& parts);

[[nodiscard]] std::string report_page(const ReportParts& parts, const ReportMaking& making,
                                      const Source& source, Progress& progress);

// The results that a page holds; none: the text is no such page. Throws Error where they are
// damaged.
[[nodiscard]] std::optional<ReportParts> report_parts_in(std::string_view page);

}  // namespace fsieve::page
