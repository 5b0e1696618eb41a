#include "cli/messages.h"

#include <fmt/format.h>

#include <cstdio>

namespace fsieve::cli {
namespace {

// File and column names may hold line ends and terminal codes.
std::string on_one_line(std::string_view message) {
  std::string line;
  for (const char c : message) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\t') {
      line += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      line += fmt::format("\\x{:02x}", byte);
    } else {
      line += c;
    }
  }
  return line;
}

void print(const std::string& line) { std::fputs((line + "\n").c_str(), stderr); }

}  // namespace

void error_line(std::string_view message) {
  std::fflush(stdout);
  print("fsieve: error: " + on_one_line(message));
}

void warning_lines(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) print("fsieve: warning: " + on_one_line(warning));
}

void note(bool quiet, std::string_view message) {
  if (!quiet) print("fsieve: " + on_one_line(message));
}

}  // namespace fsieve::cli
