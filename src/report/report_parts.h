// What the reports of all commands have in common.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fsieve/result.h"

namespace fsieve::inline report {

// Lists of more features than this are names only.
constexpr std::size_t kLongestTable = 200;

struct Colours {
  std::string_view bold, dim, off;
};

[[nodiscard]] Colours colours(bool on);

// A column's name, fit for a cell of a table.
[[nodiscard]] std::string name_cell(const std::string& name);

// "litres = 0.0164·displacement", cut to the width with the number of terms behind.
[[nodiscard]] std::string equation_cell(const Equation& equation, std::size_t width);
// The same of a removed feature: a category that is constant has its only level.
[[nodiscard]] std::string equation_cell(const std::string& feature, Reason reason,
                                        const Equation& equation, std::size_t width);

// How wide the equations behind columns of this width may be.
[[nodiscard]] std::size_t equation_width(std::size_t before, const TextStyle& style);

// An empty line, then the words.
[[nodiscard]] std::string heading(std::string_view words, const Colours& colour);

// "set aside: id (identifier), notes (missing)", wrapped, with a line end; empty where none was.
[[nodiscard]] std::string ignored_line(const std::vector<IgnoredColumn>& ignored,
                                       const TextStyle& style);

// The parameter of this key where it is there and of this type; else T{}.
template <typename T>
[[nodiscard]] T parameter(const std::vector<Parameter>& parameters, std::string_view key) {
  for (const Parameter& entry : parameters) {
    if (entry.key != key) continue;
    if (const T* const value = std::get_if<T>(&entry.value)) return *value;
  }
  return {};
}

}  // namespace fsieve::report
