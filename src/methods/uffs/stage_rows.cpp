#include "methods/uffs/stage_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "data/sample_size.h"
#include "data/telling_sample.h"
#include "device/algebra.h"
#include "fsieve/error.h"
#include "source/parted_source.h"
#include "source/trusted_source.h"

namespace fsieve::inline methods {
namespace {

// Parities per row from which the sample engine, whose rank is bounded by the rows, is faster
// (docs/decisions.md has the measurement).
constexpr double sample_ratio = 5;
// Below this many multiply-adds the sample engine, which keeps all digits, takes no time either
// way.
constexpr double sample_work = 1e9;
// Columns that are tested per product of a group from which the sample engine is faster
// (docs/decisions.md).
constexpr double many_tests = 16;
// A sample tells the norm of what is left of a feature up to this share, for all of them together
// at this level.
constexpr double precision = 0.05;
constexpr double level = 0.01;
// Bytes of a sample; whatever --memory says, which must not change an answer.
constexpr std::size_t largest_sample = std::size_t{256} << 20U;
// A table of this many bytes may always be loaded: the choice of the engine must not depend on
// where the rows come from.
constexpr std::size_t small_table = std::size_t{16} << 20U;

// Would forming all inner products of a stage take longer than reading the rows?
bool long_work(const PlannedStage& planned, const Design& design, const Features& order) {
  constexpr double work_of_reading = 2048;  // multiply-adds per value
  const double products = planned.products(design, order);
  return products * products > work_of_reading * static_cast<double>(design.columns.size());
}

// Multiply-adds of a row in a stage of so many products in a group: with each other, and with all
// columns.
double work_of_a_row(double products, const PlannedStage& planned, const Design& design,
                     const Features& order) {
  const auto tested = static_cast<double>(design.columns.size());
  return products * (products / 2 + tested) * static_cast<double>(planned.groups(order.size()));
}

// Columns of two values are counted, 64 rows at a time.
bool all_two_valued(const Design& design) {
  return std::all_of(design.columns.begin(), design.columns.end(),
                     [](const DesignColumn& column) { return column.two_valued; });
}

}  // namespace

StageRows::StageRows(const Problem& problem, const std::vector<PlannedStage>& plan,
                     const Features& order)
    : problem_(problem), size_(rows_to_prepare_on(plan, order)) {}

void StageRows::prepare(const PlannedStage& planned, const Features& order) {
  on_device_.reset();
  sampled_ = size_ < problem_.design.dimensions && may_be_sampled(planned, order);
  if (!sampled_ || sample_) return;
  sample_ = telling_sample(problem_.source, problem_.design, size_, problem_.options.seed,
                           problem_.progress);
  sample_design_ = design_of_sample(problem_.design, *sample_, problem_.progress);
  sample_products_ = Products::of(*sample_, sample_design_);
}

// The rules of the papers do not take into account how many rows there are, and cannot be told from
// fewer.
bool StageRows::may_be_sampled(const PlannedStage& planned, const Features& order) const {
  if (problem_.options.rule != Rule::adjusted || problem_.groups != Groups::any) return false;
  if (!has_rows(problem_.source) || order.empty()) return false;
  return problem_.options.sample != automatic_sample || long_work(planned, problem_.design, order);
}

// How many rows the walk of all stages is prepared on; all of them where none is to be sampled, or
// the sample would be too large.
std::size_t StageRows::rows_to_prepare_on(const std::vector<PlannedStage>& plan,
                                          const Features& order) const {
  const Design& design = problem_.design;
  double products = 0;
  double work = 0;
  for (const PlannedStage& planned : plan) {
    if (!may_be_sampled(planned, order)) continue;
    const double of_stage = planned.products(design, order);
    products = std::max(products, of_stage);
    if (!all_two_valued(design)) work += work_of_a_row(of_stage, planned, design, order);
  }
  if (products == 0) return design.dimensions;
  // At least as many rows are left to judge on as products are fitted to.
  const auto columns = static_cast<double>(design.columns.size());
  const std::size_t tell = std::max(rows_that_tell(precision, level, columns, products),
                                    static_cast<std::size_t>(2 * products));
  std::size_t asked = problem_.options.sample;
  if (asked != automatic_sample) asked = std::max(asked, static_cast<std::size_t>(2 * products));
  const std::size_t size = sample_size(asked, design.dimensions, tell, work);
  const std::size_t fit = largest_sample / sizeof(double) / problem_.source.schema().columns();
  return size <= fit ? size : design.dimensions;
}

Features StageRows::seen(const Features& order) const {
  Features seen;
  std::copy_if(order.begin(), order.end(), std::back_inserter(seen), [&](std::size_t j) {
    const std::vector<DesignColumn>& columns = design().columns;
    const DesignFeature& feature = problem_.design.features[j];
    return std::all_of(columns.begin() + static_cast<std::ptrdiff_t>(feature.first),
                       columns.begin() + static_cast<std::ptrdiff_t>(feature.last),
                       [](const DesignColumn& column) { return column.deviation > 0; });
  });
  return seen;
}

Engine StageRows::choose_engine(const PlannedStage& planned, const Features& order) const {
  if (problem_.options.engine == Engine::sample) check_has_rows(problem_.source, "--engine sample");
  if (problem_.options.engine != Engine::automatic) return problem_.options.engine;
  if (!rows_are_here(source())) return Engine::gram;
  if (planned.epsilon < gram_epsilon) return Engine::sample;
  const double most = planned.products(problem_.design, order);
  const auto rows = static_cast<double>(design().rows);
  const auto groups = static_cast<double>(planned.groups(order.size()));
  const bool small = (sampled_ || table_bytes() <= small_table) &&
                     4 * rows * most * std::min(rows, most) * groups < sample_work;
  // Where many more columns are tested in a group than it has products, single precision does most
  // of the tests, and orthogonalising takes no time beside them.
  const bool tests = (sampled_ || table_bytes() <= small_table) &&
                     static_cast<double>(design().columns.size()) > many_tests * most;
  return small || tests || most > sample_ratio * rows ? Engine::sample : Engine::gram;
}

void StageRows::ask_for_device(const PlannedStage& planned, const Features& order) {
  if (!rows_are_here(source())) return;
  if (!device_) {
    const auto rows = static_cast<double>(design().rows);
    const double products = std::min(planned.products(problem_.design, order), rows);
    device_ = open_accelerator(problem_.options.device,
                               rows * work_of_a_row(products, planned, design(), order));
  }
  if (device_) on_device_ = std::make_shared<DeviceTable>(device_, source(), design());
}

GroupScreen* StageRows::screen(const PlannedStage& planned, const Features& order) {
  if (sampled_ || on_device_ || !has_rows(problem_.source)) return nullptr;
  auto made = GroupScreen::of(problem_, planned, order, screen_.get());
  if (!made) return nullptr;
  screen_ = std::move(made);
  return screen_.get();
}

std::unique_ptr<GroupBasis> StageRows::open_group(Engine engine, const GroupPlan& plan) {
  if (engine == Engine::gram) {
    GroupPlan with_device = plan;
    with_device.device = on_device_;
    return make_gram_basis(sampled_ ? *sample_products_ : *problem_.products, with_device,
                           problem_.progress);
  }
  return make_sample_basis(sampled_ ? *sample_ : in_memory(), design(), plan, problem_.progress);
}

std::size_t StageRows::table_bytes() const {
  return problem_.source.rows() * problem_.source.schema().columns() * sizeof(double);
}

// The sample engine needs all rows at once.
const Source& StageRows::in_memory() {
  if (!problem_.source.in_memory().empty()) return problem_.source;
  if (!loaded_) {
    const std::size_t bytes = table_bytes();
    if (bytes > std::max(problem_.context.memory, small_table)) {
      throw Error(
          fmt::format("the sample engine needs the whole table in memory, {0} MiB; allow it with "
                      "--memory {0}M",
                      (bytes >> 20U) + 1));
    }
    loaded_ = MemorySource::load(problem_.source);
  }
  return *loaded_;
}

}  // namespace fsieve::methods
