// Reading NumPy arrays: one column per array column, named x1, x2, …
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fsieve/error.h"
#include "io/formats.h"
#include "io/npy_format.h"
#include "table/number_convert.h"
#include "table/value_cells.h"
#include "table/whole_number.h"

namespace fsieve::io {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{4} << 20U;

class NpyReader final : public ChunkReader {
 public:
  NpyReader(std::shared_ptr<const ByteFile> file, const NpyHeader& header, ReadRequest request)
      : file_(std::move(file)),
        header_(header),
        request_(std::move(request)),
        convert_(number_converter(header.kind, header.item_size)),
        is_whole_(header.kind == 'i' || header.kind == 'u'),
        row_(std::min(request_.first_row - 1, header.rows)),
        end_(std::min(request_.last_row, header.rows)) {
    const std::size_t row_bytes = header_.columns * header_.item_size;
    step_ = std::max<std::size_t>(1, kChunkBytes / row_bytes);
  }

  bool next(Chunk& chunk) override {
    if (row_ >= end_) return false;
    chunk.first_row = row_ + 1;
    chunk.rows = std::min<std::uint64_t>(step_, end_ - row_);
    chunk.columns.resize(request_.columns.size());
    for (Cells& cells : chunk.columns) cells.numbers.resize(chunk.rows);
    chunk.originals.clear();
    if (header_.fortran_order) {
      read_columns(chunk);
    } else {
      read_rows(chunk);
    }
    for (Cells& cells : chunk.columns) {
      cells.beyond_exact =
          is_whole_ && std::any_of(cells.numbers.begin(), cells.numbers.end(), is_beyond_exact);
    }
    row_ += chunk.rows;
    return true;
  }

  [[nodiscard]] std::uint64_t rows_met() const override { return end_; }
  [[nodiscard]] std::uint64_t rows_in_file() const override { return header_.rows; }
  [[nodiscard]] std::uint64_t bytes_done() const override {
    return header_.data_offset + row_ * header_.columns * header_.item_size;
  }

 private:
  void read(std::uint64_t first_item, std::size_t items) {
    buffer_.resize(items * header_.item_size);
    const std::uint64_t offset = header_.data_offset + first_item * header_.item_size;
    if (file_->read_at(offset, buffer_.data(), buffer_.size()) != buffer_.size()) {
      fail_changed(file_->name());
    }
  }

  void read_rows(Chunk& chunk) {
    // Few rows at a time, so that they stay in the cache while all columns are picked out.
    constexpr std::size_t tile = 32;
    read(row_ * header_.columns, chunk.rows * header_.columns);
    const std::size_t row_bytes = header_.columns * header_.item_size;
    for (std::size_t first = 0; first < chunk.rows; first += tile) {
      const std::size_t count = std::min(tile, chunk.rows - first);
      for (std::size_t j = 0; j < request_.columns.size(); ++j) {
        const char* from =
            buffer_.data() + first * row_bytes + request_.columns[j] * header_.item_size;
        convert_(from, static_cast<std::ptrdiff_t>(row_bytes), header_.swapped,
                 chunk.columns[j].numbers.data() + first, count);
      }
    }
    for (const OriginalRequest& wanted : request_.originals) {
      const char* const first = buffer_.data() + wanted.column * header_.item_size;
      chunk.originals.push_back(original(first, row_bytes, chunk.rows));
    }
  }

  void read_columns(Chunk& chunk) {
    for (std::size_t j = 0; j < request_.columns.size(); ++j) {
      read(request_.columns[j] * header_.rows + row_, chunk.rows);
      convert_(buffer_.data(), static_cast<std::ptrdiff_t>(header_.item_size), header_.swapped,
               chunk.columns[j].numbers.data(), chunk.rows);
    }
    for (const OriginalRequest& wanted : request_.originals) {
      read(wanted.column * header_.rows + row_, chunk.rows);
      chunk.originals.push_back(original(buffer_.data(), header_.item_size, chunk.rows));
    }
  }

  // Numbers that lie `step` bytes apart.
  [[nodiscard]] std::shared_ptr<const OriginalColumn> original(const char* from, std::size_t step,
                                                               std::size_t count) const {
    const std::size_t size = header_.item_size;
    std::vector<char> bytes(count * size);
    for (std::size_t i = 0; i < count; ++i) {
      char* const to = bytes.data() + i * size;
      std::copy_n(from + i * step, size, to);
      if (header_.swapped) std::reverse(to, to + size);
    }
    return std::make_shared<NumberCells>(NumberType{header_.kind, size}, std::move(bytes));
  }

  std::shared_ptr<const ByteFile> file_;
  NpyHeader header_;
  ReadRequest request_;
  NumberConverter convert_;
  bool is_whole_;
  std::uint64_t row_;
  std::uint64_t end_;
  std::size_t step_ = 1;
  std::vector<char> buffer_;
};

class NpyFile final : public TableFile {
 public:
  explicit NpyFile(std::shared_ptr<const ByteFile> file)
      : file_(std::move(file)), header_(read_npy_header(*file_)) {
    for (std::uint64_t j = 1; j <= header_.columns; ++j)
      columns_.push_back({fmt::format("x{}", j), ""});
  }

  [[nodiscard]] const std::vector<FileColumn>& columns() const override { return columns_; }
  [[nodiscard]] std::unique_ptr<ChunkReader> read(const ReadRequest& request) const override {
    return std::make_unique<NpyReader>(file_, header_, request);
  }

 private:
  std::shared_ptr<const ByteFile> file_;
  NpyHeader header_;
  std::vector<FileColumn> columns_;
};

}  // namespace

std::unique_ptr<TableFile> open_npy(std::shared_ptr<const ByteFile> file) {
  return std::make_unique<NpyFile>(std::move(file));
}

}  // namespace fsieve::io
