// The files a command writes: all of them, or none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::cli {

// Throws Error(usage) unless the extension is one that tables are written in. Called before the
// work, which may be long.
void check_table_name(const std::string& path);

// Throws Error unless the folder of the file is there and can be written to.
void check_folder(const std::string& path);

// Each file appears whole or not at all; those already there are removed again when a later one
// fails.
class OutputFiles {
 public:
  OutputFiles() = default;
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;
  ~OutputFiles();

  void table(const std::string& path, const Source& source, const std::vector<std::size_t>& columns,
             Progress& progress);
  void text(const std::string& path, std::string_view content);

  // All are written: they stay.
  void keep() { written_.clear(); }

 private:
  std::vector<std::string> written_;
};

}  // namespace fsieve::cli
