#include "io/file_format.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "fsieve/error.h"

namespace fsieve::io {
namespace {

using namespace std::string_view_literals;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  }
  return out;
}

bool is_parquet_extension(std::string_view e) { return e == "parquet" || e == "pq"; }
bool is_ipc_extension(std::string_view e) {
  return e == "feather" || e == "arrow" || e == "arrows" || e == "ipc";
}

bool ends_with_mark(const ByteFile& file, std::string_view mark) {
  std::array<char, 16> end{};
  if (file.size() < mark.size()) return false;
  file.read_at(file.size() - mark.size(), end.data(), mark.size());
  return std::string_view(end.data(), mark.size()) == mark;
}

}  // namespace

Compression detect_compression(std::string_view start) {
  if (start.starts_with("\x1f\x8b"sv)) return Compression::gzip;
  if (start.starts_with("\x28\xb5\x2f\xfd"sv)) return Compression::zstd;
  return Compression::none;
}

std::string data_extension(std::string_view path) {
  std::string name = lower(path);
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  if (name.ends_with(".zst")) name.resize(name.size() - 4);
  const std::size_t slash = name.rfind('/');
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return "";
  return name.substr(dot + 1);
}

FileFormat detect_format(const ByteFile& file) {
  if (file.size() == 0) throw Error(fmt::format("{}: the file is empty", file.name()));
  const std::string start = file.read_start(8);
  const std::string extension = data_extension(file.name());
  const bool text_extension = extension == "csv" || extension == "tsv" || extension == "txt";
  if (detect_compression(start) != Compression::none) {
    if (extension == "npy" || is_parquet_extension(extension) || is_ipc_extension(extension)) {
      throw Error(fmt::format("{}: only CSV and TSV may be compressed as a whole", file.name()));
    }
    return FileFormat::text;
  }
  if (start.starts_with("\x93NUMPY"sv)) return FileFormat::npy;
  if (start.starts_with("ARROW1\0\0"sv)) return FileFormat::ipc;
  // A text may begin with these letters too.
  if (start.starts_with("PAR1"sv) && (!text_extension || ends_with_mark(file, "PAR1"))) {
    return FileFormat::parquet;
  }
  if (start.starts_with("\xff\xff\xff\xff"sv) && !text_extension) return FileFormat::ipc;
  if (extension == "npy") return FileFormat::npy;
  if (is_parquet_extension(extension)) return FileFormat::parquet;
  if (is_ipc_extension(extension)) return FileFormat::ipc;
  return FileFormat::text;
}

}  // namespace fsieve::io
