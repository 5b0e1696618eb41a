#include "page/held_out_rule.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "base/random_numbers.h"
#include "fsieve/error.h"
#include "fsieve/model.h"
#include "page/row_sample.h"

namespace fsieve::inline page {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t kFolds = 5;
constexpr std::size_t kMostRows = 20'000;
constexpr std::size_t kMostValues = std::size_t{1} << 26U;  // held at once
constexpr std::uint32_t fold_purpose = 0xf01d;

std::vector<std::size_t> shuffled_folds(std::size_t rows, std::uint64_t seed) {
  std::vector<std::size_t> fold(rows);
  for (std::size_t i = 0; i < rows; ++i) fold[i] = i % kFolds;
  RandomChoices random(seed, fold_purpose);
  for (std::size_t i = rows; i > 1; --i) std::swap(fold[i - 1], fold[random.below(i)]);
  return fold;
}

// The rows of the sample that `wanted` says.
MemorySource part(const Schema& schema, const RowSample& sample, const std::vector<bool>& wanted) {
  std::vector<double> values;
  for (std::size_t k = 0; k < sample.columns.size(); ++k) {
    const auto column = sample.column(k);
    for (std::size_t i = 0; i < sample.rows; ++i) {
      if (wanted[i]) values.push_back(column[i]);
    }
  }
  const auto rows = static_cast<std::size_t>(std::count(wanted.begin(), wanted.end(), true));
  return {schema, std::move(values), rows};
}

double accuracy(const Model& model, const Source& table, Progress& progress) {
  PredictionCounts counts;
  const auto source = predicted(model, table, Unseen::majority, 1, counts);
  progress.begin("trying the rule", source->rows());
  const auto reader = source->open();
  Block block;
  while (reader->next(block)) progress.advance(block.first_row + block.rows);
  progress.end();
  return counts.labelled == 0
             ? 0
             : static_cast<double>(counts.right) / static_cast<double>(counts.labelled);
}

// Of the rows in the fold, by a rule of the others; none: they are too few.
std::optional<double> fold_accuracy(const Schema& schema, const RowSample& sample,
                                    const std::vector<std::size_t>& folds, std::size_t fold,
                                    const JuntaOptions& options, Progress& progress) {
  std::vector<bool> inside(sample.rows);
  for (std::size_t i = 0; i < sample.rows; ++i) inside[i] = folds[i] == fold;
  std::vector<bool> outside = inside;
  outside.flip();
  try {
    const Model model = learn(part(schema, sample, outside), options, progress);
    return accuracy(model, part(schema, sample, inside), progress);
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::interrupted) throw;
    return std::nullopt;
  }
}

}  // namespace

json held_out_rule(const Source& source, const JuntaOptions& options, std::uint64_t seed,
                   Progress& progress) {
  const Schema& schema = source.schema();
  std::vector<std::size_t> columns(schema.columns());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  const std::size_t most = std::min(kMostRows, kMostValues / columns.size());
  const RowSample sample = sample_rows(source, std::move(columns), most, seed, progress);
  if (sample.rows < 2 * kFolds) return nullptr;
  const std::vector<std::size_t> folds = shuffled_folds(sample.rows, seed);
  std::vector<double> found;
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    const auto right = fold_accuracy(schema, sample, folds, fold, options, progress);
    if (!right) return nullptr;
    found.push_back(*right);
  }
  const double mean = std::accumulate(found.begin(), found.end(), 0.0) / kFolds;
  double squares = 0;
  for (const double value : found) squares += (value - mean) * (value - mean);
  return {
      {"folds", kFolds}, {"accuracy", mean}, {"error", std::sqrt(squares / (kFolds - 1) / kFolds)}};
}

}  // namespace fsieve::page
