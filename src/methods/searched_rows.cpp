#include "methods/searched_rows.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "data/bins.h"
#include "data/class_weights.h"
#include "fsieve/error.h"
#include "source/present_rows.h"

namespace fsieve::inline methods {

void SearchedRows::check_memory(std::size_t memory) const {
  const std::size_t bytes = given_.rows() * given_.schema().columns() * sizeof(double);
  if (!given_.in_memory().empty() || bytes <= memory) return;
  throw Error(fmt::format(
      "selection needs the whole table in memory, {0} MiB; allow it with --memory {0}M, or {1}",
      (bytes >> 20U) + 1,
      options_.sample == every_row ? "leave out --sample all to search in a sample of the rows"
                                   : "search in a sample of the rows with --sample N"));
}

const Source& SearchedRows::in_memory() {
  if (!given_.in_memory().empty()) return given_;
  if (!loaded_) loaded_ = MemorySource::load(given_);
  return *loaded_;
}

const Source& SearchedRows::present() {
  const Source& source = in_memory();
  if (!present_) present_ = present_rows(source);
  return present_ ? *present_ : source;
}

SupervisedData SearchedRows::data(Task task, Progress& progress) {
  const Source* source = &present();
  if (options_.bins > 0) {
    binned_ = binned(*source, options_.bins);
    source = binned_.get();
  }
  std::vector<double> class_factors;
  if (options_.balanced) {
    const Label label = read_label(*source, options_.task);
    class_factors = balancing_factors(label);
    source = &balanced_.emplace(*source, balanced_weights(label, class_factors));
  }
  SupervisedData data = make_supervised_data(*source, task, progress);
  data.balanced = options_.balanced;
  data.label.units = std::move(class_factors);
  if (data.weight() >= 2) return data;
  throw Error(fmt::format(
      "the weights of the rows sum to {:g}: scale them to count rows, two or more", data.weight()));
}

}  // namespace fsieve::methods
