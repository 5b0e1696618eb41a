#include "device/sift.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <optional>
#include <set>
#include <utility>

#include "base/parallel.h"
#include "base/stop.h"
#include "bits/subset_tiles.h"
#include "device/pieces.h"
#include "fsieve/error.h"

namespace fsieve::inline device {
namespace {

using Clock = std::chrono::steady_clock;
using Subsets = std::vector<std::vector<std::size_t>>;

class Sifting {
 public:
  Sifting(std::span<const std::unique_ptr<Screen>> screens, const ScreenTable& table,
          const Sifter& host, const SiftSizes& sizes)
      : screens_(screens), table_(table), host_(host), sizes_(sizes) {}

  void run(NumberRange range) {
    range.first = walk_first(range);
    if (range.size() == 0) return;
    // The better the list, the less is found: first pieces are not much larger than what the host
    // did.
    const std::uint64_t size = sizes_.piece > 0 ? sizes_.piece : size_of_work(2e12, 1e6, 1e12);
    Pieces pieces(range, table_.features, table_.k, size);
    for (const auto& screen : screens_) start(*screen, pieces);
    while (!turns_.empty()) {
      const Turn turn = turns_.front();
      turns_.pop_front();
      std::optional<Subsets> found = turn.screen->end();
      const double seconds = std::chrono::duration<double>(Clock::now() - turn.start).count();
      if (found) {
        pieces.took(turn.piece, seconds);
      } else if (turn.piece.size() > sizes_.small) {
        pieces.halve(turn.piece);
      }
      stop_if_asked();
      // The host works while the device is at the next piece; before short ones it raises the bar.
      const bool side_by_side = seconds > sizes_.side_by_side;
      if (side_by_side) start(*turn.screen, pieces);
      if (found) {
        score(*found);
        host_.done(turn.piece);
      } else if (turn.piece.size() <= sizes_.small) {
        host_.walk(turn.piece);
      }
      if (!side_by_side) start(*turn.screen, pieces);
    }
  }

 private:
  struct Turn {
    Screen* screen;
    NumberRange piece;
    Clock::time_point start;
  };

  // Subsets that make so much work, within limits.
  [[nodiscard]] std::uint64_t size_of_work(double work, double least, double most) const {
    return static_cast<std::uint64_t>(std::clamp(work / table_.rows(), least, most));
  }

  // Without a list to compare with everything is promising, so the host begins; where it stopped.
  // What it found tells whether the devices count right.
  std::uint64_t walk_first(NumberRange range) {
    const std::uint64_t size =
        sizes_.first > 0 ? sizes_.first : size_of_work(1e11, 1024, 1U << 18U);
    NumberRange first{range.first, range.first};
    do {
      const NumberRange next{first.end, first.end + std::min(size, range.end - first.end)};
      host_.walk(next);
      first.end = next.end;
    } while (first.end < range.end && std::isinf(host_.least()));
    if (first.end == range.end) return first.end;
    for (const auto& screen : screens_) check(*screen, first);
    return first.end;
  }

  void check(Screen& screen, NumberRange range) {
    screen.begin(range, host_.least());
    const std::optional<Subsets> found = screen.end();
    if (!found) return;  // too many are as good as the best ones
    const std::set<std::vector<std::size_t>> all(found->begin(), found->end());
    for (const std::vector<std::size_t>& subset : host_.best()) {
      const std::uint64_t number = subset_number(subset);
      if (number < range.first || number >= range.end || all.contains(subset)) continue;
      throw Error("the GPU does not count right: it missed a subset; take --device cpu");
    }
  }

  void start(Screen& screen, Pieces& pieces) {
    const std::optional<NumberRange> piece = pieces.next();
    if (!piece) return;
    screen.begin(*piece, host_.least());
    turns_.push_back({&screen, *piece, Clock::now()});
  }

  void score(const Subsets& found) {
    in_parallel(found.size(), [&](std::size_t i) { host_.score(found[i]); });
  }

  std::span<const std::unique_ptr<Screen>> screens_;
  const ScreenTable& table_;
  const Sifter& host_;
  const SiftSizes& sizes_;
  std::deque<Turn> turns_;  // the one that began first is waited for first
};

}  // namespace

void sift(std::span<const std::unique_ptr<Screen>> screens, const ScreenTable& table,
          NumberRange range, const Sifter& host, const SiftSizes& sizes) {
  Sifting(screens, table, host, sizes).run(range);
}

}  // namespace fsieve::device
