#include "io/written_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "fsieve/error.h"
#include "fsieve/io.h"
#include "io/file_source.h"
#include "source/trusted_source.h"
#include "table/text_cells.h"
#include "table/value_cells.h"

namespace fsieve {
namespace io {
namespace {

const Column& column_at(const Schema& schema, std::size_t position) {
  return position < schema.features.size() ? schema.features[position] : *schema.label;
}

// The columns of a file, and columns of another source with the same rows behind them.
class BesideFile final : public TrustedSource {
 public:
  BesideFile(const FileSource& table, const Source& computed, std::vector<std::size_t> columns)
      : table_(table), computed_(computed), columns_(std::move(columns)) {
    schema_.features = table.kept();
    for (const std::size_t position : columns_) {
      schema_.features.push_back(column_at(computed.schema(), position));
    }
  }

  [[nodiscard]] const Schema& schema() const override { return schema_; }
  [[nodiscard]] std::size_t rows() const override { return computed_.rows(); }
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override {
    throw Error("the columns of a file that were not read can only be written");
  }

  [[nodiscard]] const FileSource& table() const { return table_; }
  [[nodiscard]] const Source& computed() const { return computed_; }
  [[nodiscard]] const std::vector<std::size_t>& columns() const { return columns_; }

 private:
  const FileSource& table_;
  const Source& computed_;
  std::vector<std::size_t> columns_;
  Schema schema_;
};

// Rows of blocks.
class BlockRows final : public WrittenReader {
 public:
  BlockRows(const Source& source, std::vector<std::size_t> columns)
      : schema_(source.schema()), columns_(std::move(columns)), reader_(source.open()) {}

  bool next(WrittenRows& rows) override {
    if (!reader_->next(block_)) return false;
    cells_.clear();
    cells_.reserve(columns_.size());
    rows.rows = block_.rows;
    rows.columns.clear();
    for (const std::size_t position : columns_) {
      cells_.emplace_back(column_at(schema_, position), block_.column(position));
      rows.columns.push_back({&cells_.back(), 0});
    }
    return true;
  }

 private:
  const Schema& schema_;
  std::vector<std::size_t> columns_;
  std::unique_ptr<BlockReader> reader_;
  Block block_;
  std::vector<BlockCells> cells_;
};

// Rows of a file: those that the table has, and no others.
class FileRows {
 public:
  // `columns`: positions in the file.
  FileRows(const FileSource& table, std::vector<std::size_t> columns, bool typed)
      : table_(table), layout_(table.layout()), columns_(std::move(columns)) {
    table_.bytes().check_unchanged();
    ReadRequest request = rows_only();
    for (std::size_t j = 0; j < layout_.decoders.size(); ++j) {
      if (!is_looked_at(j)) continue;
      looked_at_.push_back(j);
      request.columns.push_back(layout_.request.columns[j]);
      request.as_text.push_back(layout_.request.as_text[j]);
    }
    for (const std::size_t column : columns_) request.originals.push_back({column, TextType::text});
    if (typed && table_.file().is_text()) set_types(request.originals);
    reader_ = table_.file().read(request);
  }

  // The next rows; false after the last.
  bool next() {
    do {
      if (!reader_->next(chunk_)) {
        table_.bytes().check_unchanged();
        if (rows_met_ != table_.rows()) fail_changed(table_.bytes().name());
        return false;
      }
      numbers_.clear();
      for (std::size_t i = 0; i < chunk_.rows; ++i) numbers_.push_back(i);
      settle_missing();
    } while (numbers_.empty());
    rows_met_ += numbers_.size();
    return true;
  }

  [[nodiscard]] std::size_t rows() const { return numbers_.size(); }
  [[nodiscard]] const OriginalColumn& column(std::size_t i) const { return *chunk_.originals[i]; }
  // As messages count rows.
  [[nodiscard]] std::uint64_t number(std::size_t i) const { return chunk_.first_row + numbers_[i]; }

