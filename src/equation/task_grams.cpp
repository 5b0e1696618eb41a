#include "equation/task_grams.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "base/stop.h"

namespace fsieve::inline equation {
namespace {

// Inner products of this many bytes are formed in one pass over the data.
constexpr std::size_t pass_bytes = std::size_t{64} << 20U;

// The functions of some tasks, each once.
class Pool {
 public:
  // Returns the places of the task's products and, last, its target.
  std::vector<std::size_t> add(const FitTask& task) {
    std::vector<std::size_t> places;
    for (const Monomial& product : task.products) places.push_back(place_of(product));
    places.push_back(place_of({static_cast<std::uint32_t>(task.target)}));
    sums_apart_ += places.size() * places.size();
    return places;
  }

  [[nodiscard]] std::size_t sums_apart() const { return sums_apart_; }
  [[nodiscard]] std::size_t sums_together() const { return functions_.size() * functions_.size(); }
  [[nodiscard]] bool share() const { return sums_together() <= sums_apart(); }
  [[nodiscard]] const std::vector<Parity>& functions() const { return functions_; }

 private:
  std::size_t place_of(const Monomial& product) {
    const auto [entry, fresh] = places_.try_emplace(product, functions_.size());
    if (fresh) {
      Parity& parity = functions_.emplace_back();
      for (const std::uint32_t column : product) parity = parity.times(column);
    }
    return entry->second;
  }

  std::map<Monomial, std::size_t> places_;
  std::vector<Parity> functions_;
  std::size_t sums_apart_ = 0;
};

}  // namespace

std::size_t tasks_of_one_pass(std::span<const FitTask> tasks) {
  Pool pool;
  std::size_t count = 0;
  while (count < tasks.size()) {
    stop_if_asked();
    pool.add(tasks[count]);
    const std::size_t sums = std::min(pool.sums_apart(), pool.sums_together());
    if (count > 0 && sums * sizeof(double) > pass_bytes) break;
    ++count;
  }
  return count;
}

TaskGrams::TaskGrams(const Products& products, std::span<const FitTask> tasks, Progress& progress) {
  Pool pool;
  for (const FitTask& task : tasks) {
    stop_if_asked();
    places_.push_back({0, 0, pool.add(task)});
  }
  std::vector<std::vector<Parity>> sets;
  std::size_t offset = 0;
  for (Place& place : places_) {
    stop_if_asked();
    if (pool.share()) {
      place.size = pool.functions().size();
      continue;
    }
    std::vector<Parity>& own = sets.emplace_back();
    for (const std::size_t f : place.functions) own.push_back(pool.functions()[f]);
    std::iota(place.functions.begin(), place.functions.end(), std::size_t{0});
    place.offset = offset;
    place.size = own.size();
    offset += own.size() * own.size();
  }
  if (pool.share()) sets.push_back(pool.functions());
  sums_ = products.squares(std::move(sets), "equations", progress);
}

std::vector<double> TaskGrams::gram(std::size_t task) const {
  const Place& place = places_[task];
  const std::size_t count = place.functions.size();
  std::vector<double> gram(count * count);
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = j; i < count; ++i) {
      // Of the shared sums, too, only the lower triangle is there.
      const auto [column, row] = std::minmax(place.functions[i], place.functions[j]);
      gram[i + j * count] = sums_[place.offset + row + column * place.size];
    }
  }
  return gram;
}

}  // namespace fsieve::equation
