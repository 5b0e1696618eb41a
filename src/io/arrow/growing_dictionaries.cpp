#include "io/arrow/growing_dictionaries.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <utility>

namespace fsieve::io {

arrow::Result<std::shared_ptr<arrow::RecordBatch>> GrowingDictionaries::unified(
    const std::shared_ptr<arrow::RecordBatch>& batch) {
  const auto columns = static_cast<std::size_t>(batch->num_columns());
  last_.resize(columns);
  unifiers_.resize(columns);
  arrow::ArrayVector arrays;
  for (std::size_t j = 0; j < columns; ++j) {
    auto array = batch->column(static_cast<int>(j));
    if (array->type_id() == arrow::Type::DICTIONARY) {
      ARROW_ASSIGN_OR_RAISE(array, unified(array, j));
    }
    arrays.push_back(std::move(array));
  }
  return arrow::RecordBatch::Make(batch->schema(), batch->num_rows(), std::move(arrays));
}

arrow::Result<std::shared_ptr<arrow::Array>> GrowingDictionaries::unified(
    const std::shared_ptr<arrow::Array>& array, std::size_t column) {
  const auto& coded = static_cast<const arrow::DictionaryArray&>(*array);
  const auto& type = static_cast<const arrow::DictionaryType&>(*array->type());
  auto& last = last_[column];
  auto& unifier = unifiers_[column];
  if (!last) last = coded.dictionary();
  if (!unifier && (last == coded.dictionary() || last->Equals(coded.dictionary()))) return array;
  if (!unifier) {
    ARROW_ASSIGN_OR_RAISE(unifier, arrow::DictionaryUnifier::Make(type.value_type()));
    ARROW_RETURN_NOT_OK(unifier->Unify(*last));
  }
  std::shared_ptr<arrow::Buffer> translation;
  ARROW_RETURN_NOT_OK(unifier->Unify(*coded.dictionary(), &translation));
  ARROW_RETURN_NOT_OK(unifier->GetResultWithIndexType(type.index_type(), &last));
  return coded.Transpose(array->type(), last,
                         reinterpret_cast<const std::int32_t*>(translation->data()));
}

}  // namespace fsieve::io
