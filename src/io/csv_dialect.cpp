#include "io/csv_dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/shown_text.h"
#include "fsieve/error.h"
#include "table/decimal_comma.h"
#include "table/table_limits.h"

namespace fsieve::io {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kSampleRecords = 20;
constexpr std::size_t kDecimalRecords = 1000;
constexpr std::array<char, 4> kDelimiters{',', ';', '\t', '|'};

// One record from the start of `text`, or the beginning of one that has too many fields or too long
// a one. A quote opens a quoted field only at the field's start.
CsvRecord split_record(std::string_view text, char delimiter) {
  CsvRecord record;
  std::string field;
  bool quoted = false;
  bool field_start = true;
  std::size_t i = 0;
  for (; i < text.size() && field.size() <= kLongestCell; ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        field += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += c;
        ++i;
      } else {
        quoted = false;
      }
    } else if (c == '"' && field_start) {
      quoted = true;
      field_start = false;
    } else if (c == delimiter) {
      record.fields.push_back(std::exchange(field, {}));
      if (record.fields.size() > kMostColumns) return record;
      field_start = true;
    } else if (c == '\n' || c == '\r') {
      record.complete = true;
      i += c == '\r' && i + 1 < text.size() && text[i + 1] == '\n' ? 2 : 1;
      break;
    } else {
      field += c;
      field_start = false;
    }
  }
  record.fields.push_back(std::move(field));
  record.end = i;
  return record;
}

// How many records have as many fields as the first, and how many that is; nothing for one field.
std::pair<std::size_t, std::size_t> delimiter_worth(std::string_view sample, char delimiter) {
  auto records = split_records(sample, delimiter, kSampleRecords);
  if (records.size() > 1 && !records.back().complete) records.pop_back();
  if (records.empty() || records[0].fields.size() < 2) return {0, 0};
  const std::size_t fields = records[0].fields.size();
  if (fields > kMostColumns) return {0, fields};  // only if nothing else splits the text
  const auto alike = std::count_if(records.begin(), records.end(), [&](const CsvRecord& record) {
    return record.fields.size() == fields;
  });
  return {static_cast<std::size_t>(alike), fields};
}

// Whether this splits all records alike, with no comma but those of numbers in the fields.
bool leaves_decimal_commas(std::string_view sample, char delimiter) {
  auto records = split_records(sample, delimiter, kSampleRecords);
  if (records.size() > 1 && !records.back().complete) records.pop_back();
  bool any = false;
  for (const CsvRecord& record : records) {
    if (record.fields.size() < 2 || record.fields.size() != records[0].fields.size()) return false;
    for (const std::string& field : record.fields) {
      if (field.find(',') == std::string::npos) continue;
      const CommaNumber kind = comma_number(field);
      if (kind != CommaNumber::decimal && kind != CommaNumber::either) return false;
      any = true;
    }
  }
  return any;
}

char detect_delimiter(std::string_view sample) {
  for (const char delimiter : {';', '\t', '|'}) {
    if (leaves_decimal_commas(sample, delimiter)) return delimiter;
  }
  char best = ',';
  std::pair<std::size_t, std::size_t> best_worth{0, 0};
  for (const char delimiter : kDelimiters) {
    const auto worth = delimiter_worth(sample, delimiter);
    if (worth > best_worth) {
      best = delimiter;
      best_worth = worth;
    }
  }
  return best;
}

