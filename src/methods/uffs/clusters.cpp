// Groups of interchangeable columns: complete linkage of squared correlations, without a matrix of
// all pairs. A pair that is too far apart never merges, so only the others are kept.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/parallel.h"
#include "base/stop.h"
#include "data/design.h"
#include "equation/confirmation.h"
#include "equation/equations.h"
#include "equation/fit_judge.h"
#include "equation/sheet.h"
#include "fsieve/error.h"
#include "fsieve/uffs.h"
#include "linalg/blas.h"
#include "methods/uffs/in_name_order.h"
#include "methods/uffs/protected_features.h"
#include "methods/uffs/warnings.h"
#include "source/checked_source.h"
#include "stats/f_tail.h"

namespace fsieve {
namespace {

using blas::Op;

constexpr std::size_t tile = 512;
constexpr std::size_t sheet_values = std::size_t{1} << 25U;
constexpr std::size_t most_pairs = std::size_t{1} << 26U;
constexpr double level = 0.01;

struct Pair {
  float apart;  // 1 less the squared correlation
  std::uint32_t a;
  std::uint32_t b;

  auto operator<=>(const Pair&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Squared correlations that columns of noise reach by chance are none.
double least_r2(double asked, double columns, double rows) {
  const double pairs = std::max(columns * (columns - 1) / 2, 1.0);
  const auto chance = [&](double r2) {
    return std::log(pairs) + log_f_tail(r2 * (rows - 2) / (1 - r2), 1, rows - 2);
  };
  while (asked < 1 - 1e-6 && chance(asked) > std::log(level)) asked = (asked + 1) / 2;
  return asked;
}

// All pairs of standardised columns that are near enough, the nearest first.
std::vector<Pair> near_pairs(const std::vector<double>& columns, std::size_t rows, double r2) {
  const std::size_t count = columns.size() / rows;
  const std::size_t tiles = (count + tile - 1) / tile;
  std::vector<std::vector<Pair>> found(tiles);
  in_parallel_one_by_one(tiles, [&](std::size_t t) {
    const std::size_t first = t * tile;
    const std::size_t width = std::min(tile, count - first);
    std::vector<double> products(tile * width);
    for (std::size_t row = 0; row <= first; row += tile) {
      const std::size_t height = std::min(tile, count - row);
      blas::gemm(Op::transpose, Op::none, height, width, rows, 1.0 / static_cast<double>(rows),
                 columns.data() + row * rows, rows, columns.data() + first * rows, rows, 0.0,
                 products.data(), height);
      for (std::size_t j = 0; j < width; ++j) {
        for (std::size_t i = 0; i < height && row + i < first + j; ++i) {
          const double correlation = products[i + j * height];
          const double square = correlation * correlation;
          if (square < r2) continue;
          found[t].push_back({static_cast<float>(std::max(1 - square, 0.0)),
                              static_cast<std::uint32_t>(row + i),
                              static_cast<std::uint32_t>(first + j)});
        }
      }
    }
  });
  std::vector<Pair> pairs;
  for (std::vector<Pair>& part : found) {
    pairs.insert(pairs.end(), part.begin(), part.end());
    if (pairs.size() > most_pairs) {
      throw Error("too many columns are that similar to group them: give --clusters a larger R2");
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// Two groups become one when the last of the pairs between them has come up: at that moment all
// their members are near each other.
class Linkage {
 public:
  Linkage(std::size_t count, const std::vector<Pair>& pairs) : group_of_(count), groups_(count) {
    for (std::size_t c = 0; c < count; ++c) {
      group_of_[c] = c;
      groups_[c].members = {static_cast<std::uint32_t>(c)};
    }
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      if (p % 1024 == 0) stop_if_asked();
      note(pairs[p]);
    }
  }

  struct Group {
    std::vector<std::uint32_t> members;
    double apart = 0;  // of the two members farthest from each other
    std::unordered_map<std::size_t, std::size_t> pairs;  // that have come up, by the other group
  };
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }

 private:
  void note(const Pair& pair) {
    std::size_t a = group_of_[pair.a];
    std::size_t b = group_of_[pair.b];
    if (a == b) return;
    ++groups_[b].pairs[a];
    if (++groups_[a].pairs[b] < groups_[a].members.size() * groups_[b].members.size()) return;
    if (groups_[a].pairs.size() < groups_[b].pairs.size()) std::swap(a, b);
    merge(groups_[a], groups_[b], a, b, pair.apart);
  }

  // Every pair between the two and a third group is one between their union and it.
  void merge(Group& into, Group& from, std::size_t a, std::size_t b, double apart) {
    for (const auto& [other, count] : from.pairs) {
      if (other == a) continue;
      groups_[other].pairs.erase(b);
      into.pairs[other] += count;
      groups_[other].pairs[a] += count;
    }
    into.pairs.erase(b);
    for (const std::uint32_t member : from.members) group_of_[member] = a;
    into.members.insert(into.members.end(), from.members.begin(), from.members.end());
    into.apart = apart;
    from = {};
  }

  std::vector<std::size_t> group_of_;
  std::vector<Group> groups_;
};

class Clusters {
 public:
  Clusters(const Source& source, const UffsOptions& options, Progress& progress)
      : source_(source),
        options_(options),
        progress_(progress),
        design_(make_design(source, progress)),
        protected_(protected_features(source.schema(), options.protect)) {}

  UffsResult run() {
    std::vector<std::uint32_t> columns;
    for (const DesignFeature& feature : design_.features) {
      if (!feature.constant && feature.last - feature.first == 1) {
        columns.push_back(static_cast<std::uint32_t>(feature.first));
      }
    }
    if (columns.size() > 1) group(columns);
    report();
    result_.clusters = std::move(clusters_);
    return std::move(result_);
  }

 private:
  void group(const std::vector<std::uint32_t>& columns) {
    const Sheet sheet =
        read_sheet(source_, design_,
                   std::max<std::size_t>(sheet_values / design_.columns.size(), 64), progress_);
    std::vector<double> values;
    values.reserve(columns.size() * sheet.rows);
    for (const std::uint32_t c : columns) {
      stop_if_asked();
      values.insert(values.end(), sheet.column(c), sheet.column(c) + sheet.rows);
    }
    std::vector<double> deviations;
    values = standardised(sheet, std::move(values), deviations);
    const double r2 = least_r2(*options_.clusters, static_cast<double>(columns.size()),
                               static_cast<double>(sheet.rows));
    if (r2 > *options_.clusters) {
      result_.warnings.push_back(fmt::format(
          "{} rows of {} columns: unrelated ones may reach R² {:.3g} by chance, so groups begin "
          "at {:.3g}",
          sheet.rows, columns.size(), *options_.clusters, r2));
    }
    const Linkage linkage(columns.size(), near_pairs(values, sheet.rows, r2));
    for (const Linkage::Group& group : linkage.groups()) {
      if (group.members.size() < 2) continue;
      Cluster cluster;
      for (const std::uint32_t member : group.members) {
        cluster.members.push_back(design_.columns[columns[member]].feature);
      }
      cluster.r2 = 1 - group.apart;
      put_first_what_stays(values, sheet.rows, group.members, cluster);
      clusters_.push_back(std::move(cluster));
    }
    take_out_unconfirmed(r2);
    std::stable_sort(clusters_.begin(), clusters_.end(), [](const Cluster& a, const Cluster& b) {
      return a.members.size() > b.members.size();
    });
  }

  // Of protected members, else of all, the one that is nearest to the others; then the first in the
  // file.
  void put_first_what_stays(const std::vector<double>& values, std::size_t rows,
                            const std::vector<std::uint32_t>& members, Cluster& cluster) const {
    struct Candidate {
      bool free;
      double apart;
      std::size_t index;
      std::size_t feature;
      auto operator<=>(const Candidate&) const = default;  // NOLINT(modernize-use-nullptr)
    };
    std::vector<Candidate> candidates;
    for (std::size_t m = 0; m < members.size(); ++m) {
      stop_if_asked();
      double near = 0;
      for (const std::uint32_t other : members) {
        const double product =
            blas::dot(rows, values.data() + members[m] * rows, values.data() + other * rows) /
            static_cast<double>(rows);
        near += product * product;
      }
      const std::size_t feature = cluster.members[m];
      candidates.push_back({!protected_[feature], std::round(-1e9 * near),
                            source_.schema().features[feature].index, feature});
    }
    std::sort(candidates.begin() + 1, candidates.end());
    std::inplace_merge(candidates.begin(), candidates.begin() + 1, candidates.end());
    for (std::size_t m = 0; m < members.size(); ++m) cluster.members[m] = candidates[m].feature;
  }

  // A member stays in its group if all rows, each left out in turn, confirm the equation that
  // writes it by the one that stays.
  void take_out_unconfirmed(double r2) {
    std::vector<FitTask> tasks;
    std::vector<std::size_t> targets;
    for (const Cluster& cluster : clusters_) {
      const auto stays = static_cast<std::uint32_t>(design_.features[cluster.members[0]].first);
      for (std::size_t m = 1; m < cluster.members.size(); ++m) {
        targets.push_back(design_.features[cluster.members[m]].first);
        tasks.push_back({targets.back(), {{}, {stays}}});
      }
    }
    const Products products(source_, design_);
    std::vector<Fit> fits = fit_all(products, tasks, progress_);
    FitJudge judge(products, progress_);
    const std::vector<HeldOutFit> judged = judge.judge(targets, fits);
    const double columns = std::log(static_cast<double>(design_.columns.size()));
    std::size_t next = 0;
    for (Cluster& cluster : clusters_) {
      std::vector<std::size_t> members{cluster.members[0]};
      for (std::size_t m = 1; m < cluster.members.size(); ++m, ++next) {
        Confirmation one(std::sqrt(1 - r2), design_.weight, 1);
        one.add(judged[next], 1, 1, 2 * columns);
        if (!one.holds()) continue;
        members.push_back(cluster.members[m]);
        fits_[cluster.members[m]] = std::move(fits[next]);
      }
      cluster.members = std::move(members);
    }
    std::erase_if(clusters_, [](const Cluster& cluster) { return cluster.members.size() < 2; });
  }

  void report() {
    for (std::size_t j = 0; j < design_.features.size(); ++j) {
      const auto known = fits_.find(j);
      const bool constant = design_.features[j].constant;
      if (!constant && (known == fits_.end() || protected_[j])) {
        result_.selected.push_back({j, 1, 1, false});
        continue;
      }
      RemovedFeature removed{j, 0, 0, constant ? 0 : 1, Reason::constant, {}};
      if (constant) {
        if (options_.equations) {
          removed.equations = constant_equations(source_.schema().features[j], design_.features[j]);
        }
      } else {
        removed.reason = Reason::redundant;
        removed.norm = std::sqrt(std::max(1 - known->second.r2_fit, 0.0));
        removed.adjusted_norm = std::sqrt(known->second.left_out);
        if (options_.equations) {
          removed.equations = {written(design_, design_.features[j].first, known->second)};
        }
      }
      result_.removed.push_back(std::move(removed));
    }
    if (options_.equations) warn_of_weak_equations(result_, *options_.clusters);
  }

  const Source& source_;
  const UffsOptions& options_;
  Progress& progress_;
  Design design_;
  std::vector<bool> protected_;
  std::map<std::size_t, Fit> fits_;  // by feature: of those that may go
  std::vector<Cluster> clusters_;
  UffsResult result_;
};

}  // namespace

UffsResult interchangeable(const Source& source, const UffsOptions& options,
                           const RunContext& context) {
  if (!options.clusters) throw Error("groups of interchangeable columns need an R²");
  check_has_rows(source, "--clusters");
  const CheckedInput checked(source);
  return in_name_order(*checked, context, [&](const Source& table) {
    return Clusters(table, options, context.watcher()).run();
  });
}

}  // namespace fsieve
