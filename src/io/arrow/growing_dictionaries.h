// Feather has one dictionary per column, to which batches may add; Parquet has one per row group.
#pragma once

#include <arrow/array/array_dict.h>
#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include <memory>
#include <vector>

namespace fsieve::io {

class GrowingDictionaries {
 public:
  // The batch with the dictionaries of all batches so far.
  arrow::Result<std::shared_ptr<arrow::RecordBatch>> unified(
      const std::shared_ptr<arrow::RecordBatch>& batch);

 private:
  arrow::Result<std::shared_ptr<arrow::Array>> unified(const std::shared_ptr<arrow::Array>& array,
                                                       std::size_t column);

  std::vector<std::shared_ptr<arrow::Array>> last_;  // the dictionary of each column
  std::vector<std::unique_ptr<arrow::DictionaryUnifier>> unifiers_;
};

}  // namespace fsieve::io
