// Which columns go, each by a relation: no column may be needed, by way of others, for itself.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "relations/relation.h"

namespace fsieve::relations {

class Choice {
 public:
  // Takes the relation, so that its target goes; false where the target is gone already, or is
  // needed for what it would be written by.
  bool take(const Relation& relation);

  [[nodiscard]] bool gone(std::uint32_t column) const { return chosen_.contains(column); }
  [[nodiscard]] const std::map<std::uint32_t, Relation>& chosen() const { return chosen_; }
  // Is `wanted` needed, by way of relations taken, for any of the columns?
  [[nodiscard]] bool needs(const std::set<std::uint32_t>& columns, std::uint32_t wanted) const;

  // The relation of a column that is gone, by columns that are kept; none where that is not
  // possible with a reasonable number of terms. Without coefficients.
  [[nodiscard]] std::optional<Relation> in_kept_columns(std::uint32_t target) const;

 private:
  std::map<std::uint32_t, Relation> chosen_;
};

}  // namespace fsieve::relations
