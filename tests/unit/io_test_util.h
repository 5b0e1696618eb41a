// Files in a folder of their own, and tables as plain vectors.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "fsieve/error.h"
#include "fsieve/io.h"

namespace fsieve::io_test {

class IoTest : public ::testing::Test {
 protected:
  IoTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "fsieve-io-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
  }
  ~IoTest() override { std::filesystem::remove_all(folder_); }

  // A build without Arrow reads only NPY files.
  void SetUp() override {
    if (needs_arrow() &&
        error(file("probe.csv", "a\n1\n")).find("without Arrow") != std::string::npos) {
      GTEST_SKIP() << "built without Arrow";
    }
    std::filesystem::remove(path("probe.csv"));
  }
  [[nodiscard]] virtual bool needs_arrow() const { return true; }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  [[nodiscard]] static std::string contents(const std::string& path) {
    std::ostringstream out;
    out << std::ifstream(path, std::ios::binary).rdbuf();
    return out.str();
  }

  std::unique_ptr<Source> open(const std::string& path, const ReadOptions& options = {},
                               std::size_t memory = RunContext{}.memory) {
    warnings_.clear();
    RunContext context;
    context.memory = memory;
    InputTable input = open_table(path, options, context);
    warnings_ = std::move(input.warnings);
    return std::move(input.source);
  }

  // The message of the error that opening gives, without the folder.
  std::string error(const std::string& path, const ReadOptions& options = {}) {
    return message([&] { open(path, options); });
  }

  std::string message(const std::function<void()>& work) const {
    try {
      work();
    } catch (const Error& error) {
      std::string text = error.what();
      const std::string prefix = folder_.string() + "/";
      for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
        text.erase(at, prefix.size());
      }
      return text;
    }
    return "no error";
  }

  std::filesystem::path folder_;
  std::vector<std::string> warnings_;
};

inline std::vector<std::string> names(const Source& source) {
  std::vector<std::string> out;
  for (const Column& column : source.schema().features) out.push_back(column.name);
  return out;
}

// Column by column, read through blocks; checks that the blocks have the sizes promised.
inline std::vector<std::vector<double>> values(const Source& source) {
  const std::size_t columns = source.schema().columns();
  const std::size_t step = block_rows(columns);
  std::vector<std::vector<double>> out(columns);
  const auto reader = source.open();
  Block block;
  std::size_t row = 0;
  while (reader->next(block)) {
    EXPECT_EQ(block.first_row, row);
    EXPECT_EQ(block.rows, std::min(step, source.rows() - row));
    for (std::size_t j = 0; j < columns; ++j) {
      const auto column = block.column(j);
      out[j].insert(out[j].end(), column.begin(), column.end());
    }
    row += block.rows;
  }
  EXPECT_EQ(row, source.rows());
  return out;
}

using Columns = std::vector<std::vector<double>>;
using Texts = std::vector<std::string>;

}  // namespace fsieve::io_test
