#include "page/rule_options.h"

namespace fsieve::inline page {
namespace {

constexpr double kMostWork = 2e9;  // subsets times words of 64 rows
constexpr double kRowsOfAWord = 64;

}  // namespace

std::string rule_search(const Source& source, std::size_t k) {
  double features = 0;  // a category is one feature per level
  for (const Column& column : source.schema().features) {
    features += column.levels.size() > 2 ? static_cast<double>(column.levels.size()) : 1;
  }
  double subsets = 1;
  for (std::size_t i = 0; i < k; ++i) {
    subsets *= (features - static_cast<double>(i)) / static_cast<double>(i + 1);
  }
  const double words = static_cast<double>(source.rows()) / kRowsOfAWord + 1;
  return subsets * words > kMostWork ? "beam:20" : "exhaustive";
}

}  // namespace fsieve::page
