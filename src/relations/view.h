// A table as the searches for relations see it: some of its rows, what its columns may be used for,
// and how good a relation is on these rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/design.h"
#include "equation/sheet.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "relations/discovery.h"
#include "relations/elimination.h"
#include "relations/relation.h"
#include "relations/tableau.h"

namespace fsieve::relations {

// Norms up to this count as none left: what rounding to a few digits leaves.
inline constexpr double exact_norm = 3e-3;

struct View {
  View(const Source& source, const Design& columns, const Settings& asked, Progress& progress);

  // Of a column.
  struct About {
    bool single = false;  // the only column of its feature
    bool may_go = false;  // by itself
    bool divisor = true;  // has no zeros
    bool positive = true;
    bool negative = false;  // has negative values
  };

  const Design& design;
  const Settings& settings;
  Sheet sheet;
  std::vector<About> about;

  [[nodiscard]] bool stays(std::size_t feature) const {
    return !settings.stays.empty() && settings.stays[feature];
  }
  // For a search among so many columns; for a precision matrix of them.
  [[nodiscard]] bool enough_rows(std::size_t columns) const;
  [[nodiscard]] bool all_together(std::size_t columns) const;
  // Does it multiply no more columns than allowed?
  [[nodiscard]] bool deep_enough(const Relation& relation) const;

  // Fits a relation without the products that do nothing in it, and returns the norm left.
  double lean_fit(Relation& relation) const;
  // The target's part in its relation: its deviation beside those of the terms, rounded so that
  // equal ones are equal.
  [[nodiscard]] double share(const Relation& relation) const;
  // In a narrow range every sum is nearly a product of powers, and every product nearly a sum.
  // Where the digits do not tell, a sum is easier to read than anything but one plain product.
  [[nodiscard]] bool sum_in_disguise(const Relation& relation) const;

  // Inner products of standardised columns.
  [[nodiscard]] std::vector<double> gram_of(const std::vector<std::uint32_t>& columns,
                                            std::vector<double>& deviations) const;
  // A basis, and what is written by it.
  [[nodiscard]] Tableau split(const std::vector<double>& products,
                              const std::vector<Bundle>& bundles, double epsilon) const;

 private:
  [[nodiscard]] About described(std::uint32_t c) const;
  bool drop_needless(Relation& relation) const;
  [[nodiscard]] double deviation(const Product& product) const;
};

// Logarithm of the number of relations of so many terms among which one is found.
[[nodiscard]] double count_of_choices(std::size_t columns, std::size_t terms);

template <class Removable>
std::vector<Bundle> single_bundles(std::size_t count, const Removable& removable) {
  std::vector<Bundle> bundles;
  for (std::size_t k = 0; k < count; ++k) bundles.push_back({k, k + 1, removable(k)});
  return bundles;
}

}  // namespace fsieve::relations
