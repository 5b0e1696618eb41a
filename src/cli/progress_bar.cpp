#include "cli/progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/visible.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "report/text_table.h"

namespace fsieve::cli {
namespace {

constexpr std::chrono::milliseconds kQuietTime{1000};
constexpr std::chrono::milliseconds kBetweenDrawings{100};
constexpr std::uint64_t kCells = 30;
constexpr std::size_t kLongestName = 40;
constexpr double kShortestPace = 2;  // seconds

// "950", "4.2 M", "31 G".
std::string amount(double value) {
  constexpr std::string_view kUnits = " kMGTP";
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  const std::string digits =
      value < 9.95 && unit > 0 ? fmt::format("{:.1f}", value) : fmt::format("{:.0f}", value);
  return unit == 0 ? digits : fmt::format("{} {}", digits, kUnits[unit]);
}

// "12 s", "3 min 20 s", "5 h 10 min", "4 days 2 h".
std::string duration(double seconds) {
  if (seconds > 1e9) return "years";
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  if (whole < 2 * 86400) return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
  return fmt::format("{} days {} h", whole / 86400, whole % 86400 / 3600);
}

}  // namespace

ProgressBar::ProgressBar(bool quiet) : visible_(!quiet && stderr_is_terminal()) {}

ProgressBar::~ProgressBar() { wipe(); }

void ProgressBar::begin(std::string_view what, std::uint64_t total) {
  stop_if_interrupted();
  what_ = shortened(visible(what), kLongestName);  // a longer line would wrap, and not be wiped
  total_ = total;
  first_.reset();
}

void ProgressBar::advance(std::uint64_t done) {
  stop_if_interrupted();
  if (!visible_) return;
  const Clock::time_point now = Clock::now();
  if (!first_) {  // a search that goes on from a checkpoint does not begin with nothing
    first_ = done;
    begun_ = now;
  }
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
                       100 * share) +
           pace(done);
  } else {
    line = fmt::format("{} {}", what_, done);
  }
  std::fputs(("\r" + line + "\033[K").c_str(), stderr);
  drawn_ = true;
}

// "  4.2 M/s, 3 min 20 s left", once it can be told.
std::string ProgressBar::pace(std::uint64_t done) const {
  const double seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
  if (!first_ || done <= *first_ || done >= total_ || seconds < kShortestPace) return "";
  const double rate = static_cast<double>(done - *first_) / seconds;
  return fmt::format("  {}/s, {} left", amount(rate),
                     duration(static_cast<double>(total_ - done) / rate));
}

void ProgressBar::wipe() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

}  // namespace fsieve::cli
