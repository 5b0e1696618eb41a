#include "table/table_scan.h"

#include <fmt/format.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/shell_word.h"
#include "base/shown_text.h"
#include "fsieve/error.h"
#include "table/missing_cells.h"

namespace fsieve::io::inline table {
namespace {

class TableScan {
 public:
  TableScan(const std::string& name, std::uint64_t bytes, const TableFile& file,
            const CellReader& cells, const std::vector<ChosenColumn>& chosen,
            const ReadOptions& options, std::size_t memory, Progress& progress,
            const std::vector<ColumnLook>& beside)
      : name_(name),
        bytes_(bytes),
        file_(file),
        cells_(cells),
        chosen_(chosen),
        options_(options),
        memory_(memory),
        progress_(progress),
        beside_(beside) {
    for (const ChosenColumn& column : chosen) request_.columns.push_back(column.index);
    request_.as_text.assign(chosen.size(), false);
    request_.first_row = options.first_row;
    request_.last_row = options.last_row;
  }

  ScannedTable run() {
    read_all();
    if (ask_for_spelling()) read_all();
    return settled();
  }

  ScannedTable run_on(std::vector<ColumnScan> scans, std::size_t rows) {
    scans_ = std::move(scans);
    rows_ = rows;
    check_rows(rows);
    if (!ask_for_spelling()) return settled();
    const std::size_t j =
        static_cast<std::size_t>(std::find(request_.as_text.begin(), request_.as_text.end(), true) -
                                 request_.as_text.begin());
    throw Error(
        fmt::format("{}: column \"{}\" is text in some parts of the table and a number in "
                    "others: give it one type",
                    name_, shown(chosen_[j].name)));
  }

 private:
  ScannedTable settled() {
    set_columns_aside();
    check_texts();
    check_infinite();
    check_levels();
    check_missing();
    return result();
  }

