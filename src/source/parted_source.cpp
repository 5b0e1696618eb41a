#include "source/parted_source.h"

#include "source/sorted_source.h"

namespace fsieve::inline source {

Parts parts_of(const Source& source) {
  if (const auto* const sorted = dynamic_cast<const SortedSource*>(&source)) {
    return {parts_of(sorted->unsorted()).source, true};
  }
  return {dynamic_cast<const PartedSource*>(&source)};
}

}  // namespace fsieve::source
