// Record batches of any size as chunks of moderate size.
#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <algorithm>
#include <utility>

#include "io/arrow/array_cells.h"
#include "io/arrow/arrow_bytes.h"
#include "io/arrow/arrow_cells.h"

namespace fsieve::io {
namespace {

constexpr std::int64_t kChunkValues = std::int64_t{1} << 19U;

class BatchChunkReader final : public ChunkReader {
 public:
  BatchChunkReader(std::shared_ptr<const ByteFile> file, BatchSource source, ReadRequest request)
      : file_(std::move(file)),
        source_(std::move(source)),
        request_(std::move(request)),
        rows_met_(source_.rows_before) {
    const std::vector<int> sorted = sorted_columns(request_);
    const auto position_of = [&](std::size_t column) {
      const auto found = std::lower_bound(sorted.begin(), sorted.end(), static_cast<int>(column));
      return static_cast<int>(found - sorted.begin());
    };
    for (const std::size_t column : request_.columns) positions_.push_back(position_of(column));
    for (const OriginalRequest& wanted : request_.originals) {
      originals_.push_back(position_of(wanted.column));
    }
    batch_columns_ = static_cast<int>(sorted.size());
    step_ = std::max<std::int64_t>(256, kChunkValues / static_cast<std::int64_t>(sorted.size()));
  }

  bool next(Chunk& chunk) override {
    for (;;) {
      if (rows_met_ >= request_.last_row) return false;
      if (!batch_ || used_ == batch_->num_rows()) {
        batch_ = source_.next();
        used_ = 0;
        if (!batch_) return false;
        check_batch();
        continue;
      }
      std::int64_t count = batch_->num_rows() - used_;
      if (rows_met_ + 1 < request_.first_row) {
        count = std::min<std::uint64_t>(count, request_.first_row - 1 - rows_met_);
        used_ += count;
        rows_met_ += static_cast<std::uint64_t>(count);
        continue;
      }
      count = std::min<std::int64_t>(count, step_);
      count = std::min<std::uint64_t>(count, request_.last_row - rows_met_);
      deliver(chunk, count);
      return true;
    }
  }

  [[nodiscard]] std::uint64_t rows_met() const override { return rows_met_; }
  [[nodiscard]] std::uint64_t rows_in_file() const override { return source_.rows_in_file; }
  [[nodiscard]] std::uint64_t bytes_done() const override {
    return static_cast<std::uint64_t>(source_.part_done() * static_cast<double>(file_->size()));
  }

 private:
  // A damaged file may hold positions that lead out of the array.
  void check_batch() const {
    if (batch_->num_columns() != batch_columns_) fail_changed(file_->name());
    for (const auto& column : batch_->columns()) {
      const bool plain = arrow::is_primitive(column->type_id());
      require(plain ? column->Validate() : column->ValidateFull(), file_->name(),
              "the data in the file is damaged");
    }
  }

  void deliver(Chunk& chunk, std::int64_t count) {
    chunk.first_row = rows_met_ + 1;
    chunk.rows = static_cast<std::size_t>(count);
    chunk.columns.resize(positions_.size());
    for (std::size_t j = 0; j < positions_.size(); ++j) {
      array_to_cells(*batch_->column(positions_[j])->Slice(used_, count), chunk.columns[j]);
    }
    chunk.originals.clear();
    for (const int position : originals_) {
      chunk.originals.push_back(std::make_shared<ArrowCells>(
          batch_->schema()->field(position), batch_->column(position)->Slice(used_, count)));
    }
    used_ += count;
    rows_met_ += static_cast<std::uint64_t>(count);
  }

  std::shared_ptr<const ByteFile> file_;
  BatchSource source_;
  ReadRequest request_;
  std::vector<int> positions_;  // of the request's columns in a batch
  std::vector<int> originals_;
  int batch_columns_ = 0;
  std::int64_t step_ = 1;
  std::shared_ptr<arrow::RecordBatch> batch_;
  std::int64_t used_ = 0;
  std::uint64_t rows_met_ = 0;
};

}  // namespace

std::unique_ptr<ChunkReader> read_batches(std::shared_ptr<const ByteFile> file, BatchSource source,
                                          ReadRequest request) {
  return std::make_unique<BatchChunkReader>(std::move(file), std::move(source), std::move(request));
}

std::vector<int> sorted_columns(const ReadRequest& request) {
  std::vector<int> sorted(request.columns.begin(), request.columns.end());
  for (const OriginalRequest& wanted : request.originals) {
    sorted.push_back(static_cast<int>(wanted.column));
  }
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

}  // namespace fsieve::io
