// What the commands that run a method on a table have in common.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/option_values.h"
#include "cli/input_table.h"
#include "cli/messages.h"
#include "cli/output_files.h"
#include "cli/progress_bar.h"
#include "cli/stopwatch.h"
#include "fsieve/error.h"
#include "fsieve/result.h"
#include "fsieve/source.h"

namespace fsieve::cli {

// A command that runs a method on a table: reads the data options and the table, times the work,
// and writes what -o and --save ask for. Whatever is wrong with the options or the outputs is found
// before the work.
class MethodRun {
 public:
  explicit MethodRun(const OptionValues& values);
  // The same with other options for the table and the full result than -o and --save.
  MethodRun(const OptionValues& values, const std::optional<OutputFile>& table,
            const std::optional<OutputFile>& result);

  [[nodiscard]] const Source& source() const { return *input_.source; }
  [[nodiscard]] Progress& progress() { return progress_; }
  [[nodiscard]] const ReadOptions& data() const { return data_; }
  // Whether the full result goes to standard output, and no report: --json, or --save -.
  [[nodiscard]] bool prints_json() const { return json_; }

  // Runs method(source, progress). What it finds wrong is wrong with the file; errors of reading
  // already say so.
  template <typename Method>
  auto fit(const Method& method) {
    const Stopwatch fitting;
    try {
      auto found = method(source(), progress_);
      timing_.fit_s = fitting.seconds();
      return found;
    } catch (const Error& error) {
      throw about_file(error, file_, source());
    }
  }

  // Fills what all results have in common.
  template <typename Result>
  void complete(Result& result) {
    result.source = file_;
    result.warnings.insert(result.warnings.begin(), input_.warnings.begin(), input_.warnings.end());
    timing_.total_s = total_.seconds();
    if (!values_.given("no-timing")) result.timing = timing_;
  }

  // Completes the result, writes the files (the columns of `features` and those that were set aside
  // in input order, the label last), and says the warnings.
  template <typename Result>
  void finish(Result& result, const std::vector<std::size_t>& features) {
    OutputFiles outputs;
    write_table_to(outputs, features);
    complete(result);
    if (result_) outputs.text(*result_, to_json(result));
    if constexpr (std::is_same_v<Result, SelectResult>) write_ranking_to(outputs, result);
    commit(outputs);
    warning_lines(result.warnings);
  }

  // "2 of 9 features kept", unless the report on the same terminal says so in its first line.
  void summarise(const std::string& summary) const;

 private:
  void write_table_to(OutputFiles& outputs, const std::vector<std::size_t>& features);
  void write_ranking_to(OutputFiles& outputs, const SelectResult& result) const;

  Stopwatch total_;
  const OptionValues& values_;
  std::string file_;
  ReadOptions data_;
  std::optional<std::string> table_;
  std::optional<std::string> ranking_;
  std::optional<std::string> result_;  // none when it goes to standard output
  bool json_;
  ProgressBar progress_;
  InputTable input_;
  Timing timing_;
};

// What an option names, if it was given.
[[nodiscard]] std::optional<OutputFile> output_file(const OptionValues& values,
                                                    std::string_view name, std::string_view option,
                                                    Holds holds);

// On standard output: as JSON or as the report.
void print_result(const SavedResult& result, bool json);

}  // namespace fsieve::cli
