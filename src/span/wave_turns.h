// The turns of the features of a wave: which parities stay, who is explained, where the wave ends.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "span/exclusive_pairs.h"
#include "span/group_basis.h"
#include "span/ledger.h"
#include "span/leftovers.h"
#include "span/wave_plan.h"

namespace fsieve::inline span {

// A feature's turn: its position, and its test against this group.
struct Turn {
  std::size_t position;
  Test test;
};

// A group as it stands before a wave.
struct GroupSoFar {
  const Design& design;
  const GroupPlan& plan;
  const std::vector<bool>& redundant;  // features that its walk removed
  std::size_t rank;
};

// Has a parity a factor of these features?
[[nodiscard]] inline bool has_any(const Parity& parity, const std::vector<bool>& features,
                                  const Design& design) {
  return std::any_of(parity.columns().begin(), parity.columns().end(),
                     [&](std::uint32_t c) { return features[design.columns[c].feature]; });
}

// `Matrix`: the inner products of the wave (WaveMatrix, WaveOnDemand, DeviceWave).
template <class Matrix>
class WaveTurns {
 public:
  // All must outlive it. `trivial`: parities that are taken for trivial and not formed; `left` is
  // brought up to date.
  WaveTurns(Matrix& matrix, const WavePlan& wave, const std::vector<bool>& trivial,
            const std::vector<std::size_t>& order, const Ledger& ledger, const GroupSoFar& group,
            ExclusivePairs& pairs, Leftovers& left)
      : matrix_(matrix),
        wave_(wave),
        trivial_(trivial),
        order_(order),
        ledger_(ledger),
        group_(group),
        pairs_(pairs),
        left_(left),
        rank_now_(group.rank),
        end_(wave.candidates.back() + 1),
        bystander_(wave.bystanders.begin()),
        redundant_(group.redundant) {}

  // False where a parity that was taken for trivial may not be; nothing else is known then.
  bool run();

  // In the running order, of all features that come before the end.
  [[nodiscard]] const std::vector<Turn>& turns() const { return turns_; }
  // The parities that stay.
  [[nodiscard]] const std::vector<std::size_t>& kept() const { return kept_; }
  // The position of the first feature that is not decided.
  [[nodiscard]] std::size_t end() const { return end_; }
  // Of candidates from here on nothing was formed.
  [[nodiscard]] std::size_t formed() const { return surprise_ ? order_.size() : end_; }

 private:
  // Bounds on what is left are taken this much larger.
  static constexpr double safety = 1.01;
  // Parities factorised between two updates of the rest.
  static constexpr std::size_t panel_width = 128;

  [[nodiscard]] bool open() const { return !surprise_ && rank_now_ < ledger_.judge().dimensions; }
  // The indicators of one feature are judged together.
  [[nodiscard]] std::size_t panel_end(std::size_t begin) const {
    std::size_t end = std::min(begin + panel_width, wave_.parities.size());
    while (end < wave_.parities.size() && wave_.parities[end].size() == 1 &&
           wave_.owners[end] == wave_.owners[end - 1]) {
      ++end;
    }
    return end;
  }

  void test_owner(std::size_t q);
  bool stays(std::size_t q);
  void take_out();
  void test_bystanders_before(std::size_t position);
  // At most how much of a parity is left, from what is left of smaller ones.
  [[nodiscard]] double most_left(const Parity& parity) {
    const auto left = [&](const Parity& smaller) { return left_.of_trivial(smaller); };
    return pairs_.most_left(parity, left).value_or(1);
  }

