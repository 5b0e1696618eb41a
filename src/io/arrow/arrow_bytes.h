// Our files as Arrow sees them, and Arrow's failures as our errors.
#pragma once

#include <arrow/io/interfaces.h>
#include <arrow/result.h>
#include <arrow/status.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <string_view>

#include "io/byte_file.h"

namespace fsieve::io {

// Reads through the one descriptor of a ByteFile; several may be open at a time.
class ArrowFile final : public arrow::io::RandomAccessFile {
 public:
  explicit ArrowFile(std::shared_ptr<const ByteFile> file) : file_(std::move(file)) {}

  arrow::Status Close() override;
  [[nodiscard]] bool closed() const override { return closed_; }
  [[nodiscard]] arrow::Result<std::int64_t> Tell() const override { return position_; }
  arrow::Status Seek(std::int64_t position) override;
  arrow::Result<std::int64_t> GetSize() override;
  arrow::Result<std::int64_t> Read(std::int64_t count, void* out) override;
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(std::int64_t count) override;

  [[nodiscard]] std::uint64_t position() const { return static_cast<std::uint64_t>(position_); }

 private:
  std::shared_ptr<const ByteFile> file_;
  std::int64_t position_ = 0;
  bool closed_ = false;
};

// Arrow has threads of its own and knows nothing of the limit set on ours; it can only be told to
// use none where one thread is all we may have.
[[nodiscard]] bool may_use_threads();

// Throws "FILE: WHAT" unless the status is good.
void require(const arrow::Status& status, std::string_view file_name, std::string_view what);

template <typename Value>
Value require(arrow::Result<Value> result, std::string_view file_name, std::string_view what) {
  require(result.status(), file_name, what);
  return std::move(result).ValueUnsafe();
}

}  // namespace fsieve::io
