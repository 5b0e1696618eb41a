#include "methods/uffs/group_trial.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "base/stop.h"
#include "span/joint_cells.h"
#include "span/pair_span.h"
#include "span/row_levels.h"

namespace fsieve::inline methods {
namespace {

// Numbers in the columns of products of a group, a GiB of them; other trials take more.
constexpr std::size_t most_numbers = std::size_t{1} << 28U;

// How many products of up to so many features there are, one column of each; feature by feature.
class ProductCount {
 public:
  explicit ProductCount(int depth) : of_size_(static_cast<std::size_t>(depth) + 1) {
    of_size_[0] = 1;
  }

  void add(std::size_t columns) {
    for (std::size_t s = of_size_.size() - 1; s > 0; --s) of_size_[s] += of_size_[s - 1] * columns;
  }
  [[nodiscard]] std::size_t total() const {
    return std::accumulate(of_size_.begin(), of_size_.end(), std::size_t{0});
  }

 private:
  std::vector<std::size_t> of_size_;
};

std::size_t columns_of(const Design& design, std::size_t feature) {
  return design.features[feature].last - design.features[feature].first;
}

// Tests every feature at its turn, as the group grows by its members: `grow` with the position of
// one, which says whether to go on. `test`, of a position, is asked for many at a time behind the
// last one.
template <class Grow, class TestOf>
bool walk(const NextGroup& group, std::vector<Test>& tests, const Grow& grow, const TestOf& test) {
  auto member = group.members.begin();
  for (std::size_t k = group.position; k < group.end; ++k) {
    stop_if_asked();
    tests[k - group.position] = test(k);
    if (member == group.members.end() || *member != k) continue;
    if (!grow(k)) return false;
    ++member;
  }
  in_parallel(tests.size() - (group.end - group.position),
              [&](std::size_t k) { tests[group.end - group.position + k] = test(group.end + k); });
  return true;
}

}  // namespace

std::optional<NextGroup> next_of_categories(const Design& design, const GroupPlan& plan,
                                            const Features& order, std::size_t position,
                                            const Ledger& ledger) {
  NextGroup group{position, position, {}, 0};
  for (; group.end < order.size() && !plan.is_full(group.members.size(), group.columns);
       ++group.end) {
    const std::size_t feature = order[group.end];
    if (ledger.goes(feature, {})) continue;
    if (!has_levels(design, feature)) return std::nullopt;
    group.members.push_back(group.end);
    group.columns += columns_of(design, feature);
  }
  return group;
}

std::optional<GroupTrial> try_cells(const Source& source, const Design& design,
                                    const NextGroup& group, int depth, const Features& order,
                                    const Ledger& ledger) {
  JointCells cells(source, design);
  ProductCount products(depth);
  const auto rank = [&] { return std::min(products.total(), cells.count()); };
  const auto grow = [&](std::size_t k) {
    cells.refine(order[k]);
    products.add(columns_of(design, order[k]));
    return ledger.judge().can_test(cells.count());
  };
  const auto test_of = [&](std::size_t k) {
    Test test = ledger.test(std::sqrt(cells.left_of(order[k])), cells.count());
    test.rank = rank();
    return test;
  };
  GroupTrial trial;
  trial.tests.resize(order.size() - group.position);
  if (!walk(group, trial.tests, grow, test_of)) return std::nullopt;
  trial.rank = rank();
  return trial;
}

std::optional<GroupTrial> try_pairs(const Source& source, const Design& design,
                                    const NextGroup& group, const Features& order,
                                    const Ledger& ledger) {
  std::vector<std::size_t> categories;
  ProductCount functions(2);
  for (const std::size_t k : group.members) {
    categories.push_back(order[k]);
    functions.add(columns_of(design, order[k]));
  }
  const Features tested(order.begin() + static_cast<std::ptrdiff_t>(group.position), order.end());
  std::size_t columns = 0;
  for (const std::size_t feature : tested) columns += columns_of(design, feature);
  if ((functions.total() + columns) * functions.total() > most_numbers) return std::nullopt;
  PairSpan span(IndicatorProducts(source, design, categories, tested), ledger.judge());
  const auto grow = [&](std::size_t) {
    span.grow();
    return span.told();
  };
  const auto test_of = [&](std::size_t k) {
    return ledger.test(std::sqrt(std::max(span.left_of(k - group.position), 0.0)), span.rank());
  };
  GroupTrial trial;
  trial.tests.resize(order.size() - group.position);
  if (!walk(group, trial.tests, grow, test_of)) return std::nullopt;
  trial.rank = span.rank();
  return trial;
}

}  // namespace fsieve::methods
