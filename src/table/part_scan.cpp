#include "table/part_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/binary_lists.h"
#include "base/shown_text.h"
#include "fsieve/error.h"
#include "source/known_table.h"
#include "table/column_table.h"
#include "table/loaded_table.h"
#include "table/set_aside.h"
#include "table/table_scan.h"

namespace fsieve::io::inline table {
namespace {

// The names of a table's columns, and which part a row is in.
class PartPlaces final : public TableFile {
 public:
  PartPlaces(const std::string& name, const std::vector<FileColumn>& columns,
             const std::vector<std::uint64_t>& rows)
      : name_(name), columns_(columns), rows_(rows) {}

  [[nodiscard]] const std::vector<FileColumn>& columns() const override { return columns_; }
  [[nodiscard]] std::unique_ptr<ChunkReader> read(const ReadRequest& /*request*/) const override {
    throw Error("the parts of this table are read where they are");
  }
  [[nodiscard]] std::optional<RowPlace> place_of(std::uint64_t row) const override {
    std::size_t part = 0;
    while (part + 1 < rows_.size() && row > rows_[part]) row -= rows_[part++];
    return RowPlace{fmt::format("{}: partition {}", name_, part), row};
  }

 private:
  const std::string& name_;
  const std::vector<FileColumn>& columns_;
  const std::vector<std::uint64_t>& rows_;
};

std::vector<double> kept(const std::vector<double>& weights, const std::vector<char>& complete) {
  std::vector<double> left;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (complete[i] != 0) left.push_back(weights[i]);
  }
  return left;
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& rows) {
  return std::accumulate(rows.begin(), rows.end(), std::uint64_t{0});
}

}  // namespace

PartScan::PartScan(std::string name, ReadOptions options, std::size_t memory)
    : name_(std::move(name)),
      options_(std::move(options)),
      memory_(memory),
      cells_(std::make_shared<const CellReader>(options_.na, options_.decimal.value_or('.'))) {}

std::vector<ChosenColumn> PartScan::chosen() const {
  auto chosen = choose_columns(name_, columns_, options_);
  std::erase_if(chosen, [](const ChosenColumn& column) { return !column.is_read; });
  return chosen;
}

void PartScan::add_scans() {
  const std::vector<ChosenColumn> columns = chosen();
  for (const ChosenColumn& column : columns) {
    scans_.emplace_back(*cells_, column, most_level_bytes(memory_, columns.size()));
  }
}

void PartScan::look(std::size_t part, const std::vector<NamedColumn>& columns) {
  first_part_ = part;
  check_lengths(fmt::format("{}: partition {}", name_, part), columns);
  const ColumnTable table(columns);
  columns_ = table.columns();
  add_scans();
  ReadRequest request;
  for (const ChosenColumn& column : chosen()) request.columns.push_back(column.index);
  const auto reader = table.read(request);
  Chunk chunk;
  while (reader->next(chunk)) {
    for (std::size_t j = 0; j < scans_.size(); ++j) {
      scans_[j].add(chunk.columns[j], chunk.first_row, nullptr);
    }
  }
  rows_.push_back(reader->rows_met());
}

void PartScan::check_same_columns(const PartScan& next) const {
  const auto missing_in = [](const PartScan& one, const PartScan& other) {
    return std::find_if(one.columns_.begin(), one.columns_.end(), [&](const FileColumn& column) {
      return std::none_of(other.columns_.begin(), other.columns_.end(),
                          [&](const FileColumn& same) { return same.name == column.name; });
    });
  };
  const auto fail = [&](std::size_t part, const std::string& column, std::size_t has) {
    throw Error(fmt::format("{}: partition {} has no column \"{}\", which partition {} has", name_,
                            part, shown(column), has));
  };
  if (const auto lost = missing_in(*this, next); lost != columns_.end()) {
    fail(next.first_part_, lost->name, first_part_);
  }
  if (const auto lost = missing_in(next, *this); lost != next.columns_.end()) {
    fail(first_part_, lost->name, next.first_part_);
  }
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    if (columns_[j].name == next.columns_[j].name) continue;
    throw Error(fmt::format("{}: partition {} has its columns in another order than partition {}",
                            name_, next.first_part_, first_part_));
  }
}

