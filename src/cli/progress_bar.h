// Progress on a terminal, and the place where an interrupt takes effect.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "fsieve/progress.h"

namespace fsieve::cli {

// Draws one line on standard error once the work has lasted over a second, and wipes it at the end.
class ProgressBar final : public Progress {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar() override;
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void begin(std::string_view what, std::uint64_t total) override;
  void advance(std::uint64_t done) override;
  void end() override;

 private:
  using Clock = std::chrono::steady_clock;

  void draw(std::uint64_t done);
  [[nodiscard]] std::string pace(std::uint64_t done) const;
  void wipe();

  bool visible_;
  bool drawn_ = false;
  std::string what_;
  std::uint64_t total_ = 0;
  std::optional<std::uint64_t> first_;  // units done when the piece of work first reported
  Clock::time_point begun_ = Clock::now();
  Clock::time_point started_ = Clock::now();
  Clock::time_point last_drawn_ = started_;
};

}  // namespace fsieve::cli
