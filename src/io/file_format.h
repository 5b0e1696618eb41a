// Which format a file has.
#pragma once

#include <string>
#include <string_view>

#include "io/byte_file.h"

namespace fsieve::io {

enum class FileFormat { text, npy, parquet, ipc };

// By the first bytes where a format has a mark there, else by the extension, else text.
[[nodiscard]] FileFormat detect_format(const ByteFile& file);

enum class Compression { none, gzip, zstd };
[[nodiscard]] Compression detect_compression(std::string_view start);

// In small letters, without the dot; ".gz" and ".zst" are cut off first.
[[nodiscard]] std::string data_extension(std::string_view path);

}  // namespace fsieve::io
