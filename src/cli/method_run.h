// What the commands that run a method on a table have in common.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/option_values.h"
#include "app/run.h"
#include "cli/input_table.h"
#include "cli/output_files.h"
#include "cli/progress_bar.h"
#include "fsieve/error.h"
#include "fsieve/source.h"

namespace fsieve::cli {

// A command that runs a method on a table: reads the table, and writes what -o and --save ask for.
// Whatever is wrong with the outputs is found before the work.
class MethodRun {
 public:
  MethodRun(const OptionValues& values, const ReadOptions& data);
  // The same with other options for the table and the full result than -o and --save.
  MethodRun(const OptionValues& values, const ReadOptions& data,
            const std::optional<OutputFile>& table, const std::optional<OutputFile>& result);

  [[nodiscard]] const Source& source() const { return *source_; }
  [[nodiscard]] RunRecord& record() { return record_; }

  // Does work(). What it finds wrong is wrong with the file; errors of reading already say so.
  template <typename Work>
  auto on_file(const Work& work) {
    try {
      return work();
    } catch (const Error& error) {
      throw about_file(error, record_.table(), source());
    }
  }
  [[nodiscard]] AnyReport run(const Request& request);

  // The files (of the table the chosen columns and those that were set aside in input order, the
  // label last), and the warnings.
  void write(AnyReport& report);
  // A line on standard error, unless the report on the same terminal begins with it; then the
  // report or, where --json or --save - ask for it, the full result.
  void print(const AnyReport& report) const;

 private:
  // `wanted`: places in the file.
  void write_table_to(OutputFiles& outputs, std::set<std::size_t> wanted);

  const OptionValues& values_;
  std::optional<std::string> table_;
  std::optional<std::string> ranking_;
  std::optional<std::string> result_;  // none when it goes to standard output
  bool json_;
  ProgressBar progress_;
  RunRecord record_;
  std::unique_ptr<Source> source_;
};

// What an option names, if it was given.
[[nodiscard]] std::optional<OutputFile> output_file(const OptionValues& values,
                                                    std::string_view name, std::string_view option,
                                                    Holds holds);

}  // namespace fsieve::cli
