// Parities as bytes, for statistics that are asked of rows elsewhere.
#pragma once

#include <cstdint>
#include <vector>

#include "base/binary_lists.h"
#include "basis/parity.h"

namespace fsieve::inline basis {

inline void save_parities(std::ostream& out, const std::vector<Parity>& parities) {
  save_count(out, parities.size());
  for (const Parity& parity : parities) save_values(out, parity.columns());
}

inline std::vector<Parity> load_parities(std::istream& in) {
  std::vector<Parity> parities;
  std::vector<std::uint32_t> columns;
  load_each(in, [&] {
    load_list(in, columns);
    if (columns.size() > max_depth) throw Error("a saved product has too many factors");
    Parity& parity = parities.emplace_back();
    for (const std::uint32_t column : columns) parity = parity.times(column);
  });
  return parities;
}

inline void save_columns(std::ostream& out, const std::vector<std::size_t>& columns) {
  save_count(out, columns.size());
  for (const std::size_t column : columns) save_value(out, static_cast<std::uint64_t>(column));
}

inline std::vector<std::size_t> load_columns(std::istream& in) {
  std::vector<std::uint64_t> columns;
  load_list(in, columns);
  return {columns.begin(), columns.end()};
}

}  // namespace fsieve::basis
