// What Python asks of the library: a command, its options as they would be typed, a table.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/option_values.h"
#include "app/run.h"
#include "fsieve/io.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "table.h"

namespace fsieve::python {

inline constexpr const char* kTableName = "X";  // as messages call the table

struct Call {
  std::string command;                         // "reduce", "select"
  std::map<std::string, std::string> options;  // by long name; a flag has an empty text
  std::vector<double> weights;                 // one per row; empty: all 1
};

[[nodiscard]] OptionValues values_of(const Call& call);

// A table as a source, its rows weighted where there are weights.
class OpenedTable {
 public:
  OpenedTable(const Table& table, const Call& call, const ReadOptions& options, Progress& progress);

  [[nodiscard]] const Source& source() const { return weighted_ ? *weighted_ : *source_; }
  // What was decided about its columns.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
  [[nodiscard]] const io::MissingCells& missing() const { return missing_; }

 private:
  std::unique_ptr<Source> source_;
  std::unique_ptr<Source> weighted_;
  std::vector<std::string> warnings_;
  io::MissingCells missing_;
};

// The same for a run, which takes note of time and warnings.
[[nodiscard]] std::unique_ptr<OpenedTable> opened_table(const Table& table, const Call& call,
                                                        const ReadOptions& options,
                                                        RunRecord& record);

}  // namespace fsieve::python