  Matrix& matrix_;
  const WavePlan& wave_;
  const std::vector<bool>& trivial_;
  const std::vector<std::size_t>& order_;
  const Ledger& ledger_;
  const GroupSoFar& group_;
  ExclusivePairs& pairs_;
  Leftovers& left_;
  std::vector<Turn> turns_;
  std::vector<std::size_t> kept_;
  std::size_t taken_out_ = 0;  // how many of them are taken out of the bystanders too
  std::size_t rank_now_;       // with the kept parities of the panel in work
  std::size_t end_;
  std::vector<std::size_t>::const_iterator bystander_;
  std::optional<std::size_t> owner_;  // of the parity in work
  std::vector<bool> redundant_;       // with those of this wave
  bool wrong_ = false;                // a parity may stay that was to be trivial
  bool surprise_ = false;             // a bystander stays after all: the wave ends at its turn
};

template <class Matrix>
bool WaveTurns<Matrix>::run() {
  std::size_t begin = 0;
  while (begin < wave_.parities.size() && open()) {
    const std::size_t end = panel_end(begin);
    const auto stay = matrix_.factorise(begin, end, [&](std::size_t q) { return stays(q); });
    if (wrong_) return false;
    for (const std::size_t q : stay) {
      test_bystanders_before(wave_.owners[q]);
      if (surprise_) break;
      kept_.push_back(q);
    }
    begin = end;
  }
  if (begin < wave_.parities.size() && !surprise_) end_ = *owner_ + 1;  // a full space
  if (!surprise_) test_bystanders_before(end_);
  take_out();
  if (surprise_) matrix_.form_rest();
  matrix_.fetch();
  std::erase_if(turns_, [&](const Turn& turn) { return turn.position >= end_; });
  std::sort(turns_.begin(), turns_.end(),
            [](const Turn& a, const Turn& b) { return a.position < b.position; });
  return true;
}

// A feature's first column decides for the feature.
template <class Matrix>
void WaveTurns<Matrix>::test_owner(std::size_t q) {
  owner_ = wave_.owners[q];
  const std::size_t feature = order_[*owner_];
  const DesignFeature& columns = group_.design.features[feature];
  double largest = 0;
  for (std::size_t c = 0; c < columns.last - columns.first; ++c) {
    largest = std::max(largest, matrix_.residual2(q + c));
  }
  const Test test = ledger_.test(norm_left(largest), rank_now_);
  turns_.push_back({*owner_, test});
  redundant_[feature] = ledger_.goes(feature, test);
}

template <class Matrix>
bool WaveTurns<Matrix>::stays(std::size_t q) {
  if (owner_ != wave_.owners[q]) test_owner(q);
  const Judge& judge = ledger_.judge();
  if (!judge.can_test(rank_now_)) return false;
  const Parity& parity = wave_.parities[q];
  if (group_.plan.prune && has_any(parity, redundant_, group_.design)) return false;
  const double left = trivial_[q] ? most_left(parity) : norm_left(matrix_.residual2(q));
  if (!trivial_[q] && left > 0 && !judge.trivial(left, rank_now_)) {
    ++rank_now_;
    return true;
  }
  left_.note_trivial(parity, left);
  wrong_ = wrong_ || (trivial_[q] && !judge.trivial(safety * left, rank_now_));
  return false;
}

template <class Matrix>
void WaveTurns<Matrix>::take_out() {
  if (taken_out_ == kept_.size()) return;
  matrix_.form_singles();
  for (; taken_out_ < kept_.size(); ++taken_out_) {
    for (std::size_t s = 0; s < wave_.singles.size(); ++s) {
      left_.take_out(wave_.singles[s], matrix_.single_on_new(s, kept_[taken_out_]));
    }
  }
}

template <class Matrix>
void WaveTurns<Matrix>::test_bystanders_before(std::size_t position) {
  const auto is_next = [&] {
    return bystander_ != wave_.bystanders.end() && *bystander_ < position;
  };
  if (is_next()) take_out();
  for (; is_next(); ++bystander_) {
    const std::size_t feature = order_[*bystander_];
    const double left = left_.norm(group_.design.features[feature]);
    const Test test = ledger_.test(left, group_.rank + kept_.size());
    if (!ledger_.goes(feature, test)) {
      surprise_ = true;
      end_ = *bystander_;
      return;
    }
    turns_.push_back({*bystander_, test});
  }
}

}  // namespace fsieve::span
