// Lines on standard error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fsieve::cli {

// "fsieve: error: ..." on one line, whatever the message holds.
void error_line(std::string_view message);

void warning_lines(const std::vector<std::string>& warnings);

// Something good to know; silent with --quiet.
void note(bool quiet, std::string_view message);

}  // namespace fsieve::cli
