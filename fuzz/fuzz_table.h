// Tables of any format: what is read must be a table as the library promises it, and the same
// whether it is held in memory or read from the file block by block.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "fsieve/io.h"
#include "fuzz_target.h"

namespace fsieve::fuzz {

// The options that a first byte stands for: any byte is some of them.
inline ReadOptions options_of(std::uint8_t byte) {
  ReadOptions options;
  constexpr Missing treatments[] = {Missing::error, Missing::drop, Missing::mean};
  options.missing = treatments[byte % 3];
  if ((byte & 4U) != 0) options.label = "y";
  if ((byte & 8U) != 0) options.needed = std::vector<std::string>{"a"};
  if ((byte & 16U) != 0) options.na = {"NA", "?"};
  if ((byte & 32U) != 0) options.first_row = 2;
  if ((byte & 64U) != 0) options.categorical = {"a"};
  return options;
}

struct HeldTable {
  std::vector<Column> columns;
  std::vector<std::vector<double>> values;
  std::size_t rows = 0;
};

inline HeldTable held(const Source& source) {
  HeldTable table;
  table.columns = source.schema().features;
  if (source.schema().label) table.columns.push_back(*source.schema().label);
  table.rows = source.rows();
  table.values.resize(table.columns.size());
  const auto reader = source.open();
  Block block;
  std::size_t rows = 0;
  while (reader->next(block)) {
    expect(block.first_row == rows, "blocks follow each other");
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      const auto column = block.column(j);
      table.values[j].insert(table.values[j].end(), column.begin(), column.end());
    }
    rows += block.rows;
  }
  expect(rows == table.rows, "as many rows as promised");
  return table;
}

inline void expect_promises(const HeldTable& table, bool has_passengers) {
  expect(table.rows > 0, "a table has rows");
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const Column& column = table.columns[j];
    for (const double value : table.values[j]) {
      if (has_passengers && !std::isfinite(value)) continue;
      expect(std::isfinite(value), "values are finite");
      if (column.kind == ColumnKind::numeric) continue;
      expect(value >= 0 && value == std::floor(value), "a level is a position");
      expect(value < static_cast<double>(column.levels.size()), "a level is one of the column's");
    }
  }
}

inline void expect_same(const HeldTable& a, const HeldTable& b) {
  expect(a.rows == b.rows && a.columns.size() == b.columns.size(), "the same shape");
  for (std::size_t j = 0; j < a.columns.size(); ++j) {
    expect(a.columns[j].name == b.columns[j].name, "the same names");
    expect(a.columns[j].levels == b.columns[j].levels, "the same levels");
    for (std::size_t i = 0; i < a.rows; ++i) {
      const double x = a.values[j][i];
      const double y = b.values[j][i];
      expect(x == y || (std::isnan(x) && std::isnan(y)), "the same values");
    }
  }
}

// Reads `path` both ways under the options of `byte`.
inline void read_table(const std::string& path, std::uint8_t byte) {
  const ReadOptions options = options_of(byte);
  HeldTable in_memory;
  const bool read = accepted([&] { in_memory = held(*open_table(path, options).source); });
  if (read) expect_promises(in_memory, options.needed.has_value());
  RunContext context;
  context.memory = 0;
  HeldTable streamed;
  const bool read_again =
      accepted([&] { streamed = held(*open_table(path, options, context).source); });
  expect(read == read_again, "memory does not decide what is accepted");
  if (read) expect_same(in_memory, streamed);
}

// The body of a target: the first byte chooses options, the rest is the file.
inline int fuzz_table(InputFile& file, const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  read_table(file.hold(text_of(data + 1, size - 1)), data[0]);
  return 0;
}

}  // namespace fsieve::fuzz
