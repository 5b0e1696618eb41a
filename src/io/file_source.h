// A table that stays in its file: every pass reads it again.
#pragma once

#include <cstddef>
#include <memory>

#include "data/trusted_source.h"
#include "fsieve/source.h"
#include "io/byte_file.h"
#include "table/table_layout.h"

namespace fsieve::io {

class FileSource final : public TrustedSource {
 public:
  FileSource(std::shared_ptr<const ByteFile> bytes, std::shared_ptr<const CellReader> cells,
             std::unique_ptr<TableFile> file, TableLayout layout);

  [[nodiscard]] const Schema& schema() const override { return layout_.schema; }
  [[nodiscard]] std::size_t rows() const override { return layout_.rows; }
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override;

  // Under Missing::drop the scan does not know which rows go. One more pass counts those that
  // stay and takes the levels that none of them has out of the schema.
  void count_complete_rows();

 private:
  std::shared_ptr<const ByteFile> bytes_;
  std::shared_ptr<const CellReader> cells_;  // the decoders refer to it
  std::unique_ptr<TableFile> file_;
  TableLayout layout_;
};

}  // namespace fsieve::io
