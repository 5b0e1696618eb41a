// Tables of other programs through the Arrow C stream interface, without Arrow.
#pragma once

#include <string>
#include <vector>

#include "table/arrow_abi.h"
#include "table/column_source.h"

namespace fsieve::io::inline table {

// Reads the stream to its end; the columns keep its batches alive and are read where they lie. A
// stream of single arrays is a table of one column. Columns of a type that is neither number nor
// text come with the name of their type. `name` is how messages call the table.
[[nodiscard]] std::vector<NamedColumn> arrow_columns(ArrowArrayStream& stream,
                                                     const std::string& name);

}  // namespace fsieve::io::table
