#include "equation/task_grams.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/binary.h"
#include "base/buffer.h"
#include "base/parallel.h"
#include "basis/parity_binary.h"
#include "data/design_binary.h"
#include "linalg/blas.h"
#include "linalg/tiles.h"
#include "span/parity_gram.h"

namespace fsieve::inline equation {
namespace {

using blas::Op;

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

std::vector<std::size_t> columns_of(std::span<const FitTask> tasks) {
  std::set<std::size_t> columns;
  for (const FitTask& task : tasks) {
    columns.insert(task.target);
    for (const Monomial& product : task.products) columns.insert(product.begin(), product.end());
  }
  return {columns.begin(), columns.end()};
}

}  // namespace

std::size_t tasks_of_one_pass(std::span<const FitTask> tasks) {
  Pool pool;
  std::size_t count = 0;
  while (count < tasks.size()) {
    pool.add(tasks[count]);
    const std::size_t sums = std::min(pool.sums_apart(), pool.sums_together());
    if (count > 0 && sums * sizeof(double) > pass_bytes) break;
    ++count;
  }
  return count;
}

TaskGrams::TaskGrams(const Design& design, std::vector<std::size_t> columns)
    : rows_(design, std::move(columns)) {}

TaskGrams::TaskGrams(const Design& design, std::span<const FitTask> tasks)
    : TaskGrams(design, columns_of(tasks)) {
  Pool pool;
  for (const FitTask& task : tasks) places_.push_back({0, pool.add(task)});
  if (pool.share()) {
    add_square(pool.functions());
    return;
  }
  for (Place& place : places_) {
    std::vector<Parity> own;
    for (const std::size_t f : place.functions) own.push_back(pool.functions()[f]);
    std::iota(place.functions.begin(), place.functions.end(), std::size_t{0});
    place.square = squares_.size();
    add_square(std::move(own));
  }
}

void TaskGrams::add_square(std::vector<Parity> functions) {
  const std::size_t offset = sums_.size();
  sums_.resize(offset + functions.size() * functions.size());
  squares_.push_back({std::move(functions), offset});
}

void TaskGrams::add(const Block& block) {
  for (std::size_t row = 0; row < block.rows; row += ParityGram::slice_rows) {
    rows_.fill(block, row, std::min(ParityGram::slice_rows, block.rows - row));
    in_parallel(squares_.size(), [&](std::size_t s) { add_rows(squares_[s]); });
  }
}

void TaskGrams::add_rows(const Square& square) {
  const std::size_t count = square.functions.size();
  const std::size_t rows = rows_.rows();
  Buffer values(count * rows);
  in_parallel(
      count, [&](std::size_t f) { rows_.evaluate(square.functions[f], values.data() + f * rows); });
  std::vector<blas::Tile> tiles;
  blas::add_lower_tiles(0, 0, count, tiles);
  blas::for_each(tiles, [&](const blas::Tile& tile) {
    const double* left = values.data() + tile.row * rows;
    const double* right = values.data() + tile.column * rows;
    double* sums = sums_.data() + square.offset + tile.row + tile.column * count;
    if (tile.diagonal) {
      blas::syrk_lower(Op::transpose, tile.rows, rows, 1.0, left, rows, 1.0, sums, count);
    } else {
      blas::gemm(Op::transpose, Op::none, tile.rows, tile.columns, rows, 1.0, left, rows, right,
                 rows, 1.0, sums, count);
    }
  });
}

void TaskGrams::look_up(const SummedSource& sums, const Design& design) {
  const std::vector<double>& known = sums.products(design);
  for (const Square& square : squares_) {
    const auto positions = sums.positions(design, square.functions);
    double* out = sums_.data() + square.offset;
    for (const std::size_t j : positions) {
      for (const std::size_t i : positions) *out++ = known[i + j * sums.sums().size()];
    }
  }
}

void TaskGrams::merge(const TaskGrams& other) {
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
}

void TaskGrams::save(std::ostream& out) const { save_values(out, sums_); }

void TaskGrams::load(std::istream& in) { load_values(in, sums_); }

void TaskGrams::save_question(std::ostream& out) const {
  save_design(out, rows_.design());
  save_columns(out, rows_.columns());
  save_count(out, squares_.size());
  for (const Square& square : squares_) save_parities(out, square.functions);
}

TaskGrams TaskGrams::from_question(std::istream& in, const Schema& /*schema*/, Keep& keep) {
  const Design& design = keep(load_design(in));
  TaskGrams grams(design, load_columns(in));
  load_each(in, [&] { grams.add_square(load_parities(in)); });
  return grams;
}

std::vector<double> TaskGrams::gram(std::size_t task) const {
  const Place& place = places_[task];
  const Square& square = squares_[place.square];
  const std::size_t count = place.functions.size();
  std::vector<double> gram(count * count);
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = j; i < count; ++i) {
      // Of the shared sums, too, only the lower triangle is there.
      const auto [column, row] = std::minmax(place.functions[i], place.functions[j]);
      gram[i + j * count] = sums_[square.offset + row + column * square.functions.size()];
    }
  }
  return gram;
}

}  // namespace fsieve::equation
