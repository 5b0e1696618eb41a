// The temporary files that are there right now, so that a program that has to end at once (a second
// Ctrl-C, no memory left) can remove them on its way out.
#pragma once

#include <string>

namespace fsieve::inline base {

// Registers a file while it lives. There is room for a few; further ones are not registered.
class UnfinishedFile {
 public:
  UnfinishedFile() = default;
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;
  ~UnfinishedFile() { release(); }

  void set(const std::string& path) noexcept;
  void release() noexcept;

 private:
  int slot_ = -1;
};

// Removes the registered files. Safe in a signal handler; only for a program that ends then.
void remove_unfinished_files() noexcept;

}  // namespace fsieve::base
