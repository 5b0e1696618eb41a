#include "table/table_scan.h"

#include <fmt/format.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "base/shown_text.h"
#include "fsieve/error.h"

namespace fsieve::io::inline table {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

class TableScan {
 public:
  TableScan(const std::string& name, std::uint64_t bytes, const TableFile& file,
            const CellReader& cells, const std::vector<ChosenColumn>& chosen,
            const ReadOptions& options, Progress& progress)
      : name_(name),
        bytes_(bytes),
        file_(file),
        cells_(cells),
        chosen_(chosen),
        options_(options),
        progress_(progress) {
    for (const ChosenColumn& column : chosen) request_.columns.push_back(column.index);
    request_.as_text.assign(chosen.size(), false);
    request_.first_row = options.first_row;
    request_.last_row = options.last_row;
  }

  ScannedTable run() {
    read_all();
    if (ask_for_spelling()) read_all();
    check_texts();
    check_infinite();
    check_levels();
    check_missing();
    return result();
  }

 private:
  void read_all() {
    scans_.clear();
    for (const ChosenColumn& column : chosen_) {
      scans_.emplace_back(cells_, column.as_levels, column.passenger);
    }
    held_.emplace(chosen_.size(), options_.memory);
    rows_ = 0;
    progress_.begin(fmt::format("reading {}", name_), bytes_);
    const auto reader = file_.read(request_);
    Chunk chunk;
    while (reader->next(chunk)) {
      rows_ += chunk.rows;
      if (held_ && !held_->extend(chunk.rows, expected_rows(*reader))) held_.reset();
      add(chunk);
      for (std::size_t j = 0; j < scans_.size(); ++j) {
        if (scans_[j].met_text() && !chosen_[j].as_levels) reader->expect_text(j);
      }
      progress_.advance(std::min(reader->bytes_done(), bytes_));
    }
    check_rows(reader->rows_met());
    progress_.end();
  }

