#include "io/file_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "fsieve/error.h"
#include "table/unused_levels.h"

namespace fsieve::io {
namespace {

// Decodes the chunks of a file, settles missing values and cuts the rows into blocks.
class FileBlockReader final : public BlockReader {
 public:
  FileBlockReader(const InputFiles& bytes, const TableFile& file, const TableLayout& layout,
                  bool rows_known)
      : bytes_(bytes),
        layout_(layout),
        columns_(layout.schema.columns()),
        step_(block_rows(columns_)),
        rows_known_(rows_known),
        drops_rows_(layout.drops_rows()) {
    bytes_.check_unchanged();
    reader_ = file.read(layout.request);
  }

  bool next(Block& block) override {
    block.first_row = row_;
    block.rows = 0;
    block.stride = step_;
    block.storage.resize(step_ * columns_);
    block.values = block.storage.data();
    while (block.rows < step_) {
      if (used_ == ready_ && !decode_chunk()) break;
      const std::size_t count = std::min(ready_ - used_, step_ - block.rows);
      for (std::size_t j = 0; j < columns_; ++j) {
        std::copy_n(decoded_.data() + j * decoded_stride_ + used_, count,
                    block.storage.data() + j * step_ + block.rows);
      }
      block.rows += count;
      used_ += count;
    }
    row_ += block.rows;
    if (block.rows < step_) finish();
    return block.rows > 0;
  }

 private:
  bool decode_chunk() {
    if (!reader_->next(chunk_)) return false;
    decoded_stride_ = chunk_.rows;
    decoded_.resize(decoded_stride_ * columns_);
    for (std::size_t j = 0; j < columns_; ++j) {
      if (!layout_.decoders[j].decode(chunk_.columns[j], decoded_.data() + j * decoded_stride_)) {
        fail_changed(bytes_.name());
      }
    }
    used_ = 0;
    ready_ = chunk_.rows;
    settle_missing();
    if (rows_known_ && row_ + ready_ > layout_.rows) fail_changed(bytes_.name());
    return true;
  }

  void settle_missing() {
    if (drops_rows_) drop_incomplete_rows();
    for (std::size_t j = 0; j < columns_; ++j) {
      if (layout_.passenger[j]) continue;
      double* const column = decoded_.data() + j * decoded_stride_;
      for (std::size_t i = 0; i < ready_; ++i) {
        if (!std::isnan(column[i])) continue;
        column[i] = layout_.fill[j];  // NaN where nothing may be missing
        if (std::isnan(column[i])) fail_changed(bytes_.name());
      }
    }
  }

  void drop_incomplete_rows() {
    complete_.assign(ready_, 1);
    for (std::size_t j = 0; j < columns_; ++j) {
      if (!layout_.rows_need[j]) continue;
      const double* const column = decoded_.data() + j * decoded_stride_;
      for (std::size_t i = 0; i < ready_; ++i) {
        if (std::isnan(column[i])) complete_[i] = 0;
      }
    }
    for (std::size_t j = 0; j < columns_; ++j) {
      double* const column = decoded_.data() + j * decoded_stride_;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < ready_; ++i) {
        column[kept] = column[i];
        kept += complete_[i];
      }
    }
    ready_ = static_cast<std::size_t>(std::count(complete_.begin(), complete_.end(), 1));
  }

  void finish() const {
    if (!rows_known_) return;
    bytes_.check_unchanged();
    if (row_ != layout_.rows) fail_changed(bytes_.name());
  }

  const InputFiles& bytes_;
  const TableLayout& layout_;
  std::size_t columns_;
  std::size_t step_;
  bool rows_known_;
  bool drops_rows_;
  std::unique_ptr<ChunkReader> reader_;
  Chunk chunk_;
  std::vector<double> decoded_;  // the chunk as numbers, column by column
  std::size_t decoded_stride_ = 0;
  std::vector<char> complete_;
  std::size_t used_ = 0;  // rows of the chunk already in a block
  std::size_t ready_ = 0;
  std::size_t row_ = 0;
};

}  // namespace

FileSource::FileSource(InputFiles bytes, std::shared_ptr<const CellReader> cells,
                       std::unique_ptr<TableFile> file, TableLayout layout,
                       std::vector<Column> kept)
    : bytes_(std::move(bytes)),
      cells_(std::move(cells)),
      file_(std::move(file)),
      layout_(std::move(layout)),
      kept_(std::move(kept)) {}

std::unique_ptr<BlockReader> FileSource::open() const {
  if (held_) return held_->open();
  return std::make_unique<FileBlockReader>(bytes_, *file_, layout_, true);
}

void FileSource::count_complete_rows() {
  UsedLevels used(layout_.schema);
  std::size_t rows = 0;
  FileBlockReader reader(bytes_, *file_, layout_, false);
  Block block;
  while (reader.next(block)) {
    for (std::size_t j = 0; j < layout_.schema.columns(); ++j) used.add(j, block.column(j));
    rows += block.rows;
  }
  layout_.rows = rows;
  for (std::size_t j = 0; j < layout_.schema.columns(); ++j) {
    // Cells of a level that is gone are only in rows that are dropped; they still must decode.
    layout_.renumber(j, used.remove_unused(j, layout_.column(j)));
  }
}

MissingCells missing_cells(const Source& table) {
  const auto* const file = dynamic_cast<const FileSource*>(&table);
  return file == nullptr ? MissingCells{table.rows(), {}} : file->layout().missing_cells;
}

}  // namespace fsieve::io
