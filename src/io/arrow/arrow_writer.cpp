// Writing Parquet and Feather.
#include <arrow/array.h>
#include <arrow/io/interfaces.h>
#include <arrow/ipc/writer.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/util/compression.h>
#include <fmt/format.h>
#include <parquet/arrow/writer.h>
#include <parquet/exception.h>
#include <parquet/properties.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <new>
#include <utility>

#include "base/shown_text.h"
#include "fsieve/error.h"
#include "io/arrow/arrow_bytes.h"
#include "io/arrow/arrow_column.h"
#include "io/arrow/growing_dictionaries.h"
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

// What Parquet and Feather have in common: rows become record batches.
class BatchWriter : public TableWriter {
 public:
  BatchWriter(ByteSink& sink, std::string path, WriterColumns columns)
      : path_(std::move(path)),
        columns_(std::move(columns)),
        sink_(std::make_shared<ArrowSink>(sink)) {}

  void write(const WrittenRows& rows) override {
    arrow::FieldVector fields;
    arrow::ArrayVector arrays;
    for (std::size_t j = 0; j < rows.columns.size(); ++j) {
      const ArrowColumn column = arrow_column(rows.columns[j], rows.rows, columns_.names[j], path_);
      fields.push_back(column.field);
      arrays.push_back(column.array);
    }
    if (!schema_) schema_ = arrow::schema(std::move(fields));
    const auto batch =
        arrow::RecordBatch::Make(schema_, static_cast<std::int64_t>(rows.rows), std::move(arrays));
    if (!begun_) {
      begun_ = true;
      check(begin(sink_, schema_), batch);
    }
    check(write_batch(batch), batch);
  }

  void finish() override {
    const arrow::Status status = close();
    sink_->rethrow();
    require(status, path_, kFailed);
  }

 protected:
  virtual arrow::Status begin(const std::shared_ptr<arrow::io::OutputStream>& sink,
                              const std::shared_ptr<arrow::Schema>& schema) = 0;
  virtual arrow::Status write_batch(const std::shared_ptr<arrow::RecordBatch>& batch) = 0;
  virtual arrow::Status close() = 0;
  // Another writer of the same sort, and what the format is called.
  [[nodiscard]] virtual std::unique_ptr<BatchWriter> again(ByteSink& sink) const = 0;
  [[nodiscard]] virtual std::string_view format() const = 0;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::size_t width() const { return columns_.names.size(); }

 private:
  void check(const arrow::Status& status, const std::shared_ptr<arrow::RecordBatch>& batch) const {
    sink_->rethrow();
    if (status.ok()) return;
    for (int j = 0; j < batch->num_columns() && !status.IsOutOfMemory(); ++j) {
      if (can_hold(batch, j)) continue;
      const auto& field = batch->schema()->field(j);
      throw Error(fmt::format(
          "{}: column \"{}\" has type {}, which {} cannot hold (leave it out, or write .csv)",
          path_, shown(field->name()), field->type()->ToString(), format()));
    }
    require(status, path_, kFailed);
  }

  // Whether column `j` alone can be written.
  [[nodiscard]] bool can_hold(const std::shared_ptr<arrow::RecordBatch>& batch, int j) const {
    class Nowhere final : public ByteSink {
     public:
      void write(std::string_view /*bytes*/) override {}
    } nowhere;
    const auto schema = arrow::schema({batch->schema()->field(j)});
    const auto alone = arrow::RecordBatch::Make(schema, batch->num_rows(), {batch->column(j)});
    const auto writer = again(nowhere);
    return writer->begin(writer->sink_, schema).ok() && writer->write_batch(alone).ok() &&
           writer->close().ok();
  }

  std::string path_;
  WriterColumns columns_;
  std::shared_ptr<arrow::Schema> schema_;
  std::shared_ptr<ArrowSink> sink_;
  bool begun_ = false;
};

class ParquetWriter final : public BatchWriter {
 public:
  using BatchWriter::BatchWriter;

 private:
  arrow::Status begin(const std::shared_ptr<arrow::io::OutputStream>& sink,
                      const std::shared_ptr<arrow::Schema>& schema) override {
    parquet::WriterProperties::Builder properties;
    properties.memory_pool(throwing_pool());
    if (arrow::util::Codec::IsAvailable(arrow::Compression::ZSTD)) {
      properties.compression(parquet::Compression::ZSTD);
    }
    // A row group is held in memory until it is full.
    constexpr std::int64_t values = std::int64_t{1} << 22U;
    const auto columns = static_cast<std::int64_t>(width());
    properties.max_row_group_length(
        std::max<std::int64_t>(4096, values / std::max<std::int64_t>(1, columns)));
    // With the types as Arrow knows them, which are more than Parquet's own.
    const auto arrow_properties = parquet::ArrowWriterProperties::Builder().store_schema()->build();
    ARROW_ASSIGN_OR_RAISE(writer_,
                          parquet::arrow::FileWriter::Open(*schema, throwing_pool(), sink,
                                                           properties.build(), arrow_properties));
    return arrow::Status::OK();
  }
  arrow::Status write_batch(const std::shared_ptr<arrow::RecordBatch>& batch) override {
    return watched([&] { return writer_->WriteRecordBatch(*batch); });
  }
  arrow::Status close() override {
    return watched([&] { return writer_->Close(); });
  }
  [[nodiscard]] std::unique_ptr<BatchWriter> again(ByteSink& sink) const override {
    return std::make_unique<ParquetWriter>(sink, path(), WriterColumns{});
  }
  [[nodiscard]] std::string_view format() const override { return "Parquet"; }

  // A writer that ran out of memory is never destroyed: its destructor would go on writing the
  // file, from where it stopped, and crash.
  template <typename Work>
  arrow::Status watched(const Work& work) {
    try {
      arrow::Status status = work();
      if (status.IsOutOfMemory()) (void)writer_.release();
      return status;
    } catch (const parquet::ParquetException& error) {
      return arrow::Status::IOError(error.what());
    } catch (const std::bad_alloc&) {
      (void)writer_.release();
      throw;
    }
  }

  std::unique_ptr<parquet::arrow::FileWriter> writer_;
};

class IpcWriter final : public BatchWriter {
 public:
  using BatchWriter::BatchWriter;

 private:
  arrow::Status begin(const std::shared_ptr<arrow::io::OutputStream>& sink,
                      const std::shared_ptr<arrow::Schema>& schema) override {
    auto options = arrow::ipc::IpcWriteOptions::Defaults();
    options.emit_dictionary_deltas = true;  // dictionaries grow from batch to batch
    ARROW_ASSIGN_OR_RAISE(writer_, arrow::ipc::MakeFileWriter(sink, schema, options));
    return arrow::Status::OK();
  }
  arrow::Status write_batch(const std::shared_ptr<arrow::RecordBatch>& batch) override {
    ARROW_ASSIGN_OR_RAISE(const auto unified, dictionaries_.unified(batch));
    return writer_->WriteRecordBatch(*unified);
  }
  arrow::Status close() override { return writer_->Close(); }
  [[nodiscard]] std::unique_ptr<BatchWriter> again(ByteSink& sink) const override {
    return std::make_unique<IpcWriter>(sink, path(), WriterColumns{});
  }
  [[nodiscard]] std::string_view format() const override { return "Feather"; }

  GrowingDictionaries dictionaries_;
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