  void read_all() {
    scans_.clear();
    for (const ChosenColumn& column : chosen_) {
      scans_.emplace_back(cells_, column, most_level_bytes(memory_, chosen_.size()));
    }
    held_.emplace(chosen_.size(), memory_);
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

  void count_missing() {
    missing_.rows = rows_;
    for (std::size_t j = 0; j < chosen_.size(); ++j) {
      const std::uint64_t count = scans_[j].missing_count();
      if (count > 0) missing_.of_column[chosen_[j].index] = count;
    }
  }

  // What nothing can be learned from is from now on none of the columns.
  void set_columns_aside() {
    count_missing();
    set_aside_.assign(chosen_.size(), false);
    if (!options_.set_aside) return;
    for (const ColumnScan& scan : scans_) looks_.push_back(scan.look());
    const auto reasons = reasons_to_set_aside(chosen_, looks_, beside_);
    std::vector<std::size_t> kept;
    for (std::size_t j = 0; j < reasons.size(); ++j) {
      if (reasons[j]) {
        warn_of_disguise(j);
        warn_of_two_styles(j, decimals_);
        ignored_.push_back({chosen_[j].name, chosen_[j].index, *reasons[j]});
        set_aside_[j] = true;
      } else {
        kept.push_back(j);
      }
    }
    if (ignored_.empty()) return;
    const auto keep = [&](auto& values) {
      for (std::size_t k = 0; k < kept.size(); ++k) {
        if (k != kept[k]) values[k] = std::move(values[kept[k]]);
      }
      values.erase(values.begin() + static_cast<std::ptrdiff_t>(kept.size()), values.end());
    };
    keep(chosen_);
    keep(scans_);
    keep(request_.columns);
    keep(request_.as_text);
    if (held_) held_->keep(kept);
  }

  [[nodiscard]] std::string hint_of(std::string_view text) const {
    return number_hint(text, cells_.decimal_comma(), file_.is_text());
  }

  void warn_of_disguise(std::size_t j) {
    const auto text = scans_[j].number_in_disguise();
    if (!text || chosen_[j].passenger) return;
    decimals_.push_back(not_a_number_warning(name_, chosen_[j].name, *text, hint_of(*text)));
  }

  void warn_of_two_styles(std::size_t j, std::vector<std::string>& warnings) const {
    if (const auto date = scans_[j].date_of_two_styles()) {
      warnings.push_back(two_styles_warning(name_, chosen_[j].name, *date));
    }
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
    std::string hint = hint_of(text);
    if (hint.empty() && markable) {
      hint = fmt::format(
          " (if it marks a missing value: --na {}; if these are names: --categorical {})",
          typed_name(text), typed_name(chosen_[j].name));
    }
    fail_cell(j, row_of(j), fmt::format("\"{}\" is not a number{}", shown(text), hint));
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
      if (scans_[j].kind() != ColumnKind::categorical) continue;
      // Where nothing is fitted the levels are only looked up.
      const bool pool = options_.pool_levels && !chosen_[j].is_label;
      const bool many = !options_.needed && scans_[j].levels(pool).levels.size() > kMostLevels;
      if (!many && !scans_[j].too_many_levels()) continue;
      throw Error(fmt::format(
          "{}: column \"{}\" has more than {} levels{}", name_, shown(chosen_[j].name),
          many || chosen_[j].is_label ? kMostLevels : kMostCountedLevels,
          chosen_[j].is_label
              ? ""
              : fmt::format(" (leave it out: --exclude {})", typed_name(chosen_[j].name))));
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
                                                                typed_name(chosen_[j].name))));
    }
  }

  // Under Missing::mean labels are not made up.
  [[nodiscard]] bool rows_need(std::size_t j) const {
    if (chosen_[j].passenger || scans_[j].first_missing() == kNoRow) return false;
    return options_.missing == Missing::drop ||
           (options_.missing == Missing::mean && chosen_[j].is_label);
  }

  [[nodiscard]] Column column_of(std::size_t j) const {
    Column column{chosen_[j].name, chosen_[j].index, scans_[j].kind(), {}};
    if (column.kind == ColumnKind::numeric) return column;
    const bool pool = options_.pool_levels && !chosen_[j].is_label && !chosen_[j].passenger;
    PooledLevels found = scans_[j].levels(pool);
    column.levels = std::move(found.levels);
    if (found.pooled) {
      const auto level = std::lower_bound(column.levels.begin(), column.levels.end(), kPooledLevel);
      column.pooled = static_cast<std::size_t>(level - column.levels.begin());
    }
    for (const std::string& level : column.levels) {
      if (chosen_[j].passenger || is_utf8(level)) continue;
      throw Error(fmt::format(R"({}: column "{}" has text that is not UTF-8: "{}")", name_,
                              shown(column.name), shown(level)));
    }
    return column;
  }

  void add_column(TableLayout& layout, std::size_t j, const Column& column) const {
    const ColumnScan& scan = scans_[j];
    std::optional<DateDecoding> date;
    if (const auto style = scan.date_style()) date = {*style, DatePart::day};
    layout.decoders.emplace_back(cells_, column, chosen_[j].as_levels, chosen_[j].passenger, date);
    add_cells(layout, j, chosen_[j].passenger ? missing_value : fill_value(scan, column));
    layout.any_missing =
        layout.any_missing || (!chosen_[j].passenger && scan.first_missing() != kNoRow);
    if (chosen_[j].is_label) {
      layout.schema.label = column;
    } else {
      layout.schema.features.push_back(column);
      const double fill = layout.fill.back();
      if (column.kind == ColumnKind::numeric && !std::isnan(fill)) {
        layout.schema.features.back().filled = fill;
      }
    }
  }

  // A column of its own, from the same cells.
  void add_part(TableLayout& layout, std::size_t j, DatePart part) const {
    const Column column{
        part_name(chosen_[j].name, part), chosen_[j].index, ColumnKind::numeric, {}};
    layout.decoders.emplace_back(cells_, column, false, false,
                                 DateDecoding{*scans_[j].date_style(), part});
    const bool filled = options_.missing == Missing::mean && scans_[j].first_missing() != kNoRow;
    add_cells(layout, j, filled ? scans_[j].dates().mean(part) : missing_value);
    layout.schema.features.push_back(column);
  }

  void add_cells(TableLayout& layout, std::size_t j, double fill) const {
    const bool is_date = scans_[j].is_date();
    layout.fill.push_back(fill);
    layout.passenger.push_back(chosen_[j].passenger);
    layout.rows_need.push_back(rows_need(j));
    layout.beyond_exact.push_back(scans_[j].beyond_exact());
    layout.date.push_back(is_date);
    layout.request.columns.push_back(chosen_[j].index);
    layout.request.as_text.push_back(layout.decoders.back().wants_spelling() ||
                                     (is_date && scans_[j].met_text()));
  }

  // Of a column of which a part of its dates is needed.
  void check_dates(std::size_t j) const {
    if (scans_[j].is_date()) return;
    if (const auto date = scans_[j].date_of_two_styles()) {
      throw Error(two_styles_warning(name_, chosen_[j].name, *date));
    }
    throw Error(fmt::format(R"({}: column "{}" holds no dates, and "{}" is needed)", name_,
                            shown(chosen_[j].name),
                            shown(part_name(chosen_[j].name, chosen_[j].parts->front()))));
  }

  // Of a date: those that are wanted, or come back. A column that has such a name already is it.
  [[nodiscard]] std::vector<DatePart> parts_of(std::size_t j) const {
    std::vector<DatePart> parts;
    if (chosen_[j].parts && !chosen_[j].parts->empty()) check_dates(j);
    if (!scans_[j].is_date() || chosen_[j].is_label) return parts;
    for (const DatePart part : kDateParts) {
      const auto& wanted = chosen_[j].parts;
      const bool made = wanted ? std::find(wanted->begin(), wanted->end(), part) != wanted->end()
                               : scans_[j].dates().comes_back(part);
      const std::string name = part_name(chosen_[j].name, part);
      const auto& columns = file_.columns();
      const bool taken = std::any_of(columns.begin(), columns.end(),
                                     [&](const FileColumn& column) { return column.name == name; });
      if (made && !taken) parts.push_back(part);
    }
    return parts;
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
    layout.request.columns.clear();
    layout.request.as_text.clear();
    for (std::size_t j = 0; j < chosen_.size(); ++j) {
      add_column(layout, j, column_of(j));
      if (held_) scans_[j].finish_values(layout.column(j), held_->column(j));
      for (const DatePart part : parts_of(j)) {
        held_.reset();  // there is no room between the columns
        add_part(layout, j, part);
      }
    }
    layout.schema.ignored = ignored_;
    layout.emptiest = emptiest();
    layout.missing_cells = std::move(missing_);
    table.values = std::move(held_);
    table.warnings = set_aside_warnings(name_, ignored_);
    for (std::size_t j = 0; j < chosen_.size(); ++j) warn_of_disguise(j);
    table.warnings.insert(table.warnings.end(), decimals_.begin(), decimals_.end());
    warn_of_values(table.warnings);
    table.looks = std::move(looks_);
    table.set_aside = std::move(set_aside_);
    return table;
  }

  // For those who lose all rows to them.
  [[nodiscard]] std::vector<std::string> emptiest() const {
    constexpr std::size_t few = 3;
    std::vector<std::size_t> order;
    for (std::size_t j = 0; j < chosen_.size(); ++j) {
      const bool counts = !chosen_[j].passenger && !chosen_[j].is_label;
      if (counts && scans_[j].missing_count() > 0) order.push_back(j);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return scans_[a].missing_count() > scans_[b].missing_count();
    });
    order.resize(std::min(order.size(), few));
    std::vector<std::string> names;
    names.reserve(order.size());
    for (const std::size_t j : order) names.push_back(chosen_[j].name);
    return names;
  }

  void warn_of_values(std::vector<std::string>& warnings) const {
    for (std::size_t j = 0; j < chosen_.size(); ++j) {
      if (chosen_[j].passenger) continue;
      const bool as_numbers = chosen_[j].as_levels || scans_[j].kind() == ColumnKind::numeric;
      if (scans_[j].beyond_exact() && as_numbers) {
        warnings.push_back(rounded_warning(name_, chosen_[j].name));
      }
      if (options_.missing == Missing::mean && rows_need(j)) {
        warnings.push_back(
            unlabelled_warning(name_, chosen_[j].name, scans_[j].missing_count(), rows_));
      }
      warn_of_two_styles(j, warnings);
      if (const auto mark = scans_[j].mark_of_missing()) {
        warnings.push_back(mark_warning(name_, chosen_[j].name, *mark, scans_[j].text_count()));
      }
    }
  }

  [[nodiscard]] double fill_value(const ColumnScan& scan, const Column& column) const {
    if (options_.missing != Missing::mean || scan.first_missing() == kNoRow) return missing_value;
    if (column.kind == ColumnKind::numeric) return scan.mean();
    const auto level =
        std::lower_bound(column.levels.begin(), column.levels.end(), scan.most_frequent_level());
    // The most frequent level is not rare, so it is there.
    return static_cast<double>(level - column.levels.begin());
  }

  const std::string& name_;
  std::uint64_t bytes_;
  const TableFile& file_;
  const CellReader& cells_;
  std::vector<ChosenColumn> chosen_;
  const ReadOptions& options_;
  std::size_t memory_;
  Progress& progress_;
  const std::vector<ColumnLook>& beside_;
  ReadRequest request_;
  std::vector<ColumnScan> scans_;
  std::optional<HeldValues> held_;  // while the table fits into the memory allowed
  std::size_t rows_ = 0;
  std::vector<ColumnLook> looks_;
  std::vector<bool> set_aside_;
  std::vector<IgnoredColumn> ignored_;
  std::vector<std::string> decimals_;  // warnings of numbers that are text
  MissingCells missing_;
};

}  // namespace

std::size_t most_level_bytes(std::size_t memory, std::size_t columns) {
  constexpr std::size_t least = std::size_t{1} << 20U;
  return std::max(least, memory / 8 / columns);
}

ScannedTable scan_table(const std::string& name, std::uint64_t bytes, const TableFile& file,
                        const CellReader& cells, const std::vector<ChosenColumn>& chosen,
                        const ReadOptions& options, std::size_t memory, Progress& progress,
                        const std::vector<ColumnLook>& beside) {
  return TableScan(name, bytes, file, cells, chosen, options, memory, progress, beside).run();
}

ScannedTable settle_table(const std::string& name, const TableFile& file, const CellReader& cells,
                          const std::vector<ChosenColumn>& chosen, const ReadOptions& options,
                          std::vector<ColumnScan> scans, std::size_t rows) {
  NoProgress quiet;
  return TableScan(name, 0, file, cells, chosen, options, 0, quiet, {})
      .run_on(std::move(scans), rows);
}

}  // namespace fsieve::io::table
