// A CSV text cut into blocks of whole rows.
#pragma once

#include <arrow/csv/options.h>
#include <arrow/util/delimiting.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/arrow/text_stream.h"

namespace fsieve::io {

struct CsvBlock {
  std::unique_ptr<char[]> bytes;
  std::size_t size = 0;
  std::uint64_t file_position = 0;  // where it ends in the file, about

  [[nodiscard]] std::string_view text() const { return {bytes.get(), size}; }
};

class CsvBlockCutter {
 public:
  // Starts at `offset` of the text.
  CsvBlockCutter(std::shared_ptr<const ByteFile> file, std::uint64_t offset,
                 std::size_t block_bytes, const arrow::csv::ParseOptions& parse);

  // False after the last block.
  bool next(CsvBlock& block);

 private:
  [[nodiscard]] std::size_t whole_rows(const char* text, std::size_t size);
  void check_quotes_close(const char* text, std::size_t size);

  std::shared_ptr<const ByteFile> file_;
  TextStream stream_;
  std::size_t block_bytes_;
  bool blank_lines_are_rows_;
  std::unique_ptr<arrow::Chunker> quote_aware_;
  std::string carry_;  // the beginning of a row that the last block did not complete
  bool ended_ = false;
};

}  // namespace fsieve::io
