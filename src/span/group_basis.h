// The orthonormal functions of one group of features, built feature by feature.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "basis/parity.h"
#include "data/design.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "span/device_table.h"
#include "span/ledger.h"
#include "span/products.h"
#include "span/spread.h"
#include "span/standardised_columns.h"

namespace fsieve::inline span {

// How a group is filled.
struct GroupPlan {
  int depth = 1;
  std::size_t limit = 0;  // features it may hold
  bool prune = true;      // redundant features bring no parities
  bool explain = true;    // note which parities explain a feature as soon as it is removed
  // Of all features that are tested; none: each group standardises what it needs.
  std::shared_ptr<const StandardisedColumns> columns = nullptr;
  double staying = 1;    // the share of parities expected to stay
  bool screens = false;  // it only screens: other last digits do not matter
  bool narrow = false;   // inner products in single precision, of a table in memory
  // Features that are tested, beside those that the group takes; none: all.
  std::shared_ptr<const std::vector<bool>> tested = nullptr;
  // The same rows on a device, for the gram engine; none: the cores do the work.
  std::shared_ptr<DeviceTable> device = nullptr;
  // Design columns from which on it takes no more features, but for the second: categories of many
  // levels bring many products.
  double column_limit = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool tests(std::size_t feature) const { return !tested || (*tested)[feature]; }

  [[nodiscard]] bool is_full(std::size_t members, std::size_t width) const {
    return members >= limit || (members >= 2 && static_cast<double>(width) >= column_limit);
  }
};

// Both engines compute the same thing (000 Procedure 1, 001 Algorithm 1):
// parities in standard order, each made orthogonal to those kept before it and dropped when
// trivial.
class GroupBasis {
 public:
  virtual ~GroupBasis() = default;

  // Walks `order` from `position` on. Each feature is tested against the basis as it stands at its
  // turn and decided in the ledger; one that is not redundant joins the group with its parities.
  // Returns the position of the first feature not reached: the group is full, or the list ends.
  virtual std::size_t walk(const std::vector<std::size_t>& order, std::size_t position,
                           Ledger& ledger) = 0;

  // Tests the features of order[position..) against the finished group, and notes in the ledger
  // what it explains better than the groups before.
  virtual void test_rest(const std::vector<std::size_t>& order, std::size_t position,
                         Ledger& ledger) = 0;

  // Notes in the ledger which parities of kept features explain each of these removed ones, which
  // this group has tested best.
  virtual void explain(const std::vector<std::size_t>& features, Ledger& ledger) = 0;

  [[nodiscard]] virtual std::size_t members() const = 0;  // features that joined
  [[nodiscard]] virtual std::size_t rank() const = 0;     // functions kept, the constant included
};

// One that also tells how what is left of a feature is spread over the rows.
class ScreenBasis : public GroupBasis {
 public:
  // Of what was left of these features at their tests in the ledger; of a feature of several
  // columns, of the one with most left. `tails`: are they asked for?
  [[nodiscard]] virtual std::vector<Spread> spreads(const std::vector<std::size_t>& features,
                                                    const Ledger& ledger, bool tails) const = 0;
  // The least share of the squared norm of a kept parity that those before it left.
  [[nodiscard]] virtual double least_left() const = 0;
};

// The gram engine, of rows in memory.
[[nodiscard]] std::unique_ptr<ScreenBasis> make_screen_basis(const Products& products,
                                                             const GroupPlan& plan,
                                                             Progress& progress);

[[nodiscard]] std::unique_ptr<GroupBasis> make_gram_basis(const Products& products,
                                                          const GroupPlan& plan,
                                                          Progress& progress);

// `source` must be in memory.
[[nodiscard]] std::unique_ptr<GroupBasis> make_sample_basis(const Source& source,
                                                            const Design& design,
                                                            const GroupPlan& plan,
                                                            Progress& progress);

}  // namespace fsieve::span
