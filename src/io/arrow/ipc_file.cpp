// Reading Feather (version 2) and other Arrow IPC files, with an index (file) or without (stream).
#include <arrow/ipc/options.h>
#include <arrow/ipc/reader.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <string_view>
#include <utility>

#include "fsieve/error.h"
#include "io/arrow/array_cells.h"
#include "io/arrow/arrow_bytes.h"
#include "io/formats.h"

namespace fsieve::io {
namespace {

constexpr const char* not_ipc = "not a Feather or Arrow file, or a damaged or truncated one";

class IpcFile final : public TableFile {
 public:
  explicit IpcFile(std::shared_ptr<const ByteFile> file)
      : file_(std::move(file)), indexed_(file_->read_start(6) == "ARROW1") {
    if (file_->read_start(4) == "FEA1") {
      throw Error(file_->name() + ": Feather version 1 is not supported, version 2 is");
    }
    const arrow::ipc::IpcReadOptions options;
    const auto schema = indexed_ ? open_indexed(options)->schema() : open_stream(options)->schema();
    columns_ = file_columns(*schema);
  }

  [[nodiscard]] const std::vector<FileColumn>& columns() const override { return columns_; }

  [[nodiscard]] std::unique_ptr<ChunkReader> read(const ReadRequest& request) const override {
    auto options = arrow::ipc::IpcReadOptions::Defaults();
    options.included_fields = sorted_columns(request);
    options.use_threads = may_use_threads();
    BatchSource source;
    auto bytes = std::make_shared<ArrowFile>(file_);
    if (indexed_) {
      const auto reader = open_indexed(options);
      auto next = std::make_shared<int>(0);
      source.part_done = [reader, next] {
        return reader->num_record_batches() == 0
                   ? 1.0
                   : static_cast<double>(*next) / reader->num_record_batches();
      };
      source.next = [reader, next, file = file_]() -> std::shared_ptr<arrow::RecordBatch> {
        if (*next == reader->num_record_batches()) return nullptr;
        return require(reader->ReadRecordBatch((*next)++), file->name(), not_ipc);
      };
    } else {
      const auto reader = require(arrow::ipc::RecordBatchStreamReader::Open(bytes, options),
                                  file_->name(), not_ipc);
      source.part_done = [bytes, file = file_] {
        return static_cast<double>(bytes->position()) / static_cast<double>(file->size());
      };
      source.next = [reader, file = file_] {
        std::shared_ptr<arrow::RecordBatch> batch;
        require(reader->ReadNext(&batch), file->name(), not_ipc);
        return batch;
      };
    }
    return read_batches(file_, std::move(source), request);
  }

 private:
  [[nodiscard]] std::shared_ptr<arrow::ipc::RecordBatchFileReader> open_indexed(
      const arrow::ipc::IpcReadOptions& options) const {
    return require(
        arrow::ipc::RecordBatchFileReader::Open(std::make_shared<ArrowFile>(file_), options),
        file_->name(), not_ipc);
  }

  [[nodiscard]] std::shared_ptr<arrow::ipc::RecordBatchStreamReader> open_stream(
      const arrow::ipc::IpcReadOptions& options) const {
    return require(
        arrow::ipc::RecordBatchStreamReader::Open(std::make_shared<ArrowFile>(file_), options),
        file_->name(), not_ipc);
  }

  std::shared_ptr<const ByteFile> file_;
  bool indexed_;
  std::vector<FileColumn> columns_;
};

}  // namespace

std::unique_ptr<TableFile> open_ipc(std::shared_ptr<const ByteFile> file) {
  return std::make_unique<IpcFile>(std::move(file));
}

}  // namespace fsieve::io
