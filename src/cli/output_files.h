// The files a command writes: where they may go, and that all of them appear or none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fsieve/output_files.h"

namespace fsieve::cli {

enum class Holds { table, json, page, ranking };

struct InputFile {
  std::string path;
  Holds holds = Holds::table;
};

struct OutputFile {
  std::string_view option;  // as messages call it
  std::string path;
  Holds holds = Holds::table;
};

// Throws Error unless every output can be written, is a file of its own, and takes no input away: a
// table may replace the table it is made from, nothing else may replace an input. Called before the
// work, which may be long.
void check_outputs(const std::vector<OutputFile>& outputs, const std::vector<InputFile>& inputs);

// Throws Error unless the file can be written and its folder is there. Part of check_outputs.
void check_folder(const std::string& path);

// Whether a table in this file has columns of numbers only.
[[nodiscard]] bool holds_numbers_only(const std::string& path);

// Whether writing to the file would be writing to standard output: "-", and names like /dev/stdout.
[[nodiscard]] bool is_standard_output(const std::string& path);

// The last moment for an interrupt, then all files get their names.
void commit(OutputFiles& outputs);

}  // namespace fsieve::cli
