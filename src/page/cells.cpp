#include "page/cells.h"

#include <algorithm>

namespace fsieve::inline page {
namespace {

std::size_t cell_of(std::span<const Axis* const> axes, std::size_t row) {
  std::size_t cell = 0;
  for (const Axis* const axis : axes) cell = cell * axis->steps() + axis->step[row];
  return cell;
}

void add(Cell& cell, double value, const Response& response) {
  ++cell.rows;
  if (response.number) {
    cell.sum += value;
    return;
  }
  cell.counts.resize(response.classes);
  ++cell.counts.at(static_cast<std::size_t>(value));
}

// 1 where the other rows of the cell have this class most, a half where they are undecided.
double right_without(const Cell& cell, std::size_t own) {
  const std::size_t with_it = cell.counts[own] - 1;
  std::size_t best = 0;
  for (std::size_t k = 0; k < cell.counts.size(); ++k) {
    if (k != own) best = std::max(best, cell.counts[k]);
  }
  if (with_it == best) return 0.5;
  return with_it > best ? 1 : 0;
}

double mean_without(const Cell& cell, double value) {
  return (cell.sum - value) / static_cast<double>(cell.rows - 1);
}

}  // namespace

std::vector<Cell> cells(std::span<const Axis* const> axes, const Response& response) {
  std::size_t count = 1;
  for (const Axis* const axis : axes) count *= axis->steps();
  std::vector<Cell> all(count);
  for (std::size_t row = 0; row < response.values.size(); ++row) {
    add(all[cell_of(axes, row)], response.values[row], response);
  }
  return all;
}

double left_out_score(std::span<const Axis* const> axes, const Response& response) {
  const std::size_t rows = response.values.size();
  if (rows < 2) return 0;
  const std::vector<Cell> all = cells(axes, response);
  const Cell everything = cells({}, response).front();
  double right = 0;
  double missed = 0;
  double spread = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const Cell& own = all[cell_of(axes, row)];
    const Cell& used = own.rows > 1 ? own : everything;
    const double value = response.values[row];
    if (response.number) {
      const double error = value - mean_without(used, value);
      const double plain = value - mean_without(everything, value);
      missed += error * error;
      spread += plain * plain;
    } else {
      right += right_without(used, static_cast<std::size_t>(value));
    }
  }
  if (!response.number) return right / static_cast<double>(rows);
  return spread > 0 ? 1 - missed / spread : 0;
}

}  // namespace fsieve::page
