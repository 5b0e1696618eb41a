// A table whose rows lie elsewhere, in parts: it is asked questions, and answers with sums.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

  // Rows by their numbers, which ascend: these come here.
  [[nodiscard]] virtual std::unique_ptr<MemorySource> rows_at(std::vector<std::size_t> numbers,
                                                              Progress& progress) const = 0;

  // Has pieces of work that need no rows done on all machines: each piece with `common`, which all
  // of them need. Gives what is said to each piece, in their order.
  [[nodiscard]] virtual std::vector<std::string> share_out(const std::string& common,
                                                           const std::vector<std::string>& pieces,
                                                           std::string_view what,
                                                           Progress& progress) const = 0;
};

// Where the rows of a source lie elsewhere: who is asked, and in which order the features of the
// source are. Parts sort for themselves.
struct Parts {
  const PartedSource* source = nullptr;  // none: the rows are here
  bool sorted = false;                   // as SortedSource has them
};
[[nodiscard]] Parts parts_of(const Source& source);

// PartedSource::rows_at with the features in the order that `parts` says.
[[nodiscard]] std::unique_ptr<MemorySource> rows_at(const Parts& parts,
                                                    std::vector<std::size_t> numbers,
                                                    Progress& progress);

}  // namespace fsieve::source