std::string_view without_mark(std::string_view sample) {
  return sample.substr(sample.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
}

char delimiter_of(std::string_view text, bool is_tsv, const ReadOptions& options) {
  if (options.delimiter) return *options.delimiter;
  return is_tsv ? '\t' : detect_delimiter(text);
}

std::optional<double> number_of(const std::string& field, const CellReader& cells) {
  double value = 0;
  if (cells.classify(field, value) != CellKind::number) return std::nullopt;
  return value;
}

// All fields numbers or missing, and not all missing.
bool is_data_row(const std::vector<std::string>& fields, const CellReader& cells) {
  bool any = false;
  for (const std::string& field : fields) {
    double value = 0;
    const CellKind kind = cells.classify(field, value);
    if (kind == CellKind::text) return false;
    any = any || kind == CellKind::number;
  }
  return any;
}

// 0, 1, 2, … or 1, 2, 3, …: what programs write that number their columns.
bool counts_up(const std::vector<std::string>& fields, const CellReader& cells) {
  const auto first = number_of(fields[0], cells);
  if (!first || (*first != 0 && *first != 1)) return false;
  for (std::size_t i = 1; i < fields.size(); ++i) {
    if (number_of(fields[i], cells) != *first + static_cast<double>(i)) return false;
  }
  return true;
}

bool all_whole(const std::vector<std::string>& fields, const CellReader& cells) {
  return std::all_of(fields.begin(), fields.end(), [&](const std::string& field) {
    const auto value = number_of(field, cells);
    return value && *value == std::floor(*value);
  });
}

// Programs that write the names of rows leave the corner above them empty.
bool has_corner(const std::vector<CsvRecord>& records, const CellReader& cells) {
  double value = 0;
  return trim_blanks(records[0].fields[0]).empty() && records[0].fields.size() > 1 &&
         records.size() > 1 && cells.classify(records[1].fields[0], value) == CellKind::text;
}

bool detect_header(const std::vector<CsvRecord>& records, const std::string& file_name,
                   const CellReader& cells, std::vector<std::string>& warnings) {
  const auto& first = records[0].fields;
  if (!is_data_row(first, cells) || has_corner(records, cells)) return true;
  // "0,1" above whole numbers is as likely a row of two-valued data as a row of names.
  const bool ambiguous =
      first.size() < 3 && (records.size() < 2 || all_whole(records[1].fields, cells));
  if (counts_up(first, cells) && !ambiguous) {
    warnings.push_back(fmt::format(
        "{}: the first row counts up from {}, so it was taken as the column names (if it is data: "
        "--no-header)",
        file_name, trim_blanks(first[0])));
    return true;
  }
  warnings.push_back(fmt::format(
      "{}: no header row found (the first row is all numbers): the columns are named x1, x2, …",
      file_name));
  return false;
}

std::vector<std::string> names_from(const std::vector<std::string>& fields) {
  std::vector<std::string> names;
  names.reserve(fields.size());
  for (const std::string& field : fields) names.emplace_back(trim_blanks(field));
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) continue;
    std::string name = fmt::format("x{}", i + 1);
    while (std::find(names.begin(), names.end(), name) != names.end()) name += '_';
    names[i] = std::move(name);
  }
  return names;
}

void check_text(std::string_view sample, const std::string& file_name) {
  if (sample.starts_with("\xFF\xFE") || sample.starts_with("\xFE\xFF")) {
    throw Error(fmt::format("{}: the text is UTF-16, and fsieve reads UTF-8", file_name));
  }
  if (sample.starts_with("PK\x03\x04")) {
    throw Error(fmt::format("{}: a ZIP archive, as workbooks are, and no table: save it as CSV",
                            file_name));
  }
  if (file_name.ends_with(".json") && (sample.starts_with('{') || sample.starts_with('['))) {
    throw Error(fmt::format("{}: no table is read from JSON: save it as CSV", file_name));
  }
}

std::size_t words_in(std::string_view text) {
  std::size_t words = 0;
  bool within = false;
  for (const char c : text) {
    words += c != ' ' && !within ? 1 : 0;
    within = c != ' ';
  }
  return words;
}

// A single column of several words in each row is more likely several columns.
void warn_of_blanks(const std::vector<CsvRecord>& records, const std::string& file_name,
                    std::vector<std::string>& warnings) {
  if (records.size() < 2) return;
  for (const CsvRecord& record : records) {
    if (record.fields.size() != 1) return;
  }
  const std::size_t words = words_in(records[0].fields[0]);
  if (words < 2 || words_in(records[1].fields[0]) != words) return;
  warnings.push_back(fmt::format(
      "{}: every row is one field (if blanks separate the fields: --delimiter ' ')", file_name));
}

// What no names and no data can be is said here, while little has been read.
void check_first_row(const CsvRecord& row, const std::string& file_name) {
  if (row.fields.size() > kMostColumns) fail_too_many_columns(file_name);
  for (const std::string& field : row.fields) {
    if (field.size() > kLongestCell) fail_long_cell(file_name, "the first row");
    if (field.find('\0') == std::string::npos) continue;
    throw Error(fmt::format("{}: not a text file", file_name));
  }
}

}  // namespace

std::vector<CsvRecord> split_records(std::string_view text, char delimiter, std::size_t limit) {
  std::vector<CsvRecord> records;
  std::size_t at = 0;
  while (records.size() < limit) {
    while (at < text.size() && (text[at] == '\n' || text[at] == '\r')) ++at;
    if (at == text.size()) break;
    CsvRecord record = split_record(text.substr(at), delimiter);
    record.end += at;
    at = record.end;
    records.push_back(std::move(record));
    if (!records.back().complete) break;
  }
  return records;
}

