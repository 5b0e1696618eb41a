#include "source/parted_source.h"

#include <utility>

#include "source/row_view.h"

namespace fsieve::inline source {

Parts parts_of(const Source& source) {
  const auto* const view = dynamic_cast<const RowView*>(&source);
  if (view == nullptr) return {dynamic_cast<const PartedSource*>(&source)};
  Parts parts = parts_of(view->viewed());
  if (parts.source != nullptr) parts.views.push_back(saved_view(*view));
  return parts;
}

bool rows_are_here(const Source& source) {
  return has_rows(source) && parts_of(source).source == nullptr;
}

std::unique_ptr<MemorySource> rows_at(const Parts& parts, std::vector<std::size_t> numbers,
                                      Progress& progress) {
  auto rows = parts.source->rows_at(std::move(numbers), progress);
  if (parts.views.empty()) return rows;
  return MemorySource::load(*SeenRows(*rows, parts.views));
}

const Machines* machines_of(const Source& source) {
  if (const auto* const view = dynamic_cast<const RowView*>(&source)) {
    return machines_of(view->viewed());
  }
  if (const auto* const gathered = dynamic_cast<const GatheredSource*>(&source)) {
    return &gathered->machines();
  }
  return dynamic_cast<const PartedSource*>(&source);
}

}  // namespace fsieve::source
