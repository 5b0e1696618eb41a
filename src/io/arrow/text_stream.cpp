#include "io/arrow/text_stream.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "io/file_format.h"

namespace fsieve::io {
namespace {

constexpr const char* damaged_stream = "the compressed data is damaged or truncated";

}  // namespace

TextStream::TextStream(std::shared_ptr<const ByteFile> file) : file_(std::move(file)) {
  const Compression compression = detect_compression(file_->read_start(4));
  if (compression == Compression::none) return;
  const auto kind =
      compression == Compression::gzip ? arrow::Compression::GZIP : arrow::Compression::ZSTD;
  codec_ = require(arrow::util::Codec::Create(kind), file_->name(),
                   "this build of Arrow cannot decompress the file");
  raw_ = std::make_shared<ArrowFile>(file_);
  compressed_ = require(arrow::io::CompressedInputStream::Make(codec_.get(), raw_), file_->name(),
                        damaged_stream);
}

std::size_t TextStream::read(char* out, std::size_t count) {
  if (!compressed_) {
    const std::size_t got = file_->read_at(position_, out, count);
    position_ += got;
    return got;
  }
  std::size_t done = 0;
  while (done < count) {
    const auto got = require(compressed_->Read(static_cast<std::int64_t>(count - done), out + done),
                             file_->name(), damaged_stream);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

void TextStream::skip(std::uint64_t count) {
  if (!compressed_) {
    position_ += count;
    return;
  }
  std::vector<char> scratch(std::min<std::uint64_t>(count, 1U << 20U));
  while (count > 0) {
    const std::size_t got = read(scratch.data(), std::min<std::uint64_t>(count, scratch.size()));
    if (got == 0) break;
    count -= got;
  }
}

std::uint64_t TextStream::file_position(std::size_t unused) const {
  return compressed_ ? raw_->position() : position_ - unused;
}

}  // namespace fsieve::io
