// Statistics of rows that lie elsewhere: a question says which statistic is wanted, every part of
// the table answers with the sums of its rows, and answers are merged.
#pragma once

#include <concepts>
#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::inline stats {

// What a statistic points to (a design), for as long as it is needed.
class Keep {
 public:
  template <class T>
  const T& operator()(T value) {
    auto held = std::make_shared<const T>(std::move(value));
    const T& kept = *held;
    held_.push_back(std::move(held));
    return kept;
  }

 private:
  std::vector<std::shared_ptr<const void>> held_;
};

// An accumulator that can be asked for: it writes what an empty one is made of, under a name that
// no other has, and is made of that again.
template <class A>
concept Askable = requires(const A& a, std::ostream& out, std::istream& in, const Schema& schema,
                           Keep& keep) {
  { A::question } -> std::convertible_to<const char*>;
  a.save_question(out);
  { A::from_question(in, schema, keep) } -> std::same_as<A>;
};

// How the questions of one name are answered.
struct Answering {
  std::function<std::string(const Source& part, std::istream& question, Progress& progress)> answer;
  std::function<std::string(const Schema& schema, std::istream& question,
                            std::span<const std::string> answers)>
      merged;
};

void add_answering(const std::string& name, Answering answering);

// What a part says to a question.
[[nodiscard]] std::string answer(const Source& part, const std::string& question,
                                 Progress& progress);

// One answer for all parts whose answers these are; their order counts.
[[nodiscard]] std::string merged_answers(const Schema& schema, const std::string& question,
                                         std::span<const std::string> answers);

// A question begins with its name, and with how the parts are to show their rows (Parts::views).
void begin_question(std::ostream& out, const std::string& name,
                    const std::vector<std::string>& views);

}  // namespace fsieve::stats
