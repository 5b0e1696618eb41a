#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/run_context.h"
#include "base/stop.h"
#include "fsieve/error.h"
#include "fsieve/io.h"
#include "io/file_format.h"
#include "io/file_source.h"
#include "io/formats.h"
#include "io/input_files.h"
#include "io/joined_files.h"
#include "table/column_choice.h"
#include "table/loaded_table.h"
#include "table/table_scan.h"

namespace fsieve {
namespace io {
namespace {

std::unique_ptr<TableFile> open_file(const std::shared_ptr<const ByteFile>& bytes,
                                     [[maybe_unused]] const ReadOptions& options,
                                     [[maybe_unused]] const CellReader& cells,
                                     [[maybe_unused]] std::vector<std::string>& warnings) {
  const FileFormat format = detect_format(*bytes);
  if (format == FileFormat::npy) return open_npy(bytes);
#ifdef FSIEVE_ARROW
  if (format == FileFormat::parquet) return open_parquet(bytes);
  if (format == FileFormat::ipc) return open_ipc(bytes);
  return open_csv(bytes, options, cells, warnings);
#else
  throw Error(
      fmt::format("{}: this build of fsieve reads only .npy files (it was built without "
                  "Arrow)",
                  bytes->name()));
#endif
}

// Files of a data set are written alike: the first tells.
char decimal_of(const InputFiles& files, const ReadOptions& options,
                [[maybe_unused]] std::vector<std::string>& warnings) {
  if (options.decimal) return *options.decimal;
#ifdef FSIEVE_ARROW
  const auto& first = files.parts().front();
  if (detect_format(*first) == FileFormat::text) return csv_decimal(first, options, warnings);
#endif
  return '.';
}

std::unique_ptr<TableFile> open_files(const InputFiles& files, const ReadOptions& options,
                                      const CellReader& cells, std::vector<std::string>& warnings) {
  if (files.parts().size() == 1) {
    return open_file(files.parts().front(), options, cells, warnings);
  }
  std::vector<TablePart> parts;
  for (const auto& part : files.parts()) {
    stop_if_asked();
    parts.push_back({part->name(), part->size(), open_file(part, options, cells, warnings)});
  }
  return join_files(std::move(parts));
}

std::vector<ChosenColumn> read_of(const std::vector<ChosenColumn>& chosen) {
  std::vector<ChosenColumn> read;
  std::copy_if(chosen.begin(), chosen.end(), std::back_inserter(read),
               [](const ChosenColumn& column) { return column.is_read; });
  return read;
}

std::vector<Column> kept_of(const std::vector<ChosenColumn>& chosen) {
  std::vector<Column> kept;
  kept.reserve(chosen.size());
  for (const ChosenColumn& column : chosen) {
    kept.push_back({column.name, column.index, ColumnKind::numeric, {}});
  }
  std::sort(kept.begin(), kept.end(),
            [](const Column& a, const Column& b) { return a.index < b.index; });
  return kept;
}

InputTable opened(const std::string& path, const ReadOptions& options, const RunContext& context) {
  InputTable input;
  if (options.first_row == 0 || options.first_row > options.last_row) {
    throw Error(fmt::format("rows {}:{} is not a range of rows (they count from 1)",
                            options.first_row, options.last_row),
                Error::Kind::usage);
  }
  const auto files = InputFiles::open(path);
  const char decimal = decimal_of(files, options, input.warnings);
  const auto cells = std::make_shared<const CellReader>(options.na, decimal);
  auto file = open_files(files, options, *cells, input.warnings);
  const auto chosen = choose_columns(files.name(), file->columns(), options);
  auto table = scan_table(files.name(), files.size(), *file, *cells, read_of(chosen), options,
                          context.memory, context.watcher());
  input.warnings.insert(input.warnings.end(), table.warnings.begin(), table.warnings.end());
  check_some_left(files.name(), table.layout.schema.features.size(), table.layout.schema.ignored,
                  file->is_text());

  const std::string& name = files.name();
  const bool incomplete = table.layout.drops_rows();
  auto values = std::exchange(table.values, std::nullopt);
  auto source =
      std::make_unique<FileSource>(files, cells, std::move(file), table.layout, kept_of(chosen));
  if (values) {
    table.values = std::move(values);
    source->hold(load_values(std::move(table), name));
    input.source = std::move(source);
    return input;
  }
  if (incomplete) source->count_complete_rows();
  if (source->rows() == 0) fail_no_complete_row(name, source->layout());
  const std::size_t columns = source->schema().columns();
  if (source->rows() <= context.memory / sizeof(double) / columns) {
    source->hold(MemorySource::load(*source));
  }
  input.source = std::move(source);
  return input;
}

}  // namespace
}  // namespace io

InputTable open_table(const std::string& path, const ReadOptions& options,
                      const RunContext& context) {
  return within(context, [&] { return io::opened(path, options, context); });
}

}  // namespace fsieve
