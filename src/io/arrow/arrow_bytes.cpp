#include "io/arrow/arrow_bytes.h"

#include <arrow/buffer.h>
#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>

#include "fsieve/error.h"

namespace fsieve::io {

arrow::Status ArrowFile::Close() {
  closed_ = true;
  return arrow::Status::OK();
}

arrow::Status ArrowFile::Seek(std::int64_t position) {
  if (position < 0) return arrow::Status::Invalid("negative position");
  position_ = position;
  return arrow::Status::OK();
}

arrow::Result<std::int64_t> ArrowFile::GetSize() {
  return static_cast<std::int64_t>(file_->size());
}

// No exception may cross Arrow's code, which calls this from its own threads.
arrow::Result<std::int64_t> ArrowFile::Read(std::int64_t count, void* out) {
  try {
    const auto got = file_->read_at(position(), out, static_cast<std::size_t>(count));
    position_ += static_cast<std::int64_t>(got);
    return static_cast<std::int64_t>(got);
  } catch (const std::exception& error) {
    return arrow::Status::IOError(error.what());
  }
}

arrow::Result<std::shared_ptr<arrow::Buffer>> ArrowFile::Read(std::int64_t count) {
  ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateResizableBuffer(count));
  ARROW_ASSIGN_OR_RAISE(const std::int64_t got, Read(count, buffer->mutable_data()));
  ARROW_RETURN_NOT_OK(buffer->Resize(got, false));
  return std::shared_ptr<arrow::Buffer>(std::move(buffer));
}

bool may_use_threads() {
  return tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism) > 1;
}

void require(const arrow::Status& status, std::string_view file_name, std::string_view what) {
  if (status.ok()) return;
  if (status.IsOutOfMemory()) throw Error(fmt::format("{}: out of memory", file_name));
  throw Error(fmt::format("{}: {}", file_name, what));
}

}  // namespace fsieve::io
