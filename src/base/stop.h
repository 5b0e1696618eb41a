// What loops do to stop when they are asked to (fsieve/stop.h); it costs a few nanoseconds.
// Parallel loops (parallel.h) do it by themselves.
#pragma once

#include "fsieve/stop.h"

namespace fsieve::inline base {

// For loops that may last.
inline void stop_if_asked() {
  if (const StopScope* const scope = StopScope::current()) scope->check();
}

// While one lives, this thread works for another, and looks at the flags of that one.
class WithinScope {
 public:
  explicit WithinScope(const StopScope* scope);
  ~WithinScope();
  WithinScope(const WithinScope&) = delete;
  WithinScope& operator=(const WithinScope&) = delete;

 private:
  const StopScope* before_;
};

}  // namespace fsieve::base
