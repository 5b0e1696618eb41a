#include "cli/messages.h"

#include <cstdio>

#include "base/visible.h"

namespace fsieve::cli {
namespace {

void print(const std::string& line) { std::fputs((line + "\n").c_str(), stderr); }

}  // namespace

// File and column names may hold line ends and terminal codes.
void error_line(std::string_view message) {
  std::fflush(stdout);
  print("fsieve: error: " + visible(message));
}

void warning_lines(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) print("fsieve: warning: " + visible(warning));
}

void note(bool quiet, std::string_view message) {
  if (!quiet) print("fsieve: " + visible(message));
}

}  // namespace fsieve::cli
