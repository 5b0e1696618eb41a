// The files that a table is read from: one, or those of a data set (a folder, or a pattern).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/byte_file.h"

namespace fsieve::io {

class InputFiles {
 public:
  // `path` is a file, "-" for standard input, a folder of tables (as Spark, Dask and DuckDB write
  // them) or, where no file has this very name, a pattern (*, ?, [abc]). Files of a data set come
  // in the order of their names; those without a byte, and in a folder those whose names begin with
  // "." or "_", are left out.
  static InputFiles open(const std::string& path);

  // As messages call all of them.
  [[nodiscard]] const std::string& name() const { return name_; }
  // At least one.
  [[nodiscard]] const std::vector<std::shared_ptr<const ByteFile>>& parts() const { return parts_; }
  [[nodiscard]] std::uint64_t size() const;

  // Throws when one of them was written to since it was opened.
  void check_unchanged() const;

 private:
  std::string name_;
  std::vector<std::shared_ptr<const ByteFile>> parts_;
};

}  // namespace fsieve::io
