// bench/read: reading CSV with fsieve beside plain Arrow, the same file in the same run.
#include <arrow/api.h>
#include <arrow/csv/api.h>
#include <arrow/io/api.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "fsieve/io.h"
#include "measure.h"

namespace fsieve::bench {
namespace {

constexpr std::size_t columns = 50;

double write_csv(const std::string& path, std::size_t rows, int decimals) {
  const std::vector<double> values = random_normals(rows * columns, 5);
  std::ofstream out(path);
  for (std::size_t j = 0; j < columns; ++j) out << (j ? "," : "") << 'x' << j + 1;
  out << '\n';
  double total = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const std::string text = fmt::format("{:.{}f}", values[i * columns + j], decimals);
      total += std::stod(text);
      out << (j ? "," : "") << text;
    }
    out << '\n';
  }
  return total;
}

double sum_with_fsieve(const std::string& path) {
  const auto source = open_table(path).source;
  double total = 0;
  for (const double value : source->in_memory()) total += value;
  return total;
}

double sum_with_arrow(const std::string& path) {
  const auto file = arrow::io::ReadableFile::Open(path).ValueOrDie();
  const auto reader = arrow::csv::TableReader::Make(arrow::io::default_io_context(), file,
                                                    arrow::csv::ReadOptions::Defaults(),
                                                    arrow::csv::ParseOptions::Defaults(),
                                                    arrow::csv::ConvertOptions::Defaults())
                          .ValueOrDie();
  const auto table = reader->Read().ValueOrDie();
  double total = 0;
  for (const auto& column : table->columns()) {
    for (const auto& chunk : column->chunks()) {
      const auto& values = static_cast<const arrow::DoubleArray&>(*chunk);
      for (std::int64_t i = 0; i < values.length(); ++i) total += values.Value(i);
    }
  }
  return total;
}

void compare(int decimals) {
  const std::string path = (std::filesystem::temp_directory_path() / "fsieve_bench.csv").string();
  const double expected = write_csv(path, 200'000, decimals);
  const auto megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  double ours = 0;
  double theirs = 0;
  const double arrow_time = best_of(3, [&] { theirs = sum_with_arrow(path); });
  const double fsieve_time = best_of(3, [&] { ours = sum_with_fsieve(path); });
  std::filesystem::remove(path);
  if (std::abs(ours - expected) > 1e-6 || std::abs(theirs - expected) > 1e-6) {
    fmt::print("WRONG ANSWER: {} and {} instead of {}\n", ours, theirs, expected);
    std::exit(1);
  }
  const double cores = std::thread::hardware_concurrency();
  fmt::print(
      "CSV, {:2} decimals  {:4.0f} MB   fsieve {:4.0f} MB/s and core, Arrow {:4.0f}: {:.2f} x "
      "Arrow's time\n",
      decimals, megabytes, megabytes / fsieve_time / cores, megabytes / arrow_time / cores,
      fsieve_time / arrow_time);
}

}  // namespace
}  // namespace fsieve::bench

int main() {
  fsieve::bench::compare(3);
  fsieve::bench::compare(15);
  fmt::print("peak memory  {:.0f} MiB\n", fsieve::bench::peak_mib());
  return 0;
}
