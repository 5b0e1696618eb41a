// How long work reports where it stands, and how it is asked to stop.
#pragma once

#include <cstdint>
#include <string_view>

namespace fsieve {

// Calls come from one thread at a time, not always the same one. Every call may throw
// Error(Kind::interrupted) to end the work; nothing is left half-written then. A call begins no
// other work of fsieve and no parallel loop of its own: locks may be held.
class Progress {
 public:
  virtual ~Progress() = default;

  // A new piece of work of `total` units begins (0: unknown).
  virtual void begin(std::string_view what, std::uint64_t total) = 0;

  // `done` of the units are finished.
  virtual void advance(std::uint64_t done) = 0;

  // The piece of work is over.
  virtual void end() = 0;
};

// Listens to nothing.
class NoProgress final : public Progress {
 public:
  void begin(std::string_view, std::uint64_t) override {}
  void advance(std::uint64_t) override {}
  void end() override {}
};

}  // namespace fsieve
