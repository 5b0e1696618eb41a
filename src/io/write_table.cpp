#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "base/atomic_file.h"
#include "base/ending.h"
#include "base/run_context.h"
#include "fsieve/error.h"
#include "fsieve/io.h"
#include "io/staged_table.h"
#include "io/table_writer.h"
#include "io/written_table.h"
#include "source/checked_source.h"

namespace fsieve {
namespace io {
namespace {

enum class OutputFormat { csv, tsv, json, npy, parquet, ipc };

struct OutputKind {
  std::string_view extension;
  OutputFormat format;
  Compression compression = Compression::none;
};

constexpr std::array<OutputKind, 11> kOutputKinds{{
    {".csv", OutputFormat::csv},
    {".tsv", OutputFormat::tsv},
    {".csv.gz", OutputFormat::csv, Compression::gzip},
    {".csv.zst", OutputFormat::csv, Compression::zstd},
    {".tsv.gz", OutputFormat::tsv, Compression::gzip},
    {".tsv.zst", OutputFormat::tsv, Compression::zstd},
    {".parquet", OutputFormat::parquet},
    {".feather", OutputFormat::ipc},
    {".arrow", OutputFormat::ipc},
    {".npy", OutputFormat::npy},
    {".json", OutputFormat::json},
}};

OutputKind kind_of(const std::string& path) {
  if (path == "-") return kOutputKinds[0];
  for (const OutputKind& kind : kOutputKinds) {
    if (ends_with_any_case(path, kind.extension)) return kind;
  }
  throw Error(fmt::format("{}: the extension does not say which format to write (known: {})", path,
                          fmt::join(table_extensions(), " ")),
              Error::Kind::usage);
}

[[noreturn]] void fail_without_arrow(const std::string& path) {
  throw Error(
      fmt::format("{}: this build of fsieve was made without Arrow and cannot write it", path));
}

std::unique_ptr<TableWriter> make_writer(const OutputKind& kind, ByteSink& sink,
                                         const std::string& path, WriterColumns columns) {
  switch (kind.format) {
    case OutputFormat::csv:
      return make_csv_writer(sink, ',', columns);
    case OutputFormat::tsv:
      return make_csv_writer(sink, '\t', columns);
    case OutputFormat::json:
      return make_json_writer(sink, path, std::move(columns));
    case OutputFormat::npy:
      return make_npy_writer(sink, path, std::move(columns));
#ifdef FSIEVE_ARROW
    case OutputFormat::parquet:
      return make_parquet_writer(sink, path, std::move(columns));
    case OutputFormat::ipc:
      return make_ipc_writer(sink, path, std::move(columns));
#endif
    default:
      break;
  }
  fail_without_arrow(path);
}

WriterColumns writer_columns(const Source& source, const std::vector<std::size_t>& positions) {
  const Schema& schema = source.schema();
  WriterColumns columns;
  columns.rows = source.rows();
  for (const std::size_t position : positions) {
    if (position >= schema.columns()) {
      throw Error(fmt::format("there is no column {} to write", position));
    }
    columns.names.push_back(position < schema.features.size() ? schema.features[position].name
                                                              : schema.label->name);
  }
  return columns;
}

void write_rows(TableWriter& writer, WrittenReader& reader, Progress& progress) {
  WrittenRows rows;
  std::uint64_t written = 0;
  while (reader.next(rows)) {
    writer.write(rows);
    progress.advance(written += rows.rows);
  }
  writer.finish();
}

}  // namespace

std::vector<std::string_view> table_extensions() {
  std::vector<std::string_view> extensions;
  extensions.reserve(kOutputKinds.size());
  for (const OutputKind& kind : kOutputKinds) extensions.push_back(kind.extension);
  return extensions;
}

std::unique_ptr<AtomicFile> staged_table(const std::string& path, const Source& given,
                                         const std::vector<std::size_t>& columns,
                                         Progress& progress) {
  const CheckedInput input(given);
  const Source& source = *input;
  const OutputKind kind = kind_of(path);
  const WriterColumns written = writer_columns(source, columns);
  const bool typed = kind.format != OutputFormat::csv && kind.format != OutputFormat::tsv;
  const auto rows = read_written(source, columns, typed);
  auto file = std::make_unique<AtomicFile>(path);
  progress.begin(fmt::format("writing {}", path == "-" ? "standard output" : path), source.rows());
  if (kind.compression == Compression::none) {
    const auto writer = make_writer(kind, *file, path, written);
    write_rows(*writer, *rows, progress);
  } else {
#ifdef FSIEVE_ARROW
    const auto sink = make_compressing_sink(*file, kind.compression, path);
    const auto writer = make_writer(kind, *sink, path, written);
    write_rows(*writer, *rows, progress);
    sink->finish();
#else
    fail_without_arrow(path);
#endif
  }
  file->stage();
  progress.end();
  return file;
}

}  // namespace io

void write_table(const std::string& path, const Source& source,
                 const std::vector<std::size_t>& columns, const RunContext& context) {
  within(context, [&] { io::staged_table(path, source, columns, context.watcher())->commit(); });
}

}  // namespace fsieve
