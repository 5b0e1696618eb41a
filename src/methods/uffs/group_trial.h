// What a group of categories leaves of each feature, told by counting rows.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "data/design.h"
#include "fsieve/source.h"
#include "methods/uffs/problem.h"
#include "span/group_basis.h"
#include "span/ledger.h"

namespace fsieve::inline methods {

// The group that comes next if none of its features explains another.
struct NextGroup {
  std::size_t position = 0;
  std::size_t end = 0;               // the position after its last feature
  std::vector<std::size_t> members;  // positions
  std::size_t columns = 0;           // of the members
};

// None where not all of its features are categories. `ledger` knows the groups before.
[[nodiscard]] std::optional<NextGroup> next_of_categories(const Design& design,
                                                          const GroupPlan& plan,
                                                          const Features& order,
                                                          std::size_t position,
                                                          const Ledger& ledger);

struct GroupTrial {
  std::size_t rank = 0;     // of the group's functions
  std::vector<Test> tests;  // of order[position..), in that order
};

// By the cells of rows that share the levels of all members: products leave no less of a feature
// than varies within them. What is left is told as by products, if chance alone makes a difference.
// None where the cells hold too few rows. `source` must be in memory.
[[nodiscard]] std::optional<GroupTrial> try_cells(const Source& source, const Design& design,
                                                  const NextGroup& group, int depth,
                                                  const Features& order, const Ledger& ledger);

// By products of up to two indicators, in single precision. None where that does not tell. `ledger`
// is of these rows.
[[nodiscard]] std::optional<GroupTrial> try_pairs(const Source& source, const Design& design,
                                                  const NextGroup& group, const Features& order,
                                                  const Ledger& ledger);

}  // namespace fsieve::methods
