#include <arrow/util/compression.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "io/arrow/arrow_bytes.h"
#include "io/table_writer.h"

namespace fsieve::io {
namespace {

constexpr const char* kNotCompressed = "the data cannot be compressed";
constexpr std::size_t kBufferBytes = std::size_t{1} << 18U;

class CodecSink final : public CompressingSink {
 public:
  CodecSink(ByteSink& sink, arrow::Compression::type kind, std::string path)
      : sink_(sink), path_(std::move(path)), output_(kBufferBytes) {
    codec_ = require(arrow::util::Codec::Create(kind), path_, kNotCompressed);
    compressor_ = require(codec_->MakeCompressor(), path_, kNotCompressed);
  }

  void write(std::string_view bytes) override {
    // Rows are short; the codec works better on more at a time.
    input_ += bytes;
    if (input_.size() >= kBufferBytes) compress();
  }

  void finish() override {
    compress();
    for (bool more = true; more;) {
      const auto end = require(compressor_->End(size(), data()), path_, kNotCompressed);
      pass_on(end.bytes_written);
      more = end.should_retry;
      if (more && end.bytes_written == 0) output_.resize(2 * output_.size());
    }
  }

 private:
  void compress() {
    const auto* at = reinterpret_cast<const std::uint8_t*>(input_.data());
    auto left = static_cast<std::int64_t>(input_.size());
    while (left > 0) {
      const auto step =
          require(compressor_->Compress(left, at, size(), data()), path_, kNotCompressed);
      pass_on(step.bytes_written);
      if (step.bytes_read == 0 && step.bytes_written == 0) output_.resize(2 * output_.size());
      at += step.bytes_read;
      left -= step.bytes_read;
    }
    input_.clear();
  }

  void pass_on(std::int64_t count) {
    sink_.write({reinterpret_cast<const char*>(output_.data()), static_cast<std::size_t>(count)});
  }

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(output_.size()); }
  std::uint8_t* data() { return output_.data(); }

  ByteSink& sink_;
  std::string path_;
  std::unique_ptr<arrow::util::Codec> codec_;
  std::shared_ptr<arrow::util::Compressor> compressor_;
  std::string input_;
  std::vector<std::uint8_t> output_;
};

}  // namespace

std::unique_ptr<CompressingSink> make_compressing_sink(ByteSink& sink, Compression compression,
                                                       const std::string& path) {
  const auto kind =
      compression == Compression::gzip ? arrow::Compression::GZIP : arrow::Compression::ZSTD;
  return std::make_unique<CodecSink>(sink, kind, path);
}

}  // namespace fsieve::io
