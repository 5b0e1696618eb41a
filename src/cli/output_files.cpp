#include "cli/output_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/ending.h"
#include "base/file_identity.h"
#include "cli/interrupt.h"
#include "fsieve/error.h"
#include "io/staged_table.h"

namespace fsieve::cli {
namespace {

[[noreturn]] void fail_to_write(const std::string& path, std::string_view why) {
  throw Error(fmt::format("{}: cannot write: {}", path, why));
}

[[noreturn]] void fail_to_write(const std::string& path, int error) {
  fail_to_write(path, std::generic_category().message(error));
}

// What would be in the file, for messages.
std::string_view content_of(const OutputFile& output) {
  if (output.holds == Holds::page) return "a page";
  if (output.holds == Holds::ranking) return "a ranking";
  const bool json = output.holds == Holds::json || ends_with_any_case(output.path, ".json");
  return json ? "JSON" : "a table";
}

void check_table_name(const std::string& path) {
  const std::vector<std::string_view> extensions = io::table_extensions();
  const bool known = std::any_of(extensions.begin(), extensions.end(), [&](std::string_view end) {
    return path.size() > end.size() && ends_with_any_case(path, end);
  });
  if (!known) {
    throw Error(
        fmt::format("-o {}: the extension must be one of {}", path, fmt::join(extensions, " ")),
        Error::Kind::usage);
  }
}

void check_ranking_name(const OutputFile& output) {
  if (ends_with_any_case(output.path, ".tsv") || ends_with_any_case(output.path, ".csv")) return;
  throw Error(fmt::format("{} {}: the extension must be .tsv or .csv", output.option, output.path),
              Error::Kind::usage);
}

// A table's name for something else would surprise those who open it.
void check_json_name(const OutputFile& output) {
  const std::vector<std::string_view> extensions = io::table_extensions();
  const bool table = std::any_of(extensions.begin(), extensions.end(), [&](std::string_view end) {
    return end != ".json" && ends_with_any_case(output.path, end);
  });
  if (!table) return;
  throw Error(fmt::format("{} {}: what is written is JSON: choose a name that ends in .json",
                          output.option, output.path),
              Error::Kind::usage);
}

void check_not_standard_output(const OutputFile& output) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(output.path, ignored)) return;
  if (!is_standard_output(output.path)) return;
  throw Error(fmt::format("{} {} is where standard output goes", output.option, output.path),
              Error::Kind::usage);
}

void check_different(const OutputFile& a, const OutputFile& b) {
  if (!same_file(a.path, b.path)) return;
  if (a.path == b.path) {
    throw Error(fmt::format("{} and {} both name {}", a.option, b.option, a.path),
                Error::Kind::usage);
  }
  throw Error(fmt::format("{} {} and {} {} are the same file", a.option, a.path, b.option, b.path),
              Error::Kind::usage);
}

void check_keeps(const OutputFile& output, const InputFile& input) {
  std::error_code ignored;
  if (!std::filesystem::exists(input.path, ignored)) return;  // "-", or reading says what is wrong
  const std::string_view content = content_of(output);
  const bool may_replace = input.holds == Holds::table && content == "a table";
  if (may_replace || !same_file(output.path, input.path)) return;
  throw Error(fmt::format("{} {} would replace the input {} by {}; choose another name",
                          output.option, output.path, input.path, content),
              Error::Kind::usage);
}

}  // namespace

void check_folder(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path file = linked_file(path);
  std::error_code problem;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, problem)) {
    fail_to_write(path, fmt::format("there is no folder {}", folder.string()));
  }
  struct stat status {};
  const bool exists = ::stat(file.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) fail_to_write(path, errno);  // a name too long
  if (exists && S_ISDIR(status.st_mode)) fail_to_write(path, "it is a folder");
  if (exists && ::access(file.c_str(), W_OK) != 0) fail_to_write(path, errno);
  const bool is_replaced = !exists || S_ISREG(status.st_mode);
  if (is_replaced && ::access(folder.c_str(), W_OK) != 0) fail_to_write(path, errno);
}

void check_outputs(const std::vector<OutputFile>& outputs, const std::vector<InputFile>& inputs) {
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    if (output->holds == Holds::table) check_table_name(output->path);
    if (output->holds == Holds::ranking) check_ranking_name(*output);
    check_folder(output->path);
    check_not_standard_output(*output);
    for (auto other = outputs.begin(); other != output; ++other) check_different(*other, *output);
    for (const InputFile& input : inputs) check_keeps(*output, input);
    if (output->holds == Holds::json) check_json_name(*output);
  }
}

bool holds_numbers_only(const std::string& path) { return ends_with_any_case(path, ".npy"); }

bool is_standard_output(const std::string& path) {
  struct stat named {};
  struct stat standard {};
  if (path == "-") return true;
  return ::stat(path.c_str(), &named) == 0 && ::fstat(STDOUT_FILENO, &standard) == 0 &&
         named.st_dev == standard.st_dev && named.st_ino == standard.st_ino;
}

void commit(OutputFiles& outputs) {
  stop_if_interrupted();
  const Undisturbed all_of_them;
  outputs.commit();
}

}  // namespace fsieve::cli
