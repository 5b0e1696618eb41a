// What is around a long piece of work: who watches it, who may stop it, and what it may use.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fsieve/progress.h"
#include "fsieve/stop.h"

namespace fsieve {

// The same for every method. None of it changes an answer.
struct RunContext {
  RunContext() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): who only watches has no more to say
  RunContext(Progress& watching) : progress(&watching) {}

  Progress* progress = nullptr;    // null: nobody listens
  const StopFlag* stop = nullptr;  // beside those of the scopes around the work
  std::uint64_t threads = 0;       // at most; 0: as many as the work around has
  // Bytes that rows, or what is made of them, may take. Asking for more is an Error that says how
  // much would do.
  std::size_t memory = std::size_t{512} << 20U;

  // Always somebody to tell.
  [[nodiscard]] Progress& watcher() const;
  // The same for a part of the work that tells nobody.
  [[nodiscard]] RunContext unwatched() const;
};

}  // namespace fsieve
