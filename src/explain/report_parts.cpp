#include "explain/report_parts.h"

#include <fmt/format.h>

#include "explain/text_table.h"

namespace fsieve {
namespace {

constexpr std::size_t kLongestName = 40;

}  // namespace

Colours colours(bool on) { return on ? Colours{"\033[1m", "\033[2m", "\033[0m"} : Colours{}; }

std::string name_cell(const std::string& name) { return shortened(printable(name), kLongestName); }

std::string heading(std::string_view words, const Colours& colour) {
  return fmt::format("\n{}{}{}\n", colour.bold, words, colour.off);
}

std::string to_report(const SavedResult& result, const TextStyle& style) {
  return std::visit([&](const auto& held) { return to_report(held, style); }, result);
}

}  // namespace fsieve
