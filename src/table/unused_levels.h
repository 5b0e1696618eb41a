// Levels that no row has once incomplete rows are dropped are no levels.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/binary_lists.h"
#include "fsieve/source.h"

namespace fsieve::io::inline table {

class UsedLevels {
 public:
  explicit UsedLevels(const Schema& schema) : used_(schema.columns()) {
    for (std::size_t j = 0; j < schema.features.size(); ++j) {
      used_[j].assign(schema.features[j].levels.size(), false);
    }
    if (schema.label) used_.back().assign(schema.label->levels.size(), false);
  }

  void add(std::size_t j, std::span<const double> values) {
    if (used_[j].empty()) return;
    for (const double value : values) {
      if (!std::isnan(value)) used_[j][static_cast<std::size_t>(value)] = true;
    }
  }

  // Takes in what was seen elsewhere of the same columns.
  void merge(const UsedLevels& other) {
    for (std::size_t j = 0; j < used_.size(); ++j) {
      for (std::size_t k = 0; k < used_[j].size(); ++k) {
        used_[j][k] = used_[j][k] || other.used_[j][k];
      }
    }
  }
  void save(std::ostream& out) const {
    for (const std::vector<bool>& column : used_) {
      for (const bool used : column) save_flag(out, used);
    }
  }
  void load(std::istream& in) {
    for (std::vector<bool>& column : used_) {
      for (auto&& used : column) used = load_flag(in);
    }
  }

  // Takes the levels without rows out of column `j`; the new position of every old level (those
  // of removed ones mean nothing).
  std::vector<double> remove_unused(std::size_t j, Column& column) const {
    std::vector<double> translation;
    std::vector<std::string> kept;
    for (std::size_t k = 0; k < used_[j].size(); ++k) {
      translation.push_back(static_cast<double>(kept.size()));
      if (used_[j][k]) kept.push_back(column.levels[k]);
    }
    if (column.pooled) {
      const bool stays = used_[j][*column.pooled];
      column.pooled = stays ? std::optional(static_cast<std::size_t>(translation[*column.pooled]))
                            : std::nullopt;
    }
    column.levels = kept;
    return translation;
  }

 private:
  std::vector<std::vector<bool>> used_;
};

}  // namespace fsieve::io::table
