// How long work is asked to stop, from another thread or a signal handler.
#pragma once

#include <atomic>

namespace fsieve {

// A wish that is there from the moment it is said.
class StopFlag {
 public:
  // From any thread, or a signal handler. True where nobody asked before.
  bool ask() noexcept { return !asked_.exchange(true); }

  // Throws Error(Kind::interrupted) where somebody asked.
  void check() const {
    if (asked_.load(std::memory_order_relaxed)) interrupt();
  }

 private:
  [[noreturn]] static void interrupt();

  std::atomic<bool> asked_{false};
  static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers set it");
};

// While one lives, all work that this thread begins looks at the flag (and at those of scopes
// around this one), on whatever threads it runs, and ends with Error(Kind::interrupted) within half
// a second. Nothing is left half-written then.
class StopScope {
 public:
  explicit StopScope(const StopFlag& flag);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  // Of this thread; null where there is no flag to look at.
  [[nodiscard]] static const StopScope* current();

  void check() const {
    for (const StopScope* scope = this; scope != nullptr; scope = scope->outer_) {
      scope->flag_.check();
    }
  }

 private:
  const StopFlag& flag_;
  const StopScope* outer_;
};

}  // namespace fsieve
