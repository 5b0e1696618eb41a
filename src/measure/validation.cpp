#include "measure/validation.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

#include "base/parallel.h"
#include "base/stop.h"
#include "data/label_rows.h"
#include "fsieve/error.h"
#include "measure/kernel_ridge.h"
#include "source/table_rows.h"
#include "source/whole_table.h"

namespace fsieve::inline measure {
namespace {

// More different rows than these would hardly tell more.
constexpr std::size_t most_rows = 5000;
// Rows that the kernels of the model are centred at.
constexpr std::size_t most_centres = 128;
// How often a part of the table is in memory while it is worked on: rows, columns, curves, sums.
constexpr std::size_t copies_of_part = 6;

// Of these rows, in random order, so many different ones.
std::vector<std::size_t> spread_rows(const HeldOut& held, const std::vector<std::size_t>& rows,
                                     std::size_t most) {
  std::vector<std::size_t> order(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return held.place[rows[a]] < held.place[rows[b]];
  });
  const auto last = std::unique(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return held.place[rows[a]] == held.place[rows[b]];
  });
  order.erase(last, order.end());
  const std::size_t count = std::min(most, order.size());
  for (std::size_t k = 0; k < count; ++k) order[k] = order[k * order.size() / count];
  order.resize(count);
  return order;
}

// How many of the parts have enough rows together.
std::size_t enough_parts(const HeldOut& held, const Label& label, double enough) {
  double rows = 0;
  for (std::size_t part = 0; part < held.parts; ++part) {
    for (const std::size_t i : held.rows(part)) rows += label.weight_of(i);
    if (rows >= enough) return part + 1;
  }
  return held.parts;
}

// Learns from the rows outside a part, and predicts those within.
class PartOfRows {
 public:
  PartOfRows(const SupervisedData& data, const HeldOut& held, std::size_t part)
      : data_(data),
        asked_rows_(held.rows(part)),
        known_rows_(held.other_rows(part)),
        known_label_(label_rows(data.label, known_rows_)),
        known_table_(table_rows(*data.source, known_rows_)),
        asked_table_(table_rows(*data.source, asked_rows_)),
        model_(known_label_.label, spread_rows(held, known_rows_, most_centres),
               asked_rows_.size()) {}

  // Writes what the predictions of the part's rows are worth, for every size.
  void score(const FeatureSearch& search, const ValidationPlan& plan, DealScores& scores) {
    const FoundFeatures order = found_by(search);
    if (!known_.design.features.empty()) add(plan.always);
    std::vector<double> predicted = model_.predict();
    std::size_t taken = 0;
    for (std::size_t s = 0; s < plan.sizes.size(); ++s) {
      stop_if_asked();
      const std::size_t size = std::min(plan.sizes[s], order.size());
      if (taken < size) {
        for (; taken < size; ++taken) add(order[taken]);
        predicted = model_.predict();
      }
      for (std::size_t k = 0; k < asked_rows_.size(); ++k) write(predicted, k, s, scores);
    }
  }

 private:
  FoundFeatures found_by(const FeatureSearch& search) {
    if (!known_label_.varies() || known_label_.label.weight < 2) return {};
    NoProgress quiet;
    known_ = make_supervised_data(*known_table_, known_label_.label, quiet);
    known_.balanced = data_.balanced;
    std::vector<bool> candidate(known_.design.features.size(), false);
    for (const std::size_t feature : data_.features) candidate[feature] = true;
    std::erase_if(known_.features, [&](std::size_t feature) { return !candidate[feature]; });
    try {
      return search(known_);
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::data) throw;
      return {};
    }
  }

  void add(const std::vector<std::size_t>& features) {
    for (const std::size_t feature : features) add(feature);
  }

  void add(std::size_t feature) {
    const DesignFeature& columns = known_.design.features[feature];
    if (columns.first == columns.last) return;  // constant in these rows
    const Block all = whole_table(*asked_table_);
    std::vector<double> asked(all.rows * (columns.last - columns.first));
    for (std::size_t c = columns.first; c < columns.last; ++c) {
      known_.design.standardised(all, 0, all.rows, c,
                                 asked.data() + (c - columns.first) * all.rows);
    }
    model_.add({known_.column(columns.first), known_.column(columns.last)}, std::move(asked));
  }

  // Row k of the part.
  void write(const std::vector<double>& predicted, std::size_t k, std::size_t s,
             DealScores& scores) const {
    const std::size_t row = asked_rows_[k];
    if (!data_.label.classification) {
      const double off = data_.label.numbers[row] - predicted[k];
      scores.losses[s][row] = off * off;
      return;
    }
    const std::size_t rows = asked_rows_.size();
    const std::size_t classes = known_label_.classes.size();
    double loss = 1;  // of a class that was never seen: its share was 0
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < classes; ++c) {
      const double as_share =
          classes > 2 ? predicted[c * rows + k] : (1 + (c == 0 ? -predicted[k] : predicted[k])) / 2;
      const double share = std::clamp(as_share, 0.0, 1.0);
      const bool own = known_label_.classes[c] == data_.label.codes[row];
      loss += own ? (1 - share) * (1 - share) - 1 : share * share;
      if (as_share <= most) continue;
      most = as_share;
      scores.hits[s][row] = own ? 1 : 0;
    }
    scores.losses[s][row] = loss;
  }

  const SupervisedData& data_;
  std::vector<std::size_t> asked_rows_;
  std::vector<std::size_t> known_rows_;
  LabelRows known_label_;
  std::unique_ptr<MemorySource> known_table_;
  std::unique_ptr<MemorySource> asked_table_;
  SupervisedData known_;  // once there was a search
  KernelRidge model_;
};

}  // namespace

std::vector<std::size_t> path_sizes(std::size_t most) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = 0; size < most; size += std::max<std::size_t>(1, size / 8)) {
    sizes.push_back(size);
  }
  sizes.push_back(most);
  return sizes;
}

std::optional<HeldOutScores> cross_validate(const SupervisedData& data, const FeatureSearch& search,
                                            const ValidationPlan& plan, Progress& progress) {
  std::vector<DealScores> deals;
  const RowDealer dealer(*data.source, data.label);
  for (std::size_t d = 0; d < plan.deals; ++d) {
    DealScores& deal = deals.emplace_back();
    deal.held = dealer.deal(plan.parts, most_rows, plan.seed + d);
    if (deal.held.parts == 0) return std::nullopt;
    deal.hits.assign(plan.sizes.size(), std::vector<double>(data.rows(), 0.0));
    deal.losses = deal.hits;
  }
  const std::size_t parts = enough_parts(deals.front().held, data.label, plan.enough_rows);
  const std::size_t jobs = parts * deals.size();
  progress.begin("cross-validating", jobs);
  std::mutex telling;
  std::size_t done = 0;
  const auto work = [&](std::size_t job) {
    DealScores& deal = deals[job / parts];
    PartOfRows(data, deal.held, job % parts).score(search, plan, deal);
    const std::lock_guard lock(telling);
    progress.advance(++done);
  };
  const std::size_t used = std::min(data.rows(), most_rows) * data.source->schema().columns();
  if (used * sizeof(double) * copies_of_part * jobs <= plan.memory) {
    in_parallel_one_by_one(jobs, work);
  } else {
    for (std::size_t job = 0; job < jobs; ++job) work(job);
  }
  progress.end();
  for (DealScores& deal : deals) deal.held.keep_parts(parts);
  return HeldOutScores(data.label, plan.sizes, std::move(deals));
}

}  // namespace fsieve::measure
