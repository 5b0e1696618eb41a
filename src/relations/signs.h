// Products of two-valued columns that are constant: linear relations over the field of two
// elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fsieve::relations {

using SignBits = std::vector<std::uint64_t>;  // one bit per row

struct SignRelation {
  std::size_t target = 0;
  std::vector<std::size_t> factors;
};

// Columns (by their position) that are, up to the sign, products of others, each written by as few
// as exchanges can reach. Later columns are written by earlier ones where that is as short. Nothing
// is found where the rows are too few to tell.
[[nodiscard]] std::vector<SignRelation> sign_relations(const std::vector<SignBits>& columns,
                                                       std::size_t rows);

}  // namespace fsieve::relations
