#include "span/joint_cells.h"

#include <algorithm>
#include <utility>

#include "source/whole_table.h"
#include "span/row_levels.h"

namespace fsieve::inline span {
JointCells::JointCells(const Source& source, const Design& design)
    : source_(source), design_(design), all_(whole_table(source)) {
  rows_.reserve(all_.rows);
  for (std::size_t row = 0; row < all_.rows; ++row) {
    if (weight(row) > 0) rows_.push_back(row);
  }
  ends_ = {rows_.size()};
}

void JointCells::refine(std::size_t category) {
  const RowLevels levels(source_, design_, all_, category);
  std::vector<std::size_t> places(levels.count());
  std::vector<std::size_t> finer(rows_.size());
  std::vector<std::size_t> ends;
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    std::fill(places.begin(), places.end(), 0);
    for (std::size_t k = begin; k < end; ++k) ++places[levels[rows_[k]]];
    std::size_t next = begin;
    for (std::size_t& place : places) {
      const std::size_t size = std::exchange(place, next);
      next += size;
      if (size > 0) ends.push_back(next);
    }
    for (std::size_t k = begin; k < end; ++k) finer[places[levels[rows_[k]]]++] = rows_[k];
    begin = end;
  }
  rows_ = std::move(finer);
  ends_ = std::move(ends);
}

double JointCells::left_of(std::size_t feature) const {
  if (has_levels(design_, feature)) return left_of_levels(feature);
  const DesignFeature& columns = design_.features[feature];
  double most = 0;
  for (std::size_t c = columns.first; c < columns.last; ++c) {
    most = std::max(most, left_of_number(c));
  }
  return most;
}

// Within a cell of weight w, of which s have a level, its indicator varies by s − s² / w.
double JointCells::left_of_levels(std::size_t category) const {
  const RowLevels levels(source_, design_, all_, category);
  std::vector<double> in_cell(levels.count());
  std::vector<double> in_all(in_cell.size());
  std::vector<double> within(in_cell.size());
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    double total = 0;
    for (std::size_t k = begin; k < end; ++k) {
      const double one = weight(rows_[k]);
      in_cell[levels[rows_[k]]] += one;
      total += one;
    }
    for (; begin < end; ++begin) {
      const std::size_t level = levels[rows_[begin]];
      const double share = std::exchange(in_cell[level], 0);
      in_all[level] += share;
      within[level] += share * (1 - share / total);
    }
  }
  const DesignFeature& columns = design_.features[category];
  double most = 0;
  for (std::size_t c = columns.first; c < columns.last; ++c) {
    const std::size_t level = RowLevels::of(design_.columns[c]);
    const double whole = in_all[level] * (1 - in_all[level] / design_.weight);
    most = std::max(most, within[level] / whole);
  }
  return most;
}

double JointCells::left_of_number(std::size_t column) const {
  std::vector<double> values(all_.rows);
  design_.standardised(all_, 0, all_.rows, column, values.data());
  double within = 0;
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    double total = 0;
    double sum = 0;
    for (std::size_t k = begin; k < end; ++k) {
      total += weight(rows_[k]);
      sum += weight(rows_[k]) * values[rows_[k]];
    }
    const double mean = sum / total;
    for (; begin < end; ++begin) {
      const double off = values[rows_[begin]] - mean;
      within += weight(rows_[begin]) * off * off;
    }
  }
  return within / design_.weight;
}

}  // namespace fsieve::span