bool is_enough_sample(std::string_view sample, std::optional<char> delimiter) {
  constexpr std::size_t enough = 2;
  std::size_t records = 0;
  std::array<std::uint64_t, 256> counts{};  // of every byte in the first record
  bool quoted = false;
  bool blank = true;
  for (const char c : sample) {
    if (c == '"' && (quoted || blank)) quoted = !quoted;
    if (!quoted && (c == '\n' || c == '\r')) {
      records += blank ? 0 : 1;
      blank = true;
      continue;
    }
    if (records == enough) return true;
    blank = false;
    if (records == 0 && !quoted) ++counts[static_cast<unsigned char>(c)];
  }
  if (records > 0) return false;
  const auto too_wide = [&](char c) {
    return counts[static_cast<unsigned char>(c)] > kMostColumns;
  };
  return delimiter ? too_wide(*delimiter)
                   : std::any_of(kDelimiters.begin(), kDelimiters.end(), too_wide);
}

char detect_decimal(std::string_view sample, bool is_tsv, const std::string& file_name,
                    const ReadOptions& options, std::vector<std::string>& warnings) {
  const std::string_view text = without_mark(sample);
  const char delimiter = delimiter_of(text, is_tsv, options);
  if (delimiter == ',') return '.';
  auto records = split_records(text, delimiter, kDecimalRecords);
  if (records.size() > 1 && !records.back().complete) records.pop_back();
  if (records.empty() || records[0].fields.size() > kMostColumns) return '.';
  const CellReader with_points(options.na);
  const CellReader with_commas(options.na, ',');
  const std::size_t columns = records[0].fields.size();
  std::vector<std::string> decimal(columns);  // a value that only a decimal comma explains
  std::vector<bool> numbers(columns, true);
  // The first row may hold names, unless it is the only one.
  for (std::size_t r = records.size() > 1 ? 1 : 0; r < records.size(); ++r) {
    const auto& fields = records[r].fields;
    for (std::size_t j = 0; j < std::min(fields.size(), columns); ++j) {
      double value = 0;
      if (with_points.classify(fields[j], value) == CellKind::number &&
          fields[j].find('.') != std::string::npos) {
        return '.';
      }
      if (with_commas.classify(fields[j], value) == CellKind::text) numbers[j] = false;
      if (comma_number(fields[j]) == CommaNumber::decimal) decimal[j] = fields[j];
    }
  }
  for (std::size_t j = 0; j < columns; ++j) {
    if (!numbers[j] || decimal[j].empty()) continue;
    warnings.push_back(fmt::format(
        "{}: numbers have a decimal comma, as {} in column {}, and are read so (if not: --decimal "
        ".)",
        file_name, shown(trim_blanks(decimal[j])),
        records.size() > 1 && comma_number(records[0].fields[j]) == CommaNumber::none
            ? fmt::format("\"{}\"", shown(trim_blanks(records[0].fields[j])))
            : std::to_string(j + 1)));
    return ',';
  }
  return '.';
}

CsvDialect detect_dialect(std::string_view sample, bool is_tsv, const std::string& file_name,
                          const ReadOptions& options, const CellReader& cells,
                          std::vector<std::string>& warnings) {
  check_text(sample, file_name);
  const std::string_view text = without_mark(sample);
  const std::size_t skipped = sample.size() - text.size();
  CsvDialect dialect;
  dialect.delimiter = delimiter_of(text, is_tsv, options);
  if (std::string_view("\"\r\n").find(dialect.delimiter) != std::string_view::npos) {
    throw Error("the delimiter cannot be a quote or a line end", Error::Kind::usage);
  }
  const auto records = split_records(text, dialect.delimiter, 2);
  if (records.empty()) throw Error(fmt::format("{}: no data rows", file_name));
  check_first_row(records[0], file_name);
  if (!options.delimiter) warn_of_blanks(records, file_name, warnings);
  dialect.line_bytes = records[0].end;
  const bool header =
      options.header ? *options.header : detect_header(records, file_name, cells, warnings);
  if (header) {
    dialect.names = names_from(records[0].fields);
    dialect.data_offset = skipped + records[0].end;
  } else {
    dialect.names = names_from(std::vector<std::string>(records[0].fields.size()));
    dialect.data_offset = skipped;
  }
  return dialect;
}

}  // namespace fsieve::io
