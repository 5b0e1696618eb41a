#include "fsieve/run_context.h"

namespace fsieve {

Progress& RunContext::watcher() const {
  static NoProgress nobody;  // has no state
  return progress != nullptr ? *progress : nobody;
}

RunContext RunContext::unwatched() const {
  RunContext context = *this;
  context.progress = nullptr;
  return context;
}

}  // namespace fsieve
