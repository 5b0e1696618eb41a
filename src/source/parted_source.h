// A table whose rows lie elsewhere, in parts: it is asked questions, and answers with sums.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fsieve/progress.h"
#include "source/machines.h"
#include "source/trusted_source.h"

namespace fsieve::inline source {

// Methods need not know: fold() asks where it would have read. open() brings all rows together, and
// throws Error where they are too many.
class PartedSource : public TrustedSource, public Machines {
 public:
  // The answers of all parts to a question, merged in a fixed order (see stats/asked.h). `what` is
  // how progress calls it.
  [[nodiscard]] virtual std::string ask(const std::string& question, std::string_view what,
                                        Progress& progress) const = 0;

  // Rows by their numbers, which ascend: these come here.
  [[nodiscard]] virtual std::unique_ptr<MemorySource> rows_at(std::vector<std::size_t> numbers,
                                                              Progress& progress) const = 0;
};

// Where the rows of a source lie elsewhere: who is asked, and how the source shows them (views of
// row_view.h, the first around the rows themselves).
struct Parts {
  const PartedSource* source = nullptr;  // none: the rows are here
  std::vector<std::string> views = {};
};
[[nodiscard]] Parts parts_of(const Source& source);

// Are the rows on this machine? Not where they lie elsewhere, nor where they are gone.
[[nodiscard]] bool rows_are_here(const Source& source);

// PartedSource::rows_at as the source shows them.
[[nodiscard]] std::unique_ptr<MemorySource> rows_at(const Parts& parts,
                                                    std::vector<std::size_t> numbers,
                                                    Progress& progress);

// The rows of a table of parts that were brought here, few as they are. Both must outlive it.
class GatheredSource final : public TrustedSource {
 public:
  GatheredSource(const MemorySource& rows, const Machines& machines)
      : rows_(rows), machines_(machines) {}

  [[nodiscard]] const Schema& schema() const override { return rows_.schema(); }
  [[nodiscard]] std::size_t rows() const override { return rows_.rows(); }
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override { return rows_.open(); }
  [[nodiscard]] std::span<const double> in_memory() const override { return rows_.in_memory(); }
  [[nodiscard]] std::span<const double> weights() const override { return rows_.weights(); }
  [[nodiscard]] const Machines& machines() const { return machines_; }

 private:
  const MemorySource& rows_;
  const Machines& machines_;
};

// Who may be given work beside this machine; none where a table has always been here.
[[nodiscard]] const Machines* machines_of(const Source& source);

}  // namespace fsieve::source
