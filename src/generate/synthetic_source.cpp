#include <algorithm>
#include <array>
#include <utility>

#include "base/random_numbers.h"
#include "fsieve/generate.h"
#include "generate/recipe.h"
#include "source/trusted_source.h"

namespace fsieve {
namespace {

class SyntheticSource final : public TrustedSource {
 public:
  explicit SyntheticSource(const GenerateOptions& options)
      : recipe_(make_recipe(options)), values_(options.seed, kValues), rows_(options.rows) {
    for (std::size_t j = 0; j < recipe_.order.size(); ++j) {
      schema_.features.push_back({feature_name(recipe_.order[j]), j, ColumnKind::numeric, {}});
    }
    if (!recipe_.label.empty()) {
      schema_.label = Column{"y", schema_.features.size(), ColumnKind::numeric, {}};
    }
  }

  [[nodiscard]] const Schema& schema() const override { return schema_; }
  [[nodiscard]] std::size_t rows() const override { return rows_; }
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override;

  // Writes the columns of one row, `stride` apart. `features` is room for the unshuffled row.
  void make_row(std::size_t row, std::vector<double>& features, double* out,
                std::size_t stride) const;

 private:
  void draw_base(std::size_t row, std::vector<double>& features) const;

  Recipe recipe_;
  RandomNumbers values_;
  std::size_t rows_;
  Schema schema_;
};

double evaluate(const Polynomial& polynomial, const std::vector<double>& features) {
  double sum = 0;
  for (const Monomial& monomial : polynomial) {
    double product = monomial.coefficient;
    for (const std::size_t factor : monomial.factors) product *= features[factor];
    sum += product;
  }
  return sum;
}

void SyntheticSource::draw_base(std::size_t row, std::vector<double>& features) const {
  for (std::size_t j = 0; j < recipe_.scale.size(); j += 2) {
    std::array<double, 2> pair{};
    const auto position = static_cast<std::uint32_t>(j / 2);
    switch (recipe_.base) {
      case BaseKind::normal:
        pair = values_.normal(row, position);
        break;
      case BaseKind::uniform:
        pair = values_.uniform(row, position);
        for (double& value : pair) value = 2 * value - 1;
        break;
      case BaseKind::sign: {
        const auto bits = values_.bits(row, position);
        for (std::size_t k = 0; k < 2; ++k) pair[k] = (bits[k] >> 63U) != 0 ? 1 : -1;
        break;
      }
    }
    for (std::size_t k = 0; k < 2 && j + k < recipe_.scale.size(); ++k) {
      features.push_back(recipe_.scale[j + k] * pair[k]);
    }
  }
}

void SyntheticSource::make_row(std::size_t row, std::vector<double>& features, double* out,
                               std::size_t stride) const {
  features.clear();
  draw_base(row, features);
  for (const Polynomial& polynomial : recipe_.redundant) {
    features.push_back(evaluate(polynomial, features));
  }
  for (std::size_t j = 0; j < recipe_.order.size(); ++j) {
    out[j * stride] = features[recipe_.order[j]];
  }
  if (recipe_.label.empty()) return;
  double product = 1;
  for (const Polynomial& polynomial : recipe_.label) product *= evaluate(polynomial, features);
  out[recipe_.order.size() * stride] = product < 0 ? -1 : 1;
}

class SyntheticReader final : public BlockReader {
 public:
  explicit SyntheticReader(const SyntheticSource& source)
      : source_(source), step_(block_rows(source.schema().columns())) {}

  bool next(Block& block) override {
    if (row_ >= source_.rows()) return false;
    block.first_row = row_;
    block.rows = std::min(step_, source_.rows() - row_);
    block.stride = block.rows;
    block.storage.resize(block.rows * source_.schema().columns());
    block.values = block.storage.data();
    for (std::size_t i = 0; i < block.rows; ++i) {
      source_.make_row(row_ + i, features_, block.storage.data() + i, block.stride);
    }
    row_ += block.rows;
    return true;
  }

 private:
  const SyntheticSource& source_;
  std::size_t step_;
  std::size_t row_ = 0;
  std::vector<double> features_;
};

std::unique_ptr<BlockReader> SyntheticSource::open() const {
  return std::make_unique<SyntheticReader>(*this);
}

}  // namespace

std::unique_ptr<Source> synthetic_set(const GenerateOptions& options) {
  return std::make_unique<SyntheticSource>(options);
}

}  // namespace fsieve
