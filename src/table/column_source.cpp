#include "table/column_source.h"

#include <fmt/format.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <new>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "fsieve/error.h"
#include "source/trusted_source.h"
#include "table/column_choice.h"
#include "table/column_table.h"
#include "table/loaded_table.h"
#include "table/row_numbers.h"
#include "table/set_aside.h"
#include "table/table_scan.h"

namespace fsieve::io::inline table {
namespace {

// A column as the methods read it.
struct SourceColumn {
  std::shared_ptr<const NumberColumn> numbers;
  bool all_rows = true;  // still has the rows that are left out
};

// Where all columns, but for a label, are doubles at equal distances a block is a view of them.
struct PlainLayout {
  const double* first = nullptr;
  std::size_t stride = 0;
};

std::optional<PlainLayout> plain_layout(std::span<const SourceColumn> columns, std::size_t rows,
                                        bool rows_left_out) {
  if (columns.empty()) return std::nullopt;
  std::vector<const double*> starts;
  for (const SourceColumn& column : columns) {
    if (column.all_rows && rows_left_out) return std::nullopt;
    starts.push_back(column.numbers->plain());
    if (starts.back() == nullptr) return std::nullopt;
  }
  if (starts.size() == 1) return PlainLayout{starts[0], rows};
  if (starts[1] < starts[0]) return std::nullopt;
  const auto distance = starts[1] - starts[0];
  for (std::size_t j = 1; j < starts.size(); ++j) {
    if (starts[j] < starts[j - 1] || starts[j] - starts[j - 1] != distance) return std::nullopt;
  }
  return PlainLayout{starts[0], static_cast<std::size_t>(distance)};
}

// Rows whose first numbers are doubles side by side, as in an array in row order.
struct RowLayout {
  const double* first = nullptr;
  std::size_t step = 0;     // from row to row
  std::size_t columns = 0;  // so many of them
};

RowLayout row_layout(const std::vector<SourceColumn>& columns, bool rows_left_out) {
  RowLayout layout;
  for (const SourceColumn& column : columns) {
    const NumberColumn::Spaced own = column.numbers->spaced();
    if (own.step < 2 || (column.all_rows && rows_left_out)) break;
    if (layout.columns == 0) layout = {own.first, own.step, 0};
    if (own.first != layout.first + layout.columns || own.step != layout.step) break;
    ++layout.columns;
  }
  return layout;
}

// Rows to columns, a line of the cache of each at a time.
void turn(const double* from, std::size_t step, std::size_t rows, std::size_t columns, double* to,
          std::size_t stride) {
  constexpr std::size_t line = 8;
  std::size_t i = 0;
  for (; i + line <= rows; i += line) {
    for (std::size_t j = 0; j < columns; ++j) {
      const double* in = from + i * step + j;
      double* out = to + j * stride + i;
      for (std::size_t k = 0; k < line; ++k) out[k] = in[k * step];
    }
  }
  for (; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) to[j * stride + i] = from[i * step + j];
  }
}

class ColumnSource final : public TrustedSource {
 public:
  ColumnSource(Schema schema, std::vector<SourceColumn> columns, std::size_t rows,
               std::vector<std::size_t> kept_rows)
      : schema_(std::move(schema)),
        columns_(std::move(columns)),
        kept_rows_(std::move(kept_rows)),
        rows_(rows),
        plain_(plain_layout(columns_, rows, !kept_rows_.empty())),
        in_rows_(row_layout(columns_, !kept_rows_.empty())),
        interleaved_(std::any_of(columns_.begin(), columns_.end(), [](const SourceColumn& column) {
          return column.numbers->interleaved();
        })) {
    if (!plain_ && schema_.label) set_label_apart();
  }

  [[nodiscard]] const Schema& schema() const override { return schema_; }
  [[nodiscard]] std::size_t rows() const override { return rows_; }
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override;
  [[nodiscard]] std::span<const double> in_memory() const override {
    if (!plain_ || plain_->stride != rows_ || label_apart_ != nullptr) return {};
    return {plain_->first, rows_ * columns_.size()};
  }

  [[nodiscard]] bool is_held() const override { return true; }

  [[nodiscard]] const std::optional<PlainLayout>& plain() const { return plain_; }
  // The label where it does not lie behind the features; else null.
  [[nodiscard]] const double* label_apart() const { return label_apart_; }

