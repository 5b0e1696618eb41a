#include "source/parted_source.h"

#include <utility>

#include "source/sorted_source.h"

namespace fsieve::inline source {

Parts parts_of(const Source& source) {
  if (const auto* const sorted = dynamic_cast<const SortedSource*>(&source)) {
    return {parts_of(sorted->unsorted()).source, true};
  }
  return {dynamic_cast<const PartedSource*>(&source)};
}

std::unique_ptr<MemorySource> rows_at(const Parts& parts, std::vector<std::size_t> numbers,
                                      Progress& progress) {
  auto rows = parts.source->rows_at(std::move(numbers), progress);
  return parts.sorted ? MemorySource::load(SortedSource(*rows)) : std::move(rows);
}

}  // namespace fsieve::source
