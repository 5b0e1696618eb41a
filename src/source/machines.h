// Machines beside this one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fsieve/progress.h"

namespace fsieve::inline source {

class Machines {
 public:
  virtual ~Machines() = default;

  // Has pieces of work that need no rows done on all machines: each piece with `common`, which all
  // of them need. Gives what is said to each piece, in their order.
  [[nodiscard]] virtual std::vector<std::string> share_out(const std::string& common,
                                                           const std::vector<std::string>& pieces,
                                                           std::string_view what,
                                                           Progress& progress) const = 0;

 protected:
  Machines() = default;
  Machines(const Machines&) = default;
  Machines& operator=(const Machines&) = default;
};

}  // namespace fsieve::source
