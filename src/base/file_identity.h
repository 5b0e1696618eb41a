// Which file a name means: through links, and whether two names mean the same one.
#pragma once

#include <string>

namespace fsieve::inline base {

// The file a path leads to through links, so that a link stays a link when that file is replaced. A
// link to a file that is not there yet leads to that file. Throws Error when links lead in a
// circle.
[[nodiscard]] std::string linked_file(const std::string& path);

// Whether two names mean one file: the same file on the disk, or, for files that are not there yet,
// the same name in the same folder.
[[nodiscard]] bool same_file(const std::string& a, const std::string& b);

}  // namespace fsieve::base
