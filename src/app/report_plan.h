// Which commands a report is made of, and with which options.
#pragma once

#include <cstddef>

#include "app/option_values.h"
#include "fsieve/source.h"

namespace fsieve::inline app {

// The options of the command for the table of a report.
[[nodiscard]] OptionValues reduce_in_report(const OptionValues& report);
[[nodiscard]] OptionValues select_in_report(const OptionValues& report);
// A rule on k features: every subset is scored where that takes seconds, else a beam of them.
[[nodiscard]] OptionValues learn_in_report(const OptionValues& report, const Source& source,
                                           std::size_t k);

// How many features the rule may look at; 0: none is wanted. Throws Error(usage) on a wrong number.
[[nodiscard]] std::size_t rule_size(const OptionValues& report);

}  // namespace fsieve::app
