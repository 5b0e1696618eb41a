// What the commands that run a method on a table have in common.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fsieve/error.h"
#include "fsieve/result.h"
#include "fsieve/source.h"
#include "options/option_values.h"

namespace fsieve::cli {

// Throws Error when the files of -o and --save cannot be written. Called before the work.
void check_outputs(const std::optional<std::string>& table, const std::optional<std::string>& save);

// Runs a method. What it finds wrong is wrong with the file; errors of reading already say so.
template <typename Method>
auto run_on(const std::string& file, Method&& method) {
  try {
    return method();
  } catch (const Error& error) {
    const std::string name = file == "-" ? "standard input" : file;
    const std::string_view message = error.what();
    if (error.kind() != Error::Kind::data || message.starts_with(name + ":")) throw;
    throw Error(fmt::format("{}: {}", name, message));
  }
}

// Positions in a block of these features in input order, and of the label if there is one.
[[nodiscard]] std::vector<std::size_t> written_columns(std::vector<std::size_t> features,
                                                       const Schema& schema);

// "2 of 9 features kept", unless the report on the same terminal says so in its first line.
void summarise(const std::string& summary, const OptionValues& values);

// On standard output: JSON with --json, else the report.
void print_result(const SavedResult& result, const OptionValues& values);

}  // namespace fsieve::cli
