// A table of which a sample is searched: as the selection sees it (cut into bins, classes of equal
// weight), what is known of all its rows, and samples of any size.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "data/bins.h"
#include "data/class_weights.h"
#include "data/table_facts.h"
#include "fsieve/progress.h"
#include "fsieve/sffs.h"
#include "fsieve/source.h"

namespace fsieve::inline methods {

class TableForSample {
 public:
  // Bins are those of a sample of `size` rows.
  TableForSample(const Source& given, const SffsOptions& options, std::size_t size,
                 Progress& progress);

  [[nodiscard]] const Source& source() const;
  [[nodiscard]] const TableFacts& facts() const { return *facts_; }
  // No class of the label is missing in it. Weights are as they were given.
  [[nodiscard]] std::unique_ptr<MemorySource> sample(std::size_t size, Progress& progress) const;

 private:
  [[nodiscard]] TableFacts facts_of(const Source& source, Progress& progress) const;
  void balance();
  [[nodiscard]] const Source& unbalanced() const {
    return binned_ ? static_cast<const Source&>(*binned_) : given_;
  }

  const Source& given_;
  const SffsOptions& options_;
  std::optional<BinnedSource> binned_;
  std::optional<BalancedSource> balanced_;
  std::optional<TableFacts> facts_;
};

}  // namespace fsieve::methods