void PartScan::merge(const PartScan& next) {
  if (next.rows_.empty()) return;
  if (rows_.empty()) {
    *this = next;
    return;
  }
  check_same_columns(next);
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    columns_[j].is_date = columns_[j].is_date || next.columns_[j].is_date;
  }
  const std::uint64_t before = sum_of(rows_);
  for (std::size_t j = 0; j < scans_.size(); ++j) scans_[j].merge(next.scans_[j], before);
  rows_.insert(rows_.end(), next.rows_.begin(), next.rows_.end());
}

void PartScan::save(std::ostream& out) const {
  save_count(out, first_part_);
  save_values(out, rows_);
  save_count(out, columns_.size());
  for (const FileColumn& column : columns_) {
    save_text(out, column.name);
    save_text(out, column.unusable_type);
    save_flag(out, column.is_date);
  }
  for (const ColumnScan& scan : scans_) scan.save(out);
}

void PartScan::load(std::istream& in) {
  std::uint64_t part = 0;
  load_value(in, part);
  first_part_ = part;
  load_list(in, rows_);
  columns_.clear();
  load_each(in, [&] {
    FileColumn& column = columns_.emplace_back();
    column.name = load_text(in);
    column.unusable_type = load_text(in);
    column.is_date = load_flag(in);
  });
  scans_.clear();
  if (rows_.empty()) return;
  add_scans();
  for (ColumnScan& scan : scans_) scan.load(in);
}

PartScan::Settled PartScan::settled() const {
  const PartPlaces places(name_, columns_, rows_);
  ScannedTable table =
      settle_table(name_, places, *cells_, chosen(), options_, scans_, sum_of(rows_));
  check_some_left(name_, table.layout.schema.features.size(), table.layout.schema.ignored);
  return {std::move(table.layout), std::move(table.warnings)};
}

PartLayout::PartLayout(PartScan scan)
    : scan_(std::move(scan)), settled_(scan_.settled()), rows_(scan_.rows()) {}

bool PartLayout::counts_needed() const { return settled_.layout.drops_rows(); }

HeldValues PartLayout::values(const std::vector<NamedColumn>& columns) const {
  HeldValues values = decoded_values(ColumnTable(columns), settled_.layout);
  settle_missing(values, settled_.layout);
  return values;
}

std::unique_ptr<MemorySource> PartLayout::open(const std::vector<NamedColumn>& columns,
                                               std::vector<double> weights) const {
  if (counts_needed() && !weights.empty()) {
    HeldValues all = decoded_values(ColumnTable(columns), settled_.layout);
    weights = kept(weights, complete_rows(all, settled_.layout));
  }
  HeldValues held = values(columns);
  const std::size_t rows = held.rows();
  return known_table(settled_.layout.schema, held.close(), rows, std::move(weights));
}

PartLayout::Complete PartLayout::count(const std::vector<NamedColumn>& columns) const {
  HeldValues held = values(columns);
  Complete complete(settled_.layout.schema);
  complete.rows.push_back(held.rows());
  for (std::size_t j = 0; j < settled_.layout.schema.columns(); ++j)
    complete.used.add(j, held.column(j));
  return complete;
}

void PartLayout::drop(const Complete& complete) {
  TableLayout& layout = settled_.layout;
  rows_ = complete.rows;
  layout.rows = sum_of(rows_);
  if (layout.rows == 0) fail_no_complete_row(scan_.name(), layout);
  for (std::size_t j = 0; j < layout.schema.columns(); ++j) {
    layout.renumber(j, complete.used.remove_unused(j, layout.column(j)));
  }
}

void PartLayout::Complete::merge(const Complete& next) {
  rows.insert(rows.end(), next.rows.begin(), next.rows.end());
  used.merge(next.used);
}

void PartLayout::Complete::save(std::ostream& out) const {
  save_values(out, rows);
  used.save(out);
}

void PartLayout::Complete::load(std::istream& in) {
  load_list(in, rows);
  used.load(in);
}

}  // namespace fsieve::io::table
