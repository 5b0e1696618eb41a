#include "io/arrow/csv_blocks.h"

#include <arrow/buffer.h>
#include <arrow/csv/chunker.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "fsieve/error.h"
#include "table/table_limits.h"

namespace fsieve::io {
namespace {

// The text up to the end of its last line that is not blank.
std::size_t without_blank_end(std::string_view text) {
  const std::size_t last = text.find_last_not_of("\r\n");
  if (last == std::string_view::npos) return 0;
  const std::string_view ends = text.substr(last + 1);
  return last + 1 + (ends.starts_with("\r\n") ? 2 : ends.empty() ? 0 : 1);
}

}  // namespace

CsvBlockCutter::CsvBlockCutter(std::shared_ptr<const ByteFile> file, std::uint64_t offset,
                               std::size_t block_bytes, const arrow::csv::ParseOptions& parse)
    : file_(std::move(file)),
      stream_(file_),
      block_bytes_(block_bytes),
      blank_lines_are_rows_(!parse.ignore_empty_lines),
      quote_aware_(arrow::csv::MakeChunker(parse)) {
  stream_.skip(offset);
}

bool CsvBlockCutter::next(CsvBlock& block) {
  if (ended_) return false;
  std::size_t wanted = block_bytes_;
  for (;;) {
    // Not a std::string: its bytes would be set to zero first.
    auto bytes = std::make_unique_for_overwrite<char[]>(carry_.size() + wanted);
    std::memcpy(bytes.get(), carry_.data(), carry_.size());
    const std::size_t got = stream_.read(bytes.get() + carry_.size(), wanted);
    const std::size_t size = carry_.size() + got;
    ended_ = got < wanted;
    std::size_t whole = size;
    if (ended_) {
      check_quotes_close(bytes.get(), size);
    } else {
      whole = whole_rows(bytes.get(), size);
    }
    // Blank lines at the end of the file are no rows, and this may be its end.
    if (blank_lines_are_rows_) whole = without_blank_end({bytes.get(), whole});
    carry_.assign(bytes.get() + whole, size - whole);
    if (whole > 0) {
      block.bytes = std::move(bytes);
      block.size = whole;
      block.file_position = stream_.file_position(carry_.size());
      return true;
    }
    if (ended_) return false;
    if (carry_.size() >= kLongestRow) {
      throw Error(fmt::format("{}: a row is longer than {} MiB (a quote that is never closed?)",
                              file_->name(), kLongestRow >> 20U));
    }
    wanted = std::max(wanted, carry_.size());
  }
}

// Bytes up to the last line end that is not inside quotes.
std::size_t CsvBlockCutter::whole_rows(const char* text, std::size_t size) {
  const std::string_view view(text, size);
  if (std::memchr(text, '"', size) == nullptr) {
    std::size_t end = view.rfind('\n');
    if (end == std::string_view::npos) end = view.rfind('\r');
    return end == std::string_view::npos ? 0 : end + 1;
  }
  const auto buffer = std::make_shared<arrow::Buffer>(reinterpret_cast<const std::uint8_t*>(text),
                                                      static_cast<std::int64_t>(size));
  std::shared_ptr<arrow::Buffer> whole;
  std::shared_ptr<arrow::Buffer> partial;
  require(quote_aware_->Process(buffer, &whole, &partial), file_->name(), "the text is damaged");
  return static_cast<std::size_t>(whole->size());
}

// A quote that stays open to the end would silently swallow all rows after it.
void CsvBlockCutter::check_quotes_close(const char* text, std::size_t size) {
  if (size == 0 || std::memchr(text, '"', size) == nullptr) return;
  std::string ended(text, size);
  ended += '\n';
  if (whole_rows(ended.data(), ended.size()) == ended.size()) return;
  throw Error(
      fmt::format("{}: a quoted field is not closed before the end of the file", file_->name()));
}

}  // namespace fsieve::io