  // Copies rows [row, row + count) of all columns.
  void gather(std::size_t row, std::size_t count, double* out, std::size_t stride) const {
    // Where a row's numbers lie side by side, few rows at a time, so that they stay in the cache
    // while all columns are picked out. Isolated: while this thread waits it must not take up other
    // work, which may wait for this block.
    constexpr std::size_t tile = 32;
    constexpr std::size_t rows_per_task = 512;
    const std::size_t step = interleaved_ ? tile : rows_per_task;
    const tbb::blocked_range<std::size_t> rows(0, count, rows_per_task);
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(rows, [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t first = range.begin(); first < range.end(); first += step) {
          const std::size_t some = std::min(step, range.end() - first);
          if (in_rows_.columns > 0) {
            turn(in_rows_.first + (row + first) * in_rows_.step, in_rows_.step, some,
                 in_rows_.columns, out + first, stride);
          }
          for (std::size_t j = in_rows_.columns; j < columns_.size(); ++j) {
            column_values(columns_[j], row + first, some, out + j * stride + first);
          }
        }
      });
    });
  }

 private:
  void column_values(const SourceColumn& column, std::size_t row, std::size_t count,
                     double* out) const {
    if (column.all_rows && !kept_rows_.empty()) {
      column.numbers->values(std::span(kept_rows_).subspan(row, count), out);
    } else {
      column.numbers->values(row, count, out);
    }
  }

  // Features that lie well are not copied for the sake of the label.
  void set_label_apart() {
    const std::span<const SourceColumn> all(columns_);
    plain_ = plain_layout(all.first(all.size() - 1), rows_, !kept_rows_.empty());
    if (!plain_) return;
    label_apart_ = all.back().numbers->plain();
    if (label_apart_ != nullptr && (kept_rows_.empty() || !all.back().all_rows)) return;
    label_.resize(rows_);
    column_values(all.back(), 0, rows_, label_.data());
    label_apart_ = label_.data();
  }

  Schema schema_;
  std::vector<SourceColumn> columns_;
  std::vector<std::size_t> kept_rows_;
  std::size_t rows_;
  std::optional<PlainLayout> plain_;
  std::vector<double> label_;
  const double* label_apart_ = nullptr;
  RowLayout in_rows_;
  bool interleaved_;
};

class ColumnBlocks final : public BlockReader {
 public:
  explicit ColumnBlocks(const ColumnSource& source)
      : source_(source), step_(block_rows(source.schema().columns())) {}

  bool next(Block& block) override {
    if (row_ >= source_.rows()) return false;
    block.first_row = row_;
    block.rows = std::min(step_, source_.rows() - row_);
    if (const auto& plain = source_.plain()) {
      block.stride = plain->stride;
      block.values = plain->first + row_;
      block.apart = source_.schema().features.size();
      block.apart_values =
          source_.label_apart() != nullptr ? source_.label_apart() + row_ : nullptr;
    } else {
      // A step of 4096 numbers would put all columns of a row on the same lines of the cache.
      constexpr std::size_t cache_line = 8;
      block.stride = step_ + cache_line;
      block.storage.resize(block.stride * source_.schema().columns());
      block.values = block.storage.data();
      source_.gather(row_, block.rows, block.storage.data(), block.stride);
    }
    row_ += block.rows;
    return true;
  }

 private:
  const ColumnSource& source_;
  std::size_t step_;
  std::size_t row_ = 0;
};

std::unique_ptr<BlockReader> ColumnSource::open() const {
  return std::make_unique<ColumnBlocks>(*this);
}

// A column of a decoded table, which it keeps alive.
std::shared_ptr<const NumberColumn> decoded_column(const std::shared_ptr<const Source>& table,
                                                   std::size_t j) {
  const auto values = table->in_memory().subspan(j * table->rows(), table->rows());
  NumberPiece piece;
  piece.first = reinterpret_cast<const char*>(values.data());
  piece.step = sizeof(double);
  piece.rows = values.size();
  return std::make_shared<NumberColumn>(std::vector{piece}, table);
}

