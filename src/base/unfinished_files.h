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

// Stands around the making and the registering of a file, so that no end of the program comes
// between them. Where the program is ending already, it waits for that.
class MakingFile {
 public:
  MakingFile() noexcept;
  ~MakingFile();
  MakingFile(const MakingFile&) = delete;
  MakingFile& operator=(const MakingFile&) = delete;
};

// Both safe in a signal handler; only for a program that ends then.
// From now on no file is made. False while one still is.
bool stop_making_files() noexcept;
// Removes the registered files.
void remove_unfinished_files() noexcept;

}  // namespace fsieve::base