 private:
  [[nodiscard]] ReadRequest rows_only() const {
    ReadRequest request;
    request.first_row = layout_.request.first_row;
    request.last_row = layout_.request.last_row;
    return request;
  }

  [[nodiscard]] bool is_looked_at(std::size_t j) const {
    if (layout_.passenger[j] || !layout_.any_missing) return false;
    if (layout_.rows_need[j]) return true;
    return !std::isnan(layout_.fill[j]) && !layout_.date[j];  // no date stands for many others
  }

  // What the table found out about a column, if it was read.
  [[nodiscard]] std::optional<std::size_t> position_of(std::size_t column) const {
    const auto& read = layout_.request.columns;
    const auto found = std::find(read.begin(), read.end(), column);
    if (found == read.end()) return std::nullopt;
    return static_cast<std::size_t>(found - read.begin());
  }

  void set_types(std::vector<OriginalRequest>& originals) const {
    std::vector<std::size_t> unknown;
    for (std::size_t i = 0; i < originals.size(); ++i) {
      const auto j = position_of(originals[i].column);
      if (!j || (layout_.beyond_exact[*j] && kind_of(*j) == ColumnKind::numeric)) {
        unknown.push_back(i);
      } else if (kind_of(*j) == ColumnKind::numeric && !layout_.date[*j]) {
        originals[i].type = TextType::real;
      }
    }
    if (!unknown.empty()) find_types(originals, unknown);
  }

  [[nodiscard]] ColumnKind kind_of(std::size_t j) const {
    return column_at(layout_.schema, j).kind;
  }

  void find_types(std::vector<OriginalRequest>& originals,
                  const std::vector<std::size_t>& unknown) const {
    ReadRequest request = rows_only();
    for (const std::size_t i : unknown) request.originals.push_back(originals[i]);
    std::vector<TextTypeScan> scans(unknown.size());
    const auto reader = table_.file().read(request);
    Chunk chunk;
    while (reader->next(chunk)) {
      for (std::size_t k = 0; k < scans.size(); ++k) {
        const auto& cells = static_cast<const TextCells&>(*chunk.originals[k]);
        for (std::size_t row = 0; row < cells.rows(); ++row) {
          scans[k].add(cells.text(row), table_.cells());
        }
      }
    }
    for (std::size_t k = 0; k < scans.size(); ++k) originals[unknown[k]].type = scans[k].type();
  }

  void settle_missing() {
    if (looked_at_.empty()) return;
    std::vector<bool> complete(chunk_.rows, true);
    std::map<std::size_t, std::vector<double>> with_gaps;  // by position in the table
    for (std::size_t k = 0; k < looked_at_.size(); ++k) {
      const std::size_t j = looked_at_[k];
      std::vector<double> values(chunk_.rows);
      if (!layout_.decoders[j].decode(chunk_.columns[k], values.data())) {
        fail_changed(table_.bytes().name());
      }
      for (std::size_t i = 0; layout_.rows_need[j] && i < values.size(); ++i) {
        if (std::isnan(values[i])) complete[i] = false;
      }
      if (!layout_.rows_need[j]) with_gaps.emplace(j, std::move(values));
    }
    std::erase_if(numbers_, [&](std::size_t i) { return !complete[i]; });
    if (numbers_.empty()) return;
    if (numbers_.size() < chunk_.rows) {
      for (auto& column : chunk_.originals) column = column->take(numbers_);
    }
    for (auto& [j, values] : with_gaps) fill(j, std::move(values));
  }

  void fill(std::size_t j, std::vector<double> values) {
    for (std::size_t i = 0; i < numbers_.size(); ++i) values[i] = values[numbers_[i]];
    values.resize(numbers_.size());
    for (std::size_t i = 0; i < chunk_.originals.size(); ++i) {
      if (columns_[i] != layout_.request.columns[j]) continue;
      chunk_.originals[i] = std::make_shared<FilledCells>(
          chunk_.originals[i], column_at(layout_.schema, j), values, layout_.fill[j]);
    }
  }

