// What a page says about every column beside the results: its type, its range, its shape.
#pragma once

#include <nlohmann/json.hpp>

#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::inline page {

// An array of one object per column, the label last. Two passes over the rows.
[[nodiscard]] nlohmann::ordered_json column_facts(const Source& source, Progress& progress);

}  // namespace fsieve::page
