// A table gathered from Python objects, column by column. Nothing is copied.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <string>
#include <vector>

#include "table/column_source.h"

namespace fsieve::python {

using AnyArray = nanobind::ndarray<nanobind::ro, nanobind::device::cpu>;
using Codes = nanobind::ndarray<const std::int32_t, nanobind::ndim<1>, nanobind::c_contig,
                                nanobind::device::cpu>;

class Table {
 public:
  // One column per column of a matrix, or one for a vector.
  void add_numbers(const std::vector<std::string>& names, const AnyArray& values);

  // The columns of a sparse matrix that is stored column by column (SciPy's csc): column j has the
  // values [starts[j], starts[j + 1]), of ascending rows; all others are 0.
  void add_sparse(const std::vector<std::string>& names, const AnyArray& values,
                  const AnyArray& stored_rows, const std::vector<std::size_t>& starts,
                  std::size_t rows);

  // Positions in `texts`, -1 where missing.
  void add_texts(const std::string& name, const Codes& codes, std::vector<std::string> texts);

  // All columns of an Arrow stream (a capsule of the Arrow PyCapsule interface).
  void add_stream(const nanobind::object& capsule, const std::string& table_name);

  // The numbers of the column that was added last are days since 1970-01-01.
  void mark_date() { columns_.back().is_date = true; }

  // The column that was added last has values of a type that nothing can be computed from: an error
  // if it is asked for.
  void mark_unusable(const std::string& type) { columns_.back().unusable_type = type; }

  void rename(std::size_t column, const std::string& name) { columns_.at(column).name = name; }

  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::size_t rows() const {
    return columns_.empty() ? 0 : columns_[0].cells->rows();
  }
  [[nodiscard]] const std::vector<io::NamedColumn>& columns() const { return columns_; }

 private:
  std::vector<io::NamedColumn> columns_;
};

}  // namespace fsieve::python
