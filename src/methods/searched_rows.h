// The rows that a selection searches, as it sees them: in memory, without those of weight 0, cut
// into bins, classes of equal weight.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "data/supervised_data.h"
#include "fsieve/progress.h"
#include "fsieve/sffs.h"
#include "fsieve/source.h"

namespace fsieve::inline methods {

class SearchedRows {
 public:
  // Both must outlive it.
  SearchedRows(const Source& given, const SffsOptions& options)
      : given_(given), options_(options) {}

  // Throws Error where they are more than `memory` bytes, and not in memory already.
  void check_memory(std::size_t memory) const;

  // As they were given.
  [[nodiscard]] const Source& in_memory();
  // Without those of weight 0.
  [[nodiscard]] const Source& present();
  // In bins and of equal classes, where that is asked for.
  [[nodiscard]] SupervisedData data(Task task, Progress& progress);

 private:
  const Source& given_;
  const SffsOptions& options_;
  std::unique_ptr<MemorySource> loaded_;
  std::unique_ptr<MemorySource> present_;
  std::unique_ptr<MemorySource> binned_;
  std::optional<WeightedSource> balanced_;
};

}  // namespace fsieve::methods
