// Files that belong together: all of them appear, or none.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve {

inline namespace base {
class AtomicFile;
}

// table() and text() write beside the files they are to replace, under temporary names; commit()
// gives all of them their names. When anything fails, and when commit() is not called, every old
// file is as it was and nothing is left. What is not a plain file (a pipe, a device, "-" for
// standard output) is written to at once.
class OutputFiles {
 public:
  OutputFiles();
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;
  ~OutputFiles();

  // As write_table.
  void table(const std::string& path, const Source& source, const std::vector<std::size_t>& columns,
             Progress& progress);
  // As write_file_atomically.
  void text(const std::string& path, std::string_view content);

  void commit();

 private:
  void put_back(std::size_t count);

  std::vector<std::unique_ptr<AtomicFile>> files_;
};

}  // namespace fsieve
