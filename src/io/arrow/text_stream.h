// The text of a file, decompressed if need be, from the beginning to the end.
#pragma once

#include <arrow/io/compressed.h>
#include <arrow/util/compression.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "io/arrow/arrow_bytes.h"
#include "io/byte_file.h"

namespace fsieve::io {

class TextStream {
 public:
  explicit TextStream(std::shared_ptr<const ByteFile> file);

  // Fewer than `count` bytes only at the end of the text.
  std::size_t read(char* out, std::size_t count);
  void skip(std::uint64_t count);

  // Bytes of the file (not of the text) read so far, less the last `unused` bytes of the text. Only
  // about right where the file is compressed.
  [[nodiscard]] std::uint64_t file_position(std::size_t unused) const;

 private:
  std::shared_ptr<const ByteFile> file_;
  std::uint64_t position_ = 0;  // plain text only
  std::shared_ptr<ArrowFile> raw_;
  std::unique_ptr<arrow::util::Codec> codec_;
  std::shared_ptr<arrow::io::CompressedInputStream> compressed_;
};

}  // namespace fsieve::io
