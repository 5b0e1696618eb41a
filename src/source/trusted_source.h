// Sources of fsieve itself, whose blocks need no check.
#pragma once

#include <string_view>

#include "fsieve/source.h"

namespace fsieve {

// Keeps the promises of source.h and one more, so that blocks are worked on side by side without a
// copy: what a block shows lives until that same block is filled again, or the source goes.
class TrustedSource : public Source {
 public:
  // Can they be read? Not where only sums over them were kept: then open() throws.
  [[nodiscard]] virtual bool has_rows() const { return true; }
  // Are all rows in memory, in whatever layout, so that going over them again costs little?
  [[nodiscard]] virtual bool is_held() const { return !in_memory().empty(); }
};

// Whether it is one of these, or a MemorySource, or a WeightedSource of such a one.
[[nodiscard]] bool is_trusted(const Source& source);

// The same of any source.
[[nodiscard]] bool has_rows(const Source& source);
[[nodiscard]] bool is_held(const Source& source);
// Throws Error(usage) where it has none, which `option` needs.
void check_has_rows(const Source& source, std::string_view option);

}  // namespace fsieve
