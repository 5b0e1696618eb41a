// Output files that appear whole or not at all.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "base/unfinished_files.h"

namespace fsieve::inline base {

// Where bytes go. write() throws on failure.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(std::string_view bytes) = 0;
};

// Writes under a temporary name in the same folder; commit() gives the file its name. Without
// commit() nothing is left. "-" is standard output; that and other things that are not plain files
// (pipes, devices) are written to directly.
class AtomicFile final : public ByteSink {
 public:
  // `suffix`: of the temporary name, which is then always the same, so that what a killed process
  // left is replaced by the next one. None: a name no file has.
  explicit AtomicFile(const std::string& path, std::string_view suffix = {});
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile() override;

  void write(std::string_view bytes) override;

  // Nothing is missing but the name: what can go wrong with the bytes has gone wrong by now. A file
  // that replaces another, and one that is `durable`, is on the disk, even when the power fails.
  void stage(bool durable = false);
  // Stages it if that is not done, and gives it its name.
  void commit(bool durable = false);

  // The same in two steps, for files that appear together. After replace() the old file can be put
  // back, until forget_old() or the end.
  void replace();
  // Whether all is as it was. If not, what was in the file is in the file old_name().
  [[nodiscard]] bool put_back() noexcept;
  void forget_old() noexcept;
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& old_name() const { return old_; }

 private:
  void open_target(std::string_view suffix);
  void open_directly();
  void open_temporary(std::string_view suffix, mode_t mode);
  void flush();
  void write_through(std::string_view bytes);
  void keep_old();
  void copy_old() const;
  void rename_to_target();
  [[nodiscard]] bool target_is_ours() const noexcept;
  [[noreturn]] void fail(int error) const;

  std::string name_;       // as messages call it
  std::string target_;     // links resolved
  std::string temporary_;  // empty when written to directly, and once it has its name
  std::string old_;        // where the old file is kept for put_back()
  bool replaces_ = false;  // there was a file before
  bool old_kept_ = false;
  dev_t device_ = 0;  // with inode_: which file is ours
  ino_t inode_ = 0;
  int descriptor_ = -1;
  std::string buffer_;
  UnfinishedFile unfinished_;
};

}  // namespace fsieve::base
