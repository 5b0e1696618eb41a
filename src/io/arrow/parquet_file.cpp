// Reading Parquet: the chosen columns only, some rows of a row group at a time.
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>

#include <algorithm>
#include <utility>

#include "fsieve/error.h"
#include "io/arrow/array_cells.h"
#include "io/arrow/arrow_bytes.h"
#include "io/formats.h"

namespace fsieve::io {
namespace {

constexpr const char* not_parquet = "not a Parquet file, or a damaged or truncated one";
constexpr std::int64_t kBatchValues = std::int64_t{1} << 20U;
constexpr std::uint64_t kStreamedBytes = std::uint64_t{1} << 24U;

// Parts of the Parquet library throw instead of giving a status.
template <typename Work>
auto guarded(const ByteFile& file, const Work& work) {
  try {
    return work();
  } catch (const parquet::ParquetException&) {
    throw Error(file.name() + ": " + not_parquet);
  }
}

std::shared_ptr<parquet::arrow::FileReader> open_reader(
    const std::shared_ptr<const ByteFile>& file,
    const std::shared_ptr<parquet::FileMetaData>& metadata,
    const parquet::ArrowReaderProperties& properties) {
  auto reader_properties = parquet::default_reader_properties();
  // Else whole column chunks are read at a time; but a stream takes the memory that the head of a
  // page asks for, which a file of 500 damaged bytes may say are two gigabytes.
  if (file->size() >= kStreamedBytes) reader_properties.enable_buffered_stream();
  parquet::arrow::FileReaderBuilder builder;
  require(builder.Open(std::make_shared<ArrowFile>(file), reader_properties, metadata),
          file->name(), not_parquet);
  builder.properties(properties);
  std::unique_ptr<parquet::arrow::FileReader> reader;
  require(builder.Build(&reader), file->name(), not_parquet);
  return reader;
}

// Where the values of a column are stored, which for a nested one are several places.
void add_leaves(const parquet::arrow::SchemaField& field, std::vector<int>& leaves) {
  if (field.is_leaf()) leaves.push_back(field.column_index);
  for (const auto& child : field.children) add_leaves(child, leaves);
}

class ParquetFile final : public TableFile {
 public:
  explicit ParquetFile(std::shared_ptr<const ByteFile> file) : file_(std::move(file)) {
    const auto reader = open_reader(file_, nullptr, parquet::default_arrow_reader_properties());
    metadata_ = reader->parquet_reader()->metadata();
    std::shared_ptr<arrow::Schema> schema;
    require(reader->GetSchema(&schema), file_->name(), not_parquet);
    columns_ = file_columns(*schema);
    for (const auto& field : reader->manifest().schema_fields) {
      leaves_.emplace_back();
      add_leaves(field, leaves_.back());
    }
  }

  [[nodiscard]] const std::vector<FileColumn>& columns() const override { return columns_; }

  [[nodiscard]] std::unique_ptr<ChunkReader> read(const ReadRequest& request) const override {
    return guarded(*file_, [&] { return start(request); });
  }

 private:
  [[nodiscard]] std::unique_ptr<ChunkReader> start(const ReadRequest& request) const {
    std::vector<int> leaves;
    for (const int column : sorted_columns(request)) {
      leaves.insert(leaves.end(), leaves_[column].begin(), leaves_[column].end());
    }
    auto properties = parquet::default_arrow_reader_properties();
    properties.set_pre_buffer(false);
    properties.set_use_threads(may_use_threads());
    properties.set_batch_size(std::clamp<std::int64_t>(
        kBatchValues / static_cast<std::int64_t>(leaves.size()), 1024, 65536));
    std::vector<bool> is_original(columns_.size(), false);
    for (const OriginalRequest& wanted : request.originals) is_original[wanted.column] = true;
    for (const std::size_t wanted : request.columns) {
      if (is_original[wanted] || leaves_[wanted].size() != 1) continue;
      // Text comes as positions in the page's dictionary, which is what cells want.
      const int leaf = leaves_[wanted][0];
      const auto* column = metadata_->schema()->Column(leaf);
      if (column->physical_type() == parquet::Type::BYTE_ARRAY &&
          column->logical_type()->is_string()) {
        properties.set_read_dictionary(leaf, true);
      }
    }
    const auto reader = open_reader(file_, metadata_, properties);

    BatchSource source;
    std::vector<int> groups;
    for (int g = 0; g < metadata_->num_row_groups(); ++g) {
      const auto rows = static_cast<std::uint64_t>(metadata_->RowGroup(g)->num_rows());
      if (groups.empty() && source.rows_before + rows < request.first_row) {
        source.rows_before += rows;
      } else {
        groups.push_back(g);
      }
    }
    std::shared_ptr<arrow::RecordBatchReader> batches =
        require(reader->GetRecordBatchReader(groups, leaves), file_->name(), not_parquet);
    source.rows_in_file = static_cast<std::uint64_t>(metadata_->num_rows());
    auto rows_done = std::make_shared<std::uint64_t>(source.rows_before);
    const auto rows = static_cast<double>(std::max<std::int64_t>(1, metadata_->num_rows()));
    source.part_done = [rows_done, rows] { return static_cast<double>(*rows_done) / rows; };
    // Holds the reader too, which must live as long as its batches are read.
    source.next = [reader, batches, rows_done, file = file_] {
      std::shared_ptr<arrow::RecordBatch> batch;
      guarded(*file, [&] { require(batches->ReadNext(&batch), file->name(), not_parquet); });
      if (batch) *rows_done += static_cast<std::uint64_t>(batch->num_rows());
      return batch;
    };
    return read_batches(file_, std::move(source), request);
  }

  std::shared_ptr<const ByteFile> file_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  std::vector<FileColumn> columns_;
  std::vector<std::vector<int>> leaves_;  // of each column; several where it is nested
};

}  // namespace

std::unique_ptr<TableFile> open_parquet(std::shared_ptr<const ByteFile> file) {
  return guarded(*file, [&] { return std::make_unique<ParquetFile>(file); });
}

}  // namespace fsieve::io
