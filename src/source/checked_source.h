// A source that somebody else wrote, read with care: nothing it says is taken on trust.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "source/trusted_source.h"

namespace fsieve::inline source {

// Schema and weights are checked now, numbers as they are read (now, where all are in memory). Rows
// are copied into blocks of the usual size, so that any block size gives the same answer and a
// buffer may be used again. `source` must outlive it.
class CheckedSource final : public TrustedSource {
 public:
  explicit CheckedSource(const Source& source);

  [[nodiscard]] const Schema& schema() const override { return schema_; }
  [[nodiscard]] std::size_t rows() const override { return rows_; }
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override;
  [[nodiscard]] std::span<const double> in_memory() const override { return values_; }
  [[nodiscard]] std::span<const double> weights() const override { return weights_; }

 private:
  const Source& source_;
  Schema schema_;  // as it was when it was checked
  std::size_t rows_;
  std::span<const double> values_;
  std::span<const double> weights_;
};

// What every function that takes a source begins with: the source itself where it is one of
// fsieve's own, else a checked one around it.
class CheckedInput {
 public:
  explicit CheckedInput(const Source& source) : source_(&source) {
    if (!is_trusted(source)) source_ = &checked_.emplace(source);
  }
  CheckedInput(const CheckedInput&) = delete;
  CheckedInput& operator=(const CheckedInput&) = delete;

  [[nodiscard]] const Source& operator*() const { return *source_; }
  [[nodiscard]] const Source* operator->() const { return source_; }

 private:
  std::optional<CheckedSource> checked_;
  const Source* source_;
};

}  // namespace fsieve::source