  const FileSource& table_;
  const TableLayout& layout_;
  std::vector<std::size_t> columns_;
  std::vector<std::size_t> looked_at_;  // positions in the table whose missing cells matter
  std::unique_ptr<ChunkReader> reader_;
  Chunk chunk_;
  std::vector<std::size_t> numbers_;  // rows of the chunk that the table has
  std::size_t rows_met_ = 0;
};

// Columns of a file, with computed ones among them.
class JoinedRows final : public WrittenReader {
 public:
  struct Place {
    bool in_file = true;
    std::size_t at = 0;  // among those of the file, or among the computed
  };

  JoinedRows(FileRows file, std::unique_ptr<BlockRows> computed, std::vector<Place> places)
      : file_(std::move(file)), computed_(std::move(computed)), places_(std::move(places)) {}

  bool next(WrittenRows& rows) override {
    if (used_ == ready_) {
      if (!file_.next()) return false;
      used_ = 0;
      ready_ = file_.rows();
    }
    std::size_t count = ready_ - used_;
    if (computed_) {
      if (block_used_ == block_.rows) {
        if (!computed_->next(block_)) throw Error("fewer rows were computed than the file has");
        block_used_ = 0;
      }
      count = std::min(count, block_.rows - block_used_);
    }
    rows.rows = count;
    rows.columns.clear();
    for (const Place& place : places_) {
      if (place.in_file) {
        rows.columns.push_back({&file_.column(place.at), used_});
      } else {
        rows.columns.push_back({block_.columns[place.at].cells, block_used_});
      }
    }
    used_ += count;
    block_used_ += computed_ ? count : 0;
    return true;
  }

 private:
  FileRows file_;
  std::unique_ptr<BlockRows> computed_;
  std::vector<Place> places_;
  std::size_t used_ = 0;   // rows of the file's that were given out
  std::size_t ready_ = 0;  // rows of the file's
  WrittenRows block_;
  std::size_t block_used_ = 0;
};

}  // namespace

std::unique_ptr<WrittenReader> read_written(const Source& source,
                                            const std::vector<std::size_t>& columns, bool typed) {
  const auto* const beside = dynamic_cast<const BesideFile*>(&source);
  const auto* const table = beside ? &beside->table() : dynamic_cast<const FileSource*>(&source);
  if (table == nullptr || columns.empty()) return std::make_unique<BlockRows>(source, columns);
  std::vector<std::size_t> of_file;
  std::vector<std::size_t> of_blocks;
  std::vector<JoinedRows::Place> places;
  for (const std::size_t position : columns) {
    if (beside && position >= table->kept().size()) {
      places.push_back({false, of_blocks.size()});
      of_blocks.push_back(beside->columns()[position - table->kept().size()]);
    } else {
      places.push_back({true, of_file.size()});
      of_file.push_back(column_at(source.schema(), position).index);
    }
  }
  std::unique_ptr<BlockRows> computed;
  if (!of_blocks.empty()) computed = std::make_unique<BlockRows>(beside->computed(), of_blocks);
  return std::make_unique<JoinedRows>(FileRows(*table, of_file, typed), std::move(computed),
                                      std::move(places));
}

}  // namespace io

std::unique_ptr<Source> beside_file(const Source& table, const Source& computed,
                                    const std::vector<std::size_t>& columns) {
  const auto* const file = dynamic_cast<const io::FileSource*>(&table);
  if (file == nullptr) throw Error("the table was not opened from a file");
  return std::make_unique<io::BesideFile>(*file, computed, columns);
}

std::uint64_t row_in_file(const Source& table, std::size_t row) {
  const auto* const file = dynamic_cast<const io::FileSource*>(&table);
  if (file == nullptr) return row + 1;
  const io::TableLayout& layout = file->layout();
  if (!layout.drops_rows()) {
    return layout.request.first_row + row;
  }
  // Which rows were dropped is not kept: there may be many, and this is asked once, for a message.
  io::FileRows rows(*file, {}, false);
  while (rows.next()) {
    if (row < rows.rows()) return rows.number(row);
    row -= rows.rows();
  }
  return row + 1;
}

}  // namespace fsieve
