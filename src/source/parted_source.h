// A table whose rows lie elsewhere, in parts: it is asked questions, and answers with sums.
#pragma once

#include <string>
#include <string_view>

#include "fsieve/progress.h"
#include "source/trusted_source.h"

namespace fsieve::inline source {

// Methods need not know: fold() asks where it would have read. open() brings all rows together, and
// throws Error where they are too many.
class PartedSource : public TrustedSource {
 public:
  // The answers of all parts to a question, merged in a fixed order (see stats/asked.h). `what` is
  // how progress calls it.
  [[nodiscard]] virtual std::string ask(const std::string& question, std::string_view what,
                                        Progress& progress) const = 0;
};

// Where the rows of a source lie elsewhere: who is asked, and in which order the features of the
// source are. Parts sort for themselves.
struct Parts {
  const PartedSource* source = nullptr;  // none: the rows are here
  bool sorted = false;                   // as SortedSource has them
};
[[nodiscard]] Parts parts_of(const Source& source);

}  // namespace fsieve::source
