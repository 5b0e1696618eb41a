// How a long search survives being stopped.
#pragma once

#include <string>
#include <string_view>

namespace fsieve {

// Where a long search leaves its state, so that another run can go on from there.
class Checkpoint {
 public:
  virtual ~Checkpoint() = default;

  // How messages call it.
  [[nodiscard]] virtual std::string name() const = 0;

  // What was saved last; empty: nothing.
  virtual std::string load() = 0;

  // Must replace the old text as a whole, even when the power goes. An empty text says that the
  // search is done: nothing needs to be kept.
  virtual void save(std::string_view text) = 0;
};

}  // namespace fsieve