  void add(const Chunk& chunk) {
    // Isolated: while this thread waits it must not take up unrelated work that may wait for it.
    constexpr std::size_t columns_per_task = 8;
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, scans_.size(), columns_per_task),
                        [&](const tbb::blocked_range<std::size_t>& range) {
                          for (std::size_t j = range.begin(); j < range.end(); ++j) {
                            double* const held =
                                held_ ? held_->column(j).data() + rows_ - chunk.rows : nullptr;
                            scans_[j].add(chunk.columns[j], chunk.first_row, held);
                          }
                        });
    });
  }

  // A guess from how far the reader is, rather too high, where the file does not say.
  [[nodiscard]] double expected_rows(const ChunkReader& reader) const {
    auto rows = static_cast<double>(reader.rows_in_file());
    if (rows == 0 && reader.bytes_done() > 0) {
      rows = 1.1 * static_cast<double>(rows_) * static_cast<double>(bytes_) /
             static_cast<double>(reader.bytes_done());
    }
    return std::min(rows, static_cast<double>(options_.last_row - options_.first_row) + 1);
  }

  void check_rows(std::uint64_t rows_met) const {
    if (rows_met == 0) throw Error(fmt::format("{}: no data rows", name_));
    const bool open_end = options_.last_row == UINT64_MAX;
    const std::uint64_t wanted = open_end ? options_.first_row : options_.last_row;
    if (rows_met < wanted) {
      throw Error(fmt::format("{}: row {} was asked for, but the file has {} data row{}", name_,
                              wanted, rows_met, rows_met == 1 ? "" : "s"));
    }
    if (rows_ == 0) throw Error(fmt::format("{}: no data rows", name_));
  }

  // A column that began with numbers and turned out to be text has lost their spelling.
  bool ask_for_spelling() {
    bool any = false;
    for (std::size_t j = 0; j < scans_.size(); ++j) {
      if (!scans_[j].needs_spelling()) continue;
      request_.as_text[j] = true;
      any = true;
    }
    return any;
  }

  // The column whose `row_of` comes first in the file (smallest row, then leftmost), if any has
  // one. Nothing is wrong with passengers.
  template <typename RowOf>
  [[nodiscard]] std::size_t first_column(RowOf row_of) const {
    std::size_t best = chosen_.size();
    for (std::size_t j = 0; j < chosen_.size(); ++j) {
      const std::uint64_t row = row_of(j);
      if (row == kNoRow || chosen_[j].passenger) continue;
      if (best == chosen_.size() || row < row_of(best) ||
          (row == row_of(best) && chosen_[j].index < chosen_[best].index)) {
        best = j;
      }
    }
    return best;
  }

  [[noreturn]] void fail_cell(std::size_t j, std::uint64_t row, const std::string& what) const {
    const RowPlace place = file_.place_of(row).value_or(RowPlace{name_, row});
    throw Error(fmt::format("{}: column \"{}\", row {}: {}", place.file, shown(chosen_[j].name),
                            place.row, what));
  }

  void check_texts() const {
    const auto row_of = [&](std::size_t j) {
      return scans_[j].kind() == ColumnKind::numeric ? scans_[j].first_text() : kNoRow;
    };
    const std::size_t j = first_column(row_of);
    if (j == chosen_.size()) return;
    const std::string text(trim_blanks(scans_[j].first_text_value()));
    const bool markable =
        text.size() <= 12 && text.find_first_of(", \t\r\n\"'") == std::string::npos;
    fail_cell(
        j, row_of(j),
        fmt::format("\"{}\" is not a number{}", shown(text),
                    markable ? fmt::format(" (if it marks a missing value: --na {})", text) : ""));
  }

  void check_infinite() const {
    const auto row_of = [&](std::size_t j) {
      const bool by_number = chosen_[j].as_levels || scans_[j].kind() == ColumnKind::numeric;
      return by_number ? scans_[j].first_infinite() : kNoRow;
    };
    const std::size_t j = first_column(row_of);
    if (j != chosen_.size()) fail_cell(j, row_of(j), "infinite value");
  }

  void check_levels() const {
    for (std::size_t j = 0; j < chosen_.size(); ++j) {
      if (scans_[j].kind() != ColumnKind::categorical || !scans_[j].too_many_levels()) continue;
      throw Error(fmt::format(
          "{}: column \"{}\" has more than {} levels{}", name_, shown(chosen_[j].name), kMostLevels,
          chosen_[j].is_label
              ? ""
              : fmt::format(" (leave it out: --exclude {})", shown(chosen_[j].name))));
    }
  }

  void check_missing() const {
    const auto any_row = [&](std::size_t j) { return scans_[j].first_missing(); };
    if (options_.missing == Missing::error) {
      const std::size_t j = first_column(any_row);
      if (j == chosen_.size()) return;
      fail_cell(j, any_row(j), "missing value (--missing drop or --missing mean accept it)");
    }
    for (std::size_t j = 0; j < chosen_.size(); ++j) {
      if (chosen_[j].passenger || !scans_[j].all_missing() || any_row(j) == kNoRow) continue;
      throw Error(fmt::format("{}: column \"{}\" has no values{}", name_, shown(chosen_[j].name),
                              chosen_[j].is_label ? ""
                                                  : fmt::format(" (leave it out: --exclude {})",
                                                                shown(chosen_[j].name))));
    }
    if (options_.missing != Missing::mean || !chosen_.back().is_label) return;
    if (chosen_.back().passenger) return;
    const std::size_t label = chosen_.size() - 1;
    if (any_row(label) == kNoRow) return;
    fail_cell(label, any_row(label), "the label is missing (--missing drop leaves such rows out)");
  }

  [[nodiscard]] Column column_of(std::size_t j) const {
    Column column{chosen_[j].name, chosen_[j].index, scans_[j].kind(), {}};
    if (column.kind == ColumnKind::numeric) return column;
    column.levels = scans_[j].sorted_levels();
    for (const std::string& level : column.levels) {
      if (chosen_[j].passenger || is_utf8(level)) continue;
      throw Error(fmt::format(R"({}: column "{}" has text that is not UTF-8: "{}")", name_,
                              shown(column.name), shown(level)));
    }
    return column;
  }

  ScannedTable result() {
    ScannedTable table;
    TableLayout& layout = table.layout;
    layout.request = request_;
    layout.missing = options_.missing;
    layout.rows = rows_;
    const bool held = held_ && std::all_of(scans_.begin(), scans_.end(),
                                           [](const auto& scan) { return scan.has_values(); });
    if (!held) held_.reset();
    for (std::size_t j = 0; j < chosen_.size(); ++j) {
      const ColumnScan& scan = scans_[j];
      const Column column = column_of(j);
      layout.decoders.emplace_back(cells_, column, chosen_[j].as_levels, chosen_[j].passenger);
      layout.passenger.push_back(chosen_[j].passenger);
      layout.beyond_exact.push_back(scan.beyond_exact());
      layout.request.as_text[j] = layout.decoders.back().wants_spelling();
      layout.fill.push_back(chosen_[j].passenger ? kMissing : fill_value(scan, column));
      layout.any_missing =
          layout.any_missing || (!chosen_[j].passenger && scan.first_missing() != kNoRow);
      if (held) scan.finish_values(column.levels, held_->column(j));
      if (chosen_[j].is_label) {
        layout.schema.label = column;
      } else {
        layout.schema.features.push_back(column);
      }
    }
    table.values = std::move(held_);
    table.warnings = rounded_columns();
    return table;
  }

  // Ids as numbers: what is computed with is not what stands in the file.
  [[nodiscard]] std::vector<std::string> rounded_columns() const {
    std::vector<std::string> warnings;
    for (std::size_t j = 0; j < chosen_.size(); ++j) {
      const bool as_numbers = chosen_[j].as_levels || scans_[j].kind() == ColumnKind::numeric;
      if (!scans_[j].beyond_exact() || !as_numbers || chosen_[j].passenger) continue;
      warnings.push_back(fmt::format(
          "{}: column \"{}\" has whole numbers beyond 2^53, which are rounded in all that is "
          "computed (if they are ids: --exclude {})",
          name_, shown(chosen_[j].name), shown(chosen_[j].name)));
    }
    return warnings;
  }

  [[nodiscard]] double fill_value(const ColumnScan& scan, const Column& column) const {
    if (options_.missing != Missing::mean || scan.first_missing() == kNoRow) return kMissing;
    if (column.kind == ColumnKind::numeric) return scan.mean();
    const auto level =
        std::lower_bound(column.levels.begin(), column.levels.end(), scan.most_frequent_level());
    return static_cast<double>(level - column.levels.begin());
  }

  const std::string& name_;
  std::uint64_t bytes_;
  const TableFile& file_;
  const CellReader& cells_;
  const std::vector<ChosenColumn>& chosen_;
  const ReadOptions& options_;
  Progress& progress_;
  ReadRequest request_;
  std::vector<ColumnScan> scans_;
  std::optional<HeldValues> held_;  // while the table fits into the memory allowed
  std::size_t rows_ = 0;
};

}  // namespace

ScannedTable scan_table(const std::string& name, std::uint64_t bytes, const TableFile& file,
                        const CellReader& cells, const std::vector<ChosenColumn>& chosen,
                        const ReadOptions& options, Progress& progress) {
  return TableScan(name, bytes, file, cells, chosen, options, progress).run();
}

}  // namespace fsieve::io::table
