// One process at a time may use a file that is replaced as a whole, again and again.
#pragma once

#include <string>

#include "base/unfinished_files.h"

namespace fsieve::inline base {

// Holds `path`.fsieve-lock (name_beside), a small file that says which process has it. The file
// itself cannot be locked: its next version is another file. A process that dies lets go of its
// lock, so what a killed one left behind is in nobody's way.
class FileLock {
 public:
  // Throws Error, calling the file `name`, where another process or this one has it.
  FileLock(const std::string& path, const std::string& name);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  std::string path_;
  int descriptor_ = -1;
  UnfinishedFile unfinished_;  // a program that ends at once removes it
};

}  // namespace fsieve::base