// Which columns have a number in every row. Columns that lie side by side are read together, some
// rows at a time; others one by one.
std::vector<char> complete_columns(const std::vector<const NumberColumn*>& columns) {
  std::vector<std::atomic<char>> complete(columns.size());
  std::vector<std::size_t> beside;
  std::vector<std::size_t> alone;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    complete[j] = columns[j] != nullptr ? 1 : 0;
    if (columns[j] != nullptr) (columns[j]->interleaved() ? beside : alone).push_back(j);
  }
  in_parallel(alone.size(), [&](std::size_t k) {
    const NumberColumn& column = *columns[alone[k]];
    if (!column.finite(0, column.rows())) complete[alone[k]] = 0;
  });
  const std::size_t rows = beside.empty() ? 0 : columns[beside[0]]->rows();
  constexpr std::size_t step = 256;
  in_parallel((rows + step - 1) / step, [&](std::size_t tile) {
    const std::size_t first = tile * step;
    for (const std::size_t j : beside) {
      if (!columns[j]->finite(first, std::min(step, rows - first))) complete[j] = 0;
    }
  });
  return {complete.begin(), complete.end()};
}

// The numbers of columns that can be used as they lie; null for those that must be decoded.
std::vector<std::shared_ptr<const NumberColumn>> usable_as_they_are(
    const std::vector<NamedColumn>& columns, const std::vector<ChosenColumn>& chosen,
    const CellReader& cells) {
  std::vector<std::shared_ptr<const NumberColumn>> usable(chosen.size());
  if (cells.has_na_numbers()) return usable;
  std::vector<const NumberColumn*> numbers(chosen.size(), nullptr);
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    if (chosen[j].as_levels || (chosen[j].is_date && !chosen[j].is_label)) continue;
    usable[j] = std::dynamic_pointer_cast<const NumberColumn>(columns[chosen[j].index].cells);
    numbers[j] = usable[j].get();
  }
  const std::vector<char> complete = complete_columns(numbers);
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    if (complete[j] == 0) usable[j] = nullptr;
  }
  return usable;
}

// Whether the numbers of a column count the rows; most are found out within the first rows.
bool count_rows(const NumberColumn& column) {
  RowNumbers numbers;
  std::array<double, RowNumbers::kLook> some;
  for (std::size_t row = 0; row < column.rows() && numbers.possible(); row += some.size()) {
    const std::size_t count = std::min(some.size(), column.rows() - row);
    column.values(row, count, some.data());
    if (row == 0 && RowNumbers::too_few_values({some.data(), count})) return false;
    for (std::size_t i = 0; i < count; ++i) numbers.add(some[i]);
  }
  return numbers.count_rows();
}

// What the columns that can be used as they lie look like.
std::vector<ColumnLook> looks_of(const std::vector<std::shared_ptr<const NumberColumn>>& usable,
                                 const std::vector<ChosenColumn>& chosen) {
  std::vector<ColumnLook> looks(usable.size());
  in_parallel(usable.size(), [&](std::size_t j) {
    if (!usable[j] || chosen[j].is_label) return;
    looks[j].number = true;
    looks[j].counts_rows = count_rows(*usable[j]);
    looks[j].rounds_to_one = usable[j]->rounds_to_one();
  });
  return looks;
}

// Types, levels and missing values of the columns that need it.
struct Decoded {
  std::shared_ptr<const MemorySource> table;
  std::vector<std::size_t> kept_rows;
  std::vector<std::string> warnings;
  std::vector<ColumnLook> looks;
  std::vector<bool> set_aside;
  MissingCells missing;
};

Decoded decode(const std::string& name, const std::vector<NamedColumn>& columns,
               const std::vector<ChosenColumn>& chosen, const ReadOptions& options,
               const CellReader& cells, Progress& progress, const std::vector<ColumnLook>& beside) {
  const std::uint64_t rows = columns[0].cells->rows();
  const ColumnTable cell_table(columns);
  constexpr std::size_t memory = SIZE_MAX;  // decoded columns are always held
  ScannedTable table =
      scan_table(name, rows, cell_table, cells, chosen, options, memory, progress, beside);
  if (!table.values) table.values = decoded_values(cell_table, table.layout);
  Decoded decoded;
  if (table.layout.drops_rows()) {
    const std::vector<char> complete = complete_rows(*table.values, table.layout);
    for (std::size_t i = 0; i < complete.size(); ++i) {
      if (complete[i] != 0) decoded.kept_rows.push_back(i);
    }
  }
  decoded.warnings = std::move(table.warnings);
  decoded.looks = std::move(table.looks);
  decoded.set_aside = std::move(table.set_aside);
  decoded.missing = std::move(table.layout.missing_cells);
  decoded.table = load_values(std::move(table), name);
  return decoded;
}

