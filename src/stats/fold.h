// The fold: every statistic is a sum over rows, formed block by block in an order that depends on
// the data's shape alone. Threads, files larger than memory and several machines are ways to run
// it.
#pragma once

#include <concepts>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "source/parted_source.h"
#include "stats/asked.h"
#include "stats/in_blocks.h"

namespace fsieve::inline stats {

// A statistic of rows: an empty one is copied, blocks are added, and parts are merged.
template <class A>
concept Accumulator = std::copy_constructible<A> &&
    requires(A a, const A& other, const Block& block, std::ostream& out, std::istream& in) {
  a.add(block);
  a.merge(other);
  other.save(out);
  a.load(in);
  { other.bytes() } -> std::convertible_to<std::size_t>;
};

namespace detail {

// Merges parts that come in order as the leaves of one fixed binary tree: whenever two subtrees of
// equal height stand side by side they become one (as a binary counter carries).
template <Accumulator A>
class MergeTree {
 public:
  void push(A part) {
    int height = 0;
    while (!parts_.empty() && parts_.back().height == height) {
      parts_.back().sum.merge(part);
      part = std::move(parts_.back().sum);
      parts_.pop_back();
      ++height;
    }
    parts_.push_back({std::move(part), height});
  }

  // The whole sum, beginning with the smallest subtrees; `zero` where nothing was pushed.
  A result(const A& zero) {
    if (parts_.empty()) return zero;
    while (parts_.size() > 1) {
      A last = std::move(parts_.back().sum);
      parts_.pop_back();
      parts_.back().sum.merge(last);
    }
    return std::move(parts_.back().sum);
  }

 private:
  struct Part {
    A sum;
    int height;
  };
  std::vector<Part> parts_;
};

// Accumulators above this size are not copied per block: one takes all blocks in order, and spreads
// the work of each block over the threads by itself.
inline constexpr std::size_t large_accumulator = std::size_t{8} << 20U;

// The fold of rows that are read here.
template <Accumulator A>
A fold_rows(const Source& source, const A& zero, std::string_view what, Progress& progress) {
  if (zero.bytes() > large_accumulator) {
    A single = zero;
    in_blocks(source, what, progress, [&](const Block& block) { single.add(block); });
    return single;
  }
  MergeTree<A> tree;
  struct Part : Leaf {
    std::optional<A> sum;
  };
  std::deque<Part> parts;
  LeafWork to_do;
  to_do.make = [&]() -> Leaf& { return parts.emplace_back(); };
  to_do.work = [&](Leaf& leaf) {
    std::optional<A>& sum = static_cast<Part&>(leaf).sum;
    sum = zero;
    sum->add(leaf.block);
  };
  to_do.finish = [&](Leaf& leaf) {
    std::optional<A>& sum = static_cast<Part&>(leaf).sum;
    tree.push(std::move(*sum));
    sum.reset();
  };
  in_leaves(source, what, progress, to_do);
  return tree.result(zero);
}

template <class A>
std::string saved(const A& statistic) {
  std::ostringstream out;
  statistic.save(out);
  return out.str();
}

template <class A>
A loaded(const A& zero, const std::string& answer) {
  A statistic = zero;
  std::istringstream in(answer);
  statistic.load(in);
  return statistic;
}

// How parts answer when they are asked for a statistic of this kind. There is one of these for
// every kind that is folded anywhere in the program, from its start on.
template <Askable A>
struct Answers {
  Answers() {
    const auto answer = [](const Source& part, std::istream& question, Progress& progress) {
      Keep keep;
      const A zero = A::from_question(question, part.schema(), keep);
      return saved(fold_rows(part, zero, A::question, progress));
    };
    const auto merged = [](const Schema& schema, std::istream& question,
                           std::span<const std::string> answers) {
      Keep keep;
      const A zero = A::from_question(question, schema, keep);
      A sum = loaded(zero, answers[0]);
      for (const std::string& next : answers.subspan(1)) sum.merge(loaded(zero, next));
      return saved(sum);
    };
    add_answering(A::question, {answer, merged});
  }
  void be_there() const {}
};

template <Askable A>
inline const Answers<A> answers{};

}  // namespace detail

// Reads the source once, or asks its parts, and returns the statistic of all its rows.
template <Accumulator A>
A fold(const Source& source, const A& zero, std::string_view what, Progress& progress) {
  if constexpr (Askable<A>) {
    detail::answers<A>.be_there();
    if (const Parts parts = parts_of(source); parts.source != nullptr) {
      std::ostringstream question;
      begin_question(question, A::question, parts.views);
      zero.save_question(question);
      return detail::loaded(zero, parts.source->ask(question.str(), what, progress));
    }
  }
  return detail::fold_rows(source, zero, what, progress);
}

}  // namespace fsieve::stats
