// Writing Parquet and Feather. Text levels are written as text.
#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/io/interfaces.h>
#include <arrow/ipc/writer.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/util/compression.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>
#include <new>
#include <utility>

#include "io/arrow/arrow_bytes.h"
#include "io/arrow/throwing_pool.h"
#include "io/table_writer.h"

namespace fsieve::io {
namespace {

constexpr const char* kFailed = "the file cannot be written";

// Our sink as Arrow sees it. An exception must not cross Arrow's code, so it waits here.
class ArrowSink final : public arrow::io::OutputStream {
 public:
  explicit ArrowSink(ByteSink& sink) : sink_(sink) {}

  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  [[nodiscard]] bool closed() const override { return closed_; }
  [[nodiscard]] arrow::Result<std::int64_t> Tell() const override { return position_; }
  arrow::Status Write(const void* data, std::int64_t count) override {
    try {
      sink_.write({static_cast<const char*>(data), static_cast<std::size_t>(count)});
    } catch (...) {
      failure_ = std::current_exception();
      return arrow::Status::IOError("sink failed");
    }
    position_ += count;
    return arrow::Status::OK();
  }
  using arrow::io::OutputStream::Write;

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  ByteSink& sink_;
  std::int64_t position_ = 0;
  bool closed_ = false;
  std::exception_ptr failure_;
};

arrow::Result<std::shared_ptr<arrow::Array>> column_array(const Column& column,
                                                          std::span<const double> values) {
  if (column.kind == ColumnKind::numeric) {
    arrow::DoubleBuilder builder;
    std::vector<std::uint8_t> valid(values.size());
    std::transform(values.begin(), values.end(), valid.begin(),
                   [](double value) { return std::isnan(value) ? 0 : 1; });
    ARROW_RETURN_NOT_OK(builder.AppendValues(
        values.data(), static_cast<std::int64_t>(values.size()), valid.data()));
    return builder.Finish();
  }
  arrow::StringBuilder builder;
  for (const double value : values) {
    if (std::isnan(value)) {
      ARROW_RETURN_NOT_OK(builder.AppendNull());
      continue;
    }
    ARROW_RETURN_NOT_OK(builder.Append(column.levels.at(static_cast<std::size_t>(value))));
  }
  return builder.Finish();
}

std::shared_ptr<arrow::Schema> arrow_schema(const WriterColumns& columns) {
  arrow::FieldVector fields;
  for (const Column& column : columns.columns) {
    const auto type = column.kind == ColumnKind::numeric ? arrow::float64() : arrow::utf8();
    fields.push_back(arrow::field(column.name, type));
  }
  return arrow::schema(fields);
}

// What Parquet and Feather have in common: blocks become record batches.
class BatchWriter : public TableWriter {
 public:
  BatchWriter(ByteSink& sink, std::string path, WriterColumns columns)
      : path_(std::move(path)),
        columns_(std::move(columns)),
        schema_(arrow_schema(columns_)),
        sink_(std::make_shared<ArrowSink>(sink)) {}

  void write(const Block& block) override {
    arrow::ArrayVector arrays;
    for (std::size_t j = 0; j < columns_.columns.size(); ++j) {
      arrays.push_back(require(
          column_array(columns_.columns[j], block.column(columns_.positions[j])), path_, kFailed));
    }
    check(write_batch(*arrow::RecordBatch::Make(schema_, static_cast<std::int64_t>(block.rows),
                                                std::move(arrays))));
  }

  void finish() override { check(close()); }

 protected:
  virtual arrow::Status write_batch(const arrow::RecordBatch& batch) = 0;
  virtual arrow::Status close() = 0;

  void check(const arrow::Status& status) const {
    sink_->rethrow();
    require(status, path_, kFailed);
  }

  std::string path_;
  WriterColumns columns_;
  std::shared_ptr<arrow::Schema> schema_;
  std::shared_ptr<ArrowSink> sink_;
};

class ParquetWriter final : public BatchWriter {
 public:
  ParquetWriter(ByteSink& sink, const std::string& path, WriterColumns columns)
      : BatchWriter(sink, path, std::move(columns)) {
    parquet::WriterProperties::Builder properties;
    properties.memory_pool(throwing_pool());
    if (arrow::util::Codec::IsAvailable(arrow::Compression::ZSTD)) {
      properties.compression(parquet::Compression::ZSTD);
    }
    // A row group is held in memory until it is full.
    constexpr std::int64_t values = std::int64_t{1} << 22U;
    const auto width = static_cast<std::int64_t>(columns_.columns.size());
    properties.max_row_group_length(
        std::max<std::int64_t>(4096, values / std::max<std::int64_t>(1, width)));
    auto opened =
        parquet::arrow::FileWriter::Open(*schema_, throwing_pool(), sink_, properties.build());
    check(opened.status());
    writer_ = std::move(opened).ValueUnsafe();
  }

 private:
  arrow::Status write_batch(const arrow::RecordBatch& batch) override {
    return watched([&] { return writer_->WriteRecordBatch(batch); });
  }
  arrow::Status close() override {
    return watched([&] { return writer_->Close(); });
  }

  // A writer that ran out of memory is never destroyed: its destructor would go on writing the
  // file, from where it stopped, and crash.
  template <typename Work>
  arrow::Status watched(const Work& work) {
    try {
      arrow::Status status = work();
      if (status.IsOutOfMemory()) (void)writer_.release();
      return status;
    } catch (const std::bad_alloc&) {
      (void)writer_.release();
      throw;
    }
  }

  std::unique_ptr<parquet::arrow::FileWriter> writer_;
};

class IpcWriter final : public BatchWriter {
 public:
  IpcWriter(ByteSink& sink, const std::string& path, WriterColumns columns)
      : BatchWriter(sink, path, std::move(columns)) {
    auto opened = arrow::ipc::MakeFileWriter(sink_, schema_);
    check(opened.status());
    writer_ = std::move(opened).ValueUnsafe();
  }

 private:
  arrow::Status write_batch(const arrow::RecordBatch& batch) override {
    return writer_->WriteRecordBatch(batch);
  }
  arrow::Status close() override { return writer_->Close(); }

  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
};

}  // namespace

std::unique_ptr<TableWriter> make_parquet_writer(ByteSink& sink, const std::string& path,
                                                 WriterColumns columns) {
  return std::make_unique<ParquetWriter>(sink, path, std::move(columns));
}

std::unique_ptr<TableWriter> make_ipc_writer(ByteSink& sink, const std::string& path,
                                             WriterColumns columns) {
  return std::make_unique<IpcWriter>(sink, path, std::move(columns));
}

}  // namespace fsieve::io
