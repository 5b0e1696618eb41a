// Output files that appear whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace fsieve::io {

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
  // `durable`: the file is on the disk before the old one is gone, even when the power fails.
  void commit(bool durable = false);

 private:
  void flush();
  void write_through(std::string_view bytes);

  std::string name_;       // as messages call it
  std::string target_;     // links resolved
  std::string temporary_;  // empty when written to directly
  int descriptor_ = -1;
  std::string buffer_;
};

}  // namespace fsieve::io
