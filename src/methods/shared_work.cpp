#include "methods/shared_work.h"

#include <sstream>

#include "base/binary_lists.h"
#include "fsieve/error.h"
#include "methods/junta/shared_search.h"
#include "methods/union/shared_cells.h"

namespace fsieve::inline methods {

std::string do_piece(const std::string& common, const std::string& piece, Progress& progress) {
  std::istringstream in(common);
  load_format(in);
  const std::string work = load_text(in);
  if (work == junta_work) return search_range(in, piece, progress);
  if (work == union_work) return rank_range(in, piece, progress);
  throw Error("the machines run another version of fsieve");
}

}  // namespace fsieve::methods
