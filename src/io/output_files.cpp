#include "fsieve/output_files.h"

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "fsieve/error.h"
#include "fsieve/io.h"
#include "io/staged_table.h"

namespace fsieve {

OutputFiles::OutputFiles() = default;

OutputFiles::~OutputFiles() = default;

void OutputFiles::table(const std::string& path, const Source& source,
                        const std::vector<std::size_t>& columns, Progress& progress) {
  files_.push_back(io::staged_table(path, source, columns, progress));
}

void OutputFiles::text(const std::string& path, std::string_view content) {
  auto file = std::make_unique<AtomicFile>(path);
  file->write(content);
  file->stage();
  files_.push_back(std::move(file));
}

void OutputFiles::commit() {
  if (files_.empty()) return;
  std::size_t replaced = 0;
  try {
    for (; replaced + 1 < files_.size(); ++replaced) files_[replaced]->replace();
    files_.back()->commit();  // nothing can fail after it, so its old file is not kept
  } catch (...) {
    put_back(replaced);
    throw;
  }
  files_.clear();
}

// The first `count`, the last of them first. Throws when the system refuses even that.
void OutputFiles::put_back(std::size_t count) {
  const AtomicFile* stuck = nullptr;
  while (count > 0) {
    AtomicFile& file = *files_[--count];
    if (!file.put_back()) stuck = &file;
  }
  if (stuck == nullptr) return;
  throw Error(fmt::format(
      "{}: is new although another output failed, and cannot be put back{}", stuck->name(),
      stuck->old_name().empty() ? std::string()
                                : fmt::format("; its old content is in {}", stuck->old_name())));
}

void write_file_atomically(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace fsieve
