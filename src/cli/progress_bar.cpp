#include "cli/progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "explain/text_table.h"

namespace fsieve::cli {
namespace {

constexpr std::chrono::milliseconds kQuietTime{1000};
constexpr std::chrono::milliseconds kBetweenDrawings{100};
constexpr std::uint64_t kCells = 30;
constexpr std::size_t kLongestName = 40;

}  // namespace

ProgressBar::ProgressBar(bool quiet) : visible_(!quiet && stderr_is_terminal()) {}

ProgressBar::~ProgressBar() { wipe(); }

void ProgressBar::begin(std::string_view what, std::uint64_t total) {
  stop_if_interrupted();
  what_ = shortened(printable(what), kLongestName);  // a longer line would wrap, and not be wiped
  total_ = total;
}

void ProgressBar::advance(std::uint64_t done) {
  stop_if_interrupted();
  if (!visible_) return;
  const Clock::time_point now = Clock::now();
  if (now - started_ < kQuietTime || now - last_drawn_ < kBetweenDrawings) return;
  last_drawn_ = now;
  draw(done);
}

void ProgressBar::end() {
  wipe();
  stop_if_interrupted();
}

void ProgressBar::draw(std::uint64_t done) {
  std::string line;
  if (total_ > 0) {
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
    const auto full = static_cast<std::uint64_t>(share * kCells);
    line = fmt::format("{} [{:#<{}}{:.<{}}] {:3.0f} %", what_, "", full, "", kCells - full,
                       100 * share);
  } else {
    line = fmt::format("{} {}", what_, done);
  }
  std::fputs(("\r" + line + "\033[K").c_str(), stderr);
  drawn_ = true;
}

void ProgressBar::wipe() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

}  // namespace fsieve::cli
