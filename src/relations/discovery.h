// What equations hold among the columns of a table, and which columns need not be kept: relations
// first, then a choice that does not depend on where the columns stand.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/design.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "relations/relation.h"

namespace fsieve::relations {

struct Settings {
  double epsilon = 0.1;
  int depth = 0;  // most columns that may be multiplied with each other; 0: any number
  std::vector<bool> stays = {};  // of every feature: it must not go; empty: all may
};

struct Removal {
  std::size_t feature = 0;
  Relation relation;  // by kept columns where that is possible
  double norm = 0;
  double adjusted_norm = 0;
};

struct Discovery {
  std::vector<Removal> removed;
  std::vector<Relation> relations;  // that hold, simplest first
  std::vector<std::size_t> order;   // the other features that are not constant: most basic first
  std::vector<std::string> warnings;
};

// `source` has its features in byte order of their names: ties go by position.
[[nodiscard]] Discovery discover(const Source& source, const Design& design,
                                 const Settings& settings, Progress& progress);

}  // namespace fsieve::relations
