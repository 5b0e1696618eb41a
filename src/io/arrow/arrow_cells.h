// A column of a Parquet or Feather file as it stands there.
#pragma once

#include <arrow/type_fwd.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "table/original_column.h"

namespace fsieve::io {

class ArrowCells final : public OriginalColumn {
 public:
  ArrowCells(std::shared_ptr<arrow::Field> field, std::shared_ptr<arrow::Array> array)
      : field_(std::move(field)), array_(std::move(array)) {}

  [[nodiscard]] const std::shared_ptr<arrow::Field>& field() const { return field_; }
  [[nodiscard]] const std::shared_ptr<arrow::Array>& array() const { return array_; }

  // Text has no place for lists and the like: there they are JSON.
  void append_csv(std::size_t row, char delimiter, std::string& out) const override;
  [[nodiscard]] bool append_json(std::size_t row, std::string& out) const override;
  [[nodiscard]] std::optional<NumberType> number_type() const override;
  [[nodiscard]] Number number(std::size_t row) const override;
  [[nodiscard]] std::shared_ptr<const OriginalColumn> take(
      std::span<const std::size_t> rows) const override;

 private:
  std::shared_ptr<arrow::Field> field_;
  std::shared_ptr<arrow::Array> array_;
};

}  // namespace fsieve::io