// Whether the next decoded feature is another one of the same column.
bool is_part(const Schema& decoded, std::size_t next, std::size_t index) {
  return next < decoded.features.size() && decoded.features[next].index == index;
}

}  // namespace

OpenedColumns open_columns(const std::string& name, const std::vector<NamedColumn>& columns,
                           const ReadOptions& options, Progress& progress) {
  const ColumnTable table(columns);
  const CellReader cells(options.na, options.decimal.value_or('.'));
  auto chosen = choose_columns(name, table.columns(), options);
  std::erase_if(chosen, [](const ChosenColumn& column) { return !column.is_read; });
  check_lengths(name, columns);
  if (columns[0].cells->rows() == 0) throw Error(fmt::format("{}: no data rows", name));

  const auto usable = usable_as_they_are(columns, chosen, cells);
  std::vector<ColumnLook> looks(chosen.size());
  if (options.set_aside) looks = looks_of(usable, chosen);
  std::vector<ChosenColumn> others;
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    if (!usable[j]) others.push_back(chosen[j]);
  }
  Decoded decoded;
  if (!others.empty()) decoded = decode(name, columns, others, options, cells, progress, looks);
  const auto reasons = reasons_to_set_aside(chosen, looks, decoded.looks);

  Schema schema;
  std::vector<SourceColumn> all;
  std::vector<std::string> rounded;
  std::size_t next = 0;   // of the decoded ones
  std::size_t other = 0;  // of those that had to be looked at
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    Column column{chosen[j].name, chosen[j].index, ColumnKind::numeric, {}};
    if (usable[j] && reasons[j]) {
      schema.ignored.push_back({chosen[j].name, chosen[j].index, *reasons[j]});
      continue;
    }
    if (!usable[j] && decoded.set_aside[other++]) continue;
    if (usable[j]) {
      if (usable[j]->beyond_exact()) rounded.push_back(rounded_warning(name, chosen[j].name));
      all.push_back({usable[j], true});
    } else {
      const Schema& known = decoded.table->schema();
      column = chosen[j].is_label ? *known.label : known.features[next];
      all.push_back({decoded_column(decoded.table, next++), decoded.kept_rows.empty()});
    }
    if (chosen[j].is_label) {
      schema.label = std::move(column);
    } else {
      schema.features.push_back(std::move(column));
    }
    while (!usable[j] && is_part(decoded.table->schema(), next, chosen[j].index)) {
      schema.features.push_back(decoded.table->schema().features[next]);
      all.push_back({decoded_column(decoded.table, next++), decoded.kept_rows.empty()});
    }
  }
  const std::size_t rows =
      decoded.kept_rows.empty() ? columns[0].cells->rows() : decoded.kept_rows.size();
  OpenedColumns opened;
  opened.kept_rows = decoded.kept_rows;
  opened.missing = std::move(decoded.missing);
  opened.missing.rows = columns[0].cells->rows();  // also where no column had to be looked at
  opened.warnings = set_aside_warnings(name, schema.ignored);
  opened.warnings.insert(opened.warnings.end(), rounded.begin(), rounded.end());
  opened.warnings.insert(opened.warnings.end(), decoded.warnings.begin(), decoded.warnings.end());
  if (decoded.table) {
    const auto& found = decoded.table->schema().ignored;
    schema.ignored.insert(schema.ignored.end(), found.begin(), found.end());
  }
  std::sort(schema.ignored.begin(), schema.ignored.end(),
            [](const IgnoredColumn& a, const IgnoredColumn& b) { return a.index < b.index; });
  check_some_left(name, schema.features.size(), schema.ignored);
  opened.source = std::make_unique<ColumnSource>(std::move(schema), std::move(all), rows,
                                                 std::move(decoded.kept_rows));
  return opened;
}

}  // namespace fsieve::io::table
