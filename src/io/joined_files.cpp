#include "io/joined_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/shown_text.h"
#include "fsieve/error.h"

namespace fsieve::io {
namespace {

struct Part : TablePart {
  std::vector<std::size_t> columns;  // positions in it of the columns of the first part
};

// How many rows the parts have that were read to their end.
class RowCounts {
 public:
  void note(std::size_t part, std::uint64_t rows) {
    const std::scoped_lock lock(mutex_);
    if (part == counts_.size()) counts_.push_back(rows);
  }

  // The part that has the row, which is then counted from the part's first.
  [[nodiscard]] std::size_t find(std::uint64_t& row) const {
    const std::scoped_lock lock(mutex_);
    std::size_t part = 0;
    while (part < counts_.size() && row > counts_[part]) row -= counts_[part++];
    return part;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::uint64_t> counts_;
};

class JoinedReader final : public ChunkReader {
 public:
  JoinedReader(const std::vector<Part>& parts, RowCounts& counts, ReadRequest request)
      : parts_(parts), counts_(counts), request_(std::move(request)) {}

  bool next(Chunk& chunk) override {
    while (rows_before_ < request_.last_row) {
      if (!reader_) {
        if (at_ == parts_.size()) return false;
        reader_ = parts_[at_].file->read(part_request());
      }
      if (reader_->next(chunk)) {
        chunk.first_row += rows_before_;
        return true;
      }
      end_part();
    }
    return false;
  }

  [[nodiscard]] std::uint64_t rows_met() const override {
    return rows_before_ + (reader_ ? reader_->rows_met() : 0);
  }

  [[nodiscard]] std::uint64_t bytes_done() const override {
    return bytes_before_ + (reader_ ? reader_->bytes_done() : 0);
  }

  void expect_text(std::size_t j) override {
    texts_.push_back(j);
    if (reader_) reader_->expect_text(j);
  }

 private:
  [[nodiscard]] ReadRequest part_request() const {
    ReadRequest request = request_;
    const std::vector<std::size_t>& columns = parts_[at_].columns;
    for (std::size_t& column : request.columns) column = columns[column];
    for (OriginalRequest& original : request.originals) original.column = columns[original.column];
    request.first_row = std::max(request_.first_row, rows_before_ + 1) - rows_before_;
    if (request.last_row != UINT64_MAX) request.last_row -= rows_before_;
    for (const std::size_t j : texts_) request.as_text[j] = true;
    return request;
  }

  void end_part() {
    const std::uint64_t rows = reader_->rows_met();
    const bool whole = rows_before_ + rows < request_.last_row;
    if (whole) counts_.note(at_, rows);
    rows_before_ += rows;
    bytes_before_ += parts_[at_].bytes;
    reader_.reset();
    ++at_;
  }

  const std::vector<Part>& parts_;
  RowCounts& counts_;
  ReadRequest request_;
  std::vector<std::size_t> texts_;  // columns of the request that were better read as text
  std::unique_ptr<ChunkReader> reader_;
  std::size_t at_ = 0;
  std::uint64_t rows_before_ = 0;
  std::uint64_t bytes_before_ = 0;
};

class JoinedFiles final : public TableFile {
 public:
  explicit JoinedFiles(std::vector<TablePart> parts) {
    columns_ = parts.front().file->columns();
    for (TablePart& part : parts) {
      std::vector<std::size_t> columns = matched(part, parts_.empty() ? part : parts_.front());
      parts_.push_back({std::move(part), std::move(columns)});
    }
  }

  [[nodiscard]] const std::vector<FileColumn>& columns() const override { return columns_; }

  [[nodiscard]] std::unique_ptr<ChunkReader> read(const ReadRequest& request) const override {
    return std::make_unique<JoinedReader>(parts_, counts_, request);
  }

  [[nodiscard]] bool is_text() const override {
    return std::all_of(parts_.begin(), parts_.end(),
                       [](const Part& part) { return part.file->is_text(); });
  }

  [[nodiscard]] std::optional<RowPlace> place_of(std::uint64_t row) const override {
    const std::size_t part = counts_.find(row);
    if (part == parts_.size()) return std::nullopt;
    return RowPlace{parts_[part].name, row};
  }

 private:
  // Positions in `part` of the columns of the first one.
  std::vector<std::size_t> matched(const TablePart& part, const TablePart& first) {
    const std::vector<FileColumn>& others = part.file->columns();
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < others.size(); ++i) places.try_emplace(others[i].name, i);
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      // Two columns of one name are refused later, with the first file's name.
      const bool same_place = i < others.size() && others[i].name == columns_[i].name;
      const auto found = places.find(columns_[i].name);
      if (!same_place && found == places.end()) {
        throw Error(fmt::format("{}: no column \"{}\", which {} has", part.name,
                                shown(columns_[i].name), first.name));
      }
      positions.push_back(same_place ? i : found->second);
      std::string& unusable = columns_[i].unusable_type;
      if (unusable.empty()) unusable = others[positions.back()].unusable_type;
    }
    if (others.size() > columns_.size()) fail_more(part, first);
    return positions;
  }

  [[noreturn]] void fail_more(const TablePart& part, const TablePart& first) const {
    for (const FileColumn& column : part.file->columns()) {
      const auto has_name = [&](const FileColumn& known) { return known.name == column.name; };
      if (std::any_of(columns_.begin(), columns_.end(), has_name)) continue;
      throw Error(
          fmt::format("{}: column \"{}\" is not in {}", part.name, shown(column.name), first.name));
    }
    throw Error(fmt::format("{}: {} columns, but {} has {}", part.name, part.file->columns().size(),
                            first.name, columns_.size()));
  }

  std::vector<Part> parts_;
  std::vector<FileColumn> columns_;
  mutable RowCounts counts_;
};

}  // namespace

std::unique_ptr<TableFile> join_files(std::vector<TablePart> parts) {
  return std::make_unique<JoinedFiles>(std::move(parts));
}

}  // namespace fsieve::io
