// Names for the features of a result.
#pragma once

#include "fsieve/source.h"

namespace fsieve::inline source {

// Each entry's `feature` is a position in the schema.
template <class Entries>
void put_names(Entries& entries, const Schema& schema) {
  for (auto& entry : entries) {
    const Column& column = schema.features.at(entry.feature);
    entry.name = column.name;
    entry.index = column.index;
  }
}

}  // namespace fsieve::source
