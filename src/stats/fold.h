// The fold: every statistic is a sum over rows, formed block by block in an order that depends on
// the data's shape alone. Threads, files larger than memory and several machines are ways to run
// it.
#pragma once

#include <tbb/concurrent_queue.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

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

#include "base/stop.h"
#include "fsieve/error.h"
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
  const auto reader = source.open();
  const StopScope* const scope = StopScope::current();
  detail::MergeTree<A> tree;
  struct Leaf {
    Block block;
    std::optional<A> part;
  };
  // Where a stage throws, the pipeline loses what is under way: it gets pointers, and owns nothing.
  std::deque<Leaf> leaves;
  tbb::concurrent_queue<Leaf*> spare;  // those whose block is done
  progress.begin(what, source.rows());
  const auto read = [&](tbb::flow_control& control) -> Leaf* {
    const WithinScope within(scope);
    Leaf* leaf = nullptr;
    if (!spare.try_pop(leaf)) leaf = &leaves.emplace_back();
    if (!reader->next(leaf->block)) {
      control.stop();
      return nullptr;
    }
    return leaf;
  };
  const auto add = [&](Leaf* leaf) {
    const WithinScope within(scope);
    stop_if_asked();
    leaf->part = zero;
    leaf->part->add(leaf->block);
    return leaf;
  };
  const auto merge = [&](Leaf* leaf) {
    const WithinScope within(scope);
    const std::size_t done = leaf->block.first_row + leaf->block.rows;
    tree.push(std::move(*leaf->part));
    leaf->part.reset();
    spare.push(leaf);
    progress.advance(done);
  };
  const auto tokens = 2 * static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  tbb::parallel_pipeline(
      tokens, tbb::make_filter<void, Leaf*>(tbb::filter_mode::serial_in_order, read) &
                  tbb::make_filter<Leaf*, Leaf*>(tbb::filter_mode::parallel, add) &
                  tbb::make_filter<Leaf*, void>(tbb::filter_mode::serial_in_order, merge));
  progress.end();
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
      begin_question(question, A::question, parts.sorted);
      zero.save_question(question);
      return detail::loaded(zero, parts.source->ask(question.str(), what, progress));
    }
  }
  return detail::fold_rows(source, zero, what, progress);
}

}  // namespace fsieve::stats
