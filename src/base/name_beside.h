// Names of files that stand beside another: its temporary file, its lock.
#pragma once

#include <string>
#include <string_view>

namespace fsieve::inline base {

// `path` with this suffix, in the same folder. A long name is cut so that the suffix fits, and its
// hash keeps it apart from others with the same beginning. Every process gets the same name,
// however it calls the folder.
[[nodiscard]] std::string name_beside(const std::string& path, std::string_view suffix);

}  // namespace fsieve::base
