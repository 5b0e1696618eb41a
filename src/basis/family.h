// Function families (003 section II): which functions a newly chosen feature makes possible.
#pragma once

#include <cstddef>
#include <vector>

#include "basis/parity.h"
#include "data/design.h"
#include "fsieve/family.h"

namespace fsieve::inline basis {

// F_j \ F_{j-1} of Algorithm 1, feature by feature. Every function is a product of design columns,
// which may repeat (a power); a user's function is a column that is added to the design when a
// choice first makes it possible.
class FunctionFamily {
 public:
  // Throws Error(usage) on a family that is none.
  FunctionFamily(const Family& family, Scale scale, Design& design);

  // The functions that come with `feature`, its own columns first. Of a categorical feature's
  // indicators a product has at most one.
  [[nodiscard]] std::vector<Parity> with(std::size_t feature);

 private:
  [[nodiscard]] std::vector<Parity> powers_with(const DesignFeature& feature) const;
  [[nodiscard]] std::vector<Parity> functions_with(const DesignFeature& feature);
  [[nodiscard]] Parity derived(const UserFunction& function, std::vector<std::size_t> arguments);

  const Family& family_;
  Scale scale_;
  Design& design_;
  std::vector<Parity> products_{Parity()};  // that later features are joined to
  std::vector<std::size_t> chosen_;         // their columns
};

}  // namespace fsieve::basis
