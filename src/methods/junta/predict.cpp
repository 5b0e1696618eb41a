// A table with the predictions of a model added to its columns, block by block.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/number.h"
#include "fsieve/error.h"
#include "fsieve/model.h"
#include "methods/junta/formula.h"
#include "methods/junta/junta_table.h"
#include "methods/junta/truth_value.h"
#include "source/checked_source.h"
#include "source/row_error.h"

namespace fsieve {
namespace {

constexpr signed char low = -1;
constexpr signed char high = 1;
constexpr signed char unknown = 0;

bool same(const ColumnValue& value, double number) {
  if (const double* const held = std::get_if<double>(&value)) return *held == number;
  return std::get<std::string>(value) == fmt::format("{}", number);
}

bool same(const ColumnValue& value, const std::string& text) {
  if (const auto* const held = std::get_if<std::string>(&value)) return *held == text;
  return number_in(text) == std::get<double>(value);
}

// A feature of the model in another table.
class FeatureReader {
 public:
  FeatureReader(const ModelFeature& feature, const Column& column, std::size_t position)
      : feature_(feature),
        truths_(feature.low, feature.high),
        column_(column),
        position_(position) {
    if (feature.threshold && column.kind != ColumnKind::numeric) {
      throw Error(
          fmt::format("column \"{}\" is text, but the model cuts it as a number", column.name));
    }
    for (const std::string& level : column.levels) signs_.push_back(sign_of(level));
  }

  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] const std::string& name() const { return column_.name; }

  [[nodiscard]] signed char sign(double value) const {
    if (column_.kind == ColumnKind::categorical) return signs_[static_cast<std::size_t>(value)];
    if (feature_.threshold) return value > *feature_.threshold ? high : low;
    if (feature_.level) return sign_of(fmt::format("{}", value));
    return plain_sign(value);
  }

  [[nodiscard]] double parity(signed char sign) const {
    return (sign - feature_.mean) / feature_.deviation;
  }

  [[nodiscard]] std::string text(double value) const {
    return column_.kind == ColumnKind::categorical ? column_.levels[static_cast<std::size_t>(value)]
                                                   : fmt::format("{}", value);
  }

 private:
  // What training did not see, or saw in few rows, is the level that these became.
  [[nodiscard]] signed char sign_of(const std::string& text) const {
    const signed char sign = own_sign(text);
    return sign == unknown && feature_.pooled ? own_sign(*feature_.pooled) : sign;
  }

  [[nodiscard]] signed char own_sign(const std::string& text) const {
    if (feature_.level) {
      if (text == *feature_.level) return high;
      const bool seen =
          std::find(feature_.levels.begin(), feature_.levels.end(), text) != feature_.levels.end();
      return seen ? low : unknown;
    }
    return plain_sign(text);
  }

  template <class Value>
  [[nodiscard]] signed char plain_sign(const Value& value) const {
    if (same(feature_.high, value)) return high;
    if (same(feature_.low, value)) return low;
    const std::optional<bool> is_high = truths_.is_second(value);
    return !is_high ? unknown : *is_high ? high : low;
  }

  const ModelFeature& feature_;
  TruthPair truths_;
  const Column& column_;
  std::size_t position_;
  std::vector<signed char> signs_;  // per level of a text column
};

const Column& column_at(const Schema& schema, std::size_t position) {
  return position < schema.features.size() ? schema.features[position] : *schema.label;
}

std::size_t position_of(const Schema& schema, const std::string& name) {
  for (std::size_t j = 0; j < schema.columns(); ++j) {
    if (column_at(schema, j).name == name) return j;
  }
  return schema.columns();
}

// The label of another table, where it has one.
struct LabelColumn {
  std::size_t position = 0;
  const Column* column = nullptr;
  std::vector<int> classes;  // per level of a text column
};

// Computes what the model says of the rows of a block.
class RowPredictor {
 public:
  RowPredictor(const Model& model, const Schema& schema, Unseen unseen, std::uint64_t first_row,
               PredictionCounts& counts)
      : model_(model), unseen_(unseen), first_row_(first_row), counts_(counts) {
    for (const ModelFeature& feature : model.features) {
      const std::size_t position = position_of(schema, feature.column);
      if (position == schema.columns()) {
        throw Error(fmt::format("no column \"{}\", which the model needs", feature.column));
      }
      features_.emplace_back(feature, column_at(schema, position), position);
    }
    if (!model.table.empty()) {
      values_.resize(model.table.size());
      predictions_.resize(model.table.size());
      for (const ModelCell& cell : model.table) {
        std::size_t mask = 0;
        for (std::size_t k = 0; k < cell.high.size(); ++k) {
          if (cell.high[k]) mask |= std::size_t{1} << k;
        }
        values_[mask] = cell.value;
        predictions_[mask] = cell.prediction;
      }
    } else {
      list_terms();
    }
    const std::size_t position = position_of(schema, model.label);
    if (position == schema.columns()) return;
    const Column& column = column_at(schema, position);
    label_.emplace();
    label_->position = position;
    label_->column = &column;
    for (const std::string& level : column.levels) label_->classes.push_back(class_of(level));
  }

  // `prediction` and `score` have a place for every row of the block.
  void predict(const Block& block, double* prediction, double* score) {
    signs_.resize(features_.size() * block.rows);
    bad_.assign(block.rows, false);
    for (std::size_t k = 0; k < features_.size(); ++k) {
      const auto values = block.column(features_[k].position());
      for (std::size_t i = 0; i < block.rows; ++i) {
        const signed char sign = features_[k].sign(values[i]);
        signs_[k * block.rows + i] = sign;
        if (sign != unknown) continue;
        if (unseen_ == Unseen::error) refuse(features_[k], values[i], block.first_row + i);
        bad_[i] = true;
      }
    }
    if (model_.table.empty()) {
      add_terms(block.rows, score);
    } else {
      look_up(block.rows, prediction, score);
    }
    const bool majority = model_.majority();
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (bad_[i]) score[i] = 0;
      if (!std::isfinite(score[i])) {
        throw RowError("", block.first_row + i,
                       ": the score is not finite, so the model is damaged", first_row_);
      }
      bool second = majority;
      if (!bad_[i]) {
        second = !model_.table.empty()             ? prediction[i] > 0
                 : std::abs(score[i]) < zero_value ? majority
                                                   : score[i] > 0;
      }
      prediction[i] = second ? 1 : 0;
      ++counts_.predicted[second ? 1 : 0];
      if (bad_[i]) ++counts_.unseen;
    }
    counts_.rows += block.rows;
    if (label_) compare(block, prediction);
  }

 private:
  static constexpr int no_class = -1;

  [[nodiscard]] int class_of(const std::string& text) const {
    for (int k = 0; k < 2; ++k) {
      if (model_.classes[static_cast<std::size_t>(k)] == text) return k;
    }
    const TruthPair truths(model_.classes[0], model_.classes[1]);
    if (const auto second = truths.is_second(text)) return *second ? 1 : 0;
    return no_class;
  }

  void compare(const Block& block, const double* prediction) {
    const auto values = block.column(label_->position);
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (std::isnan(values[i])) continue;  // a row without label
      const int own = label_->column->kind == ColumnKind::categorical
                          ? label_->classes[static_cast<std::size_t>(values[i])]
                          : class_of(fmt::format("{}", values[i]));
      if (own == no_class) continue;
      ++counts_.labelled;
      if (own == static_cast<int>(prediction[i])) ++counts_.right;
    }
  }

  [[noreturn]] void refuse(const FeatureReader& feature, double value, std::size_t row) const {
    throw RowError(fmt::format("column \"{}\", ", feature.name()), row,
                   fmt::format(": \"{}\" was never seen in training (--unseen majority predicts "
                               "the more frequent class)",
                               feature.text(value)),
                   first_row_);
  }

  void look_up(std::size_t rows, double* prediction, double* score) const {
    for (std::size_t i = 0; i < rows; ++i) {
      std::size_t mask = 0;
      for (std::size_t k = 0; k < features_.size(); ++k) {
        if (signs_[k * rows + i] == high) mask |= std::size_t{1} << k;
      }
      score[i] = values_[mask];
      prediction[i] = predictions_[mask] ? 1 : 0;
    }
  }

  void list_terms() {
    for (const Coefficient& coefficient : model_.coefficients) {
      std::vector<std::size_t> factors;
      for (const std::string& name : coefficient.features) {
        const auto found =
            std::find_if(model_.features.begin(), model_.features.end(),
                         [&](const ModelFeature& feature) { return feature.name == name; });
        factors.push_back(static_cast<std::size_t>(found - model_.features.begin()));
      }
      terms_.push_back(std::move(factors));
    }
  }

  // Σ f̂_S χ̂_S(x), product by product.
  void add_terms(std::size_t rows, double* score) {
    parities_.resize(features_.size() * rows);
    for (std::size_t k = 0; k < features_.size(); ++k) {
      for (std::size_t i = 0; i < rows; ++i) {
        parities_[k * rows + i] = features_[k].parity(signs_[k * rows + i]);
      }
    }
    std::fill_n(score, rows, 0.0);
    product_.resize(rows);
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      std::fill(product_.begin(), product_.end(), model_.coefficients[t].value);
      for (const std::size_t k : terms_[t]) {
        for (std::size_t i = 0; i < rows; ++i) product_[i] *= parities_[k * rows + i];
      }
      for (std::size_t i = 0; i < rows; ++i) score[i] += product_[i];
    }
  }

  const Model& model_;
  Unseen unseen_;
  std::uint64_t first_row_;
  PredictionCounts& counts_;
  std::vector<FeatureReader> features_;
  std::vector<double> values_;  // per cell
  std::vector<bool> predictions_;
  std::vector<std::vector<std::size_t>> terms_;  // low-degree: the factors of each coefficient
  std::optional<LabelColumn> label_;
  std::vector<signed char> signs_;
  std::vector<bool> bad_;
  std::vector<double> parities_, product_;
};

class PredictedReader final : public BlockReader {
 public:
  PredictedReader(std::unique_ptr<BlockReader> reader, RowPredictor predictor, std::size_t columns,
                  std::array<double, 2> classes)
      : reader_(std::move(reader)),
        predictor_(std::move(predictor)),
        columns_(columns),
        classes_(classes) {}

  bool next(Block& block) override {
    if (!reader_->next(read_)) return false;
    const std::size_t rows = read_.rows;
    block.first_row = read_.first_row;
    block.rows = block.stride = rows;
    block.storage.resize(rows * (columns_ + 2));
    block.values = block.storage.data();
    for (std::size_t j = 0; j < columns_; ++j) {
      const auto column = read_.column(j);
      std::copy(column.begin(), column.end(), block.storage.begin() + j * rows);
    }
    double* prediction = block.storage.data() + columns_ * rows;
    predictor_.predict(read_, prediction, prediction + rows);
    for (std::size_t i = 0; i < rows; ++i) {
      prediction[i] = classes_[static_cast<std::size_t>(prediction[i])];
    }
    return true;
  }

 private:
  std::unique_ptr<BlockReader> reader_;
  Block read_;
  RowPredictor predictor_;
  std::size_t columns_;
  std::array<double, 2> classes_;  // numbers, or positions of levels
};

// Classes that are numbers are written as numbers.
bool as_numbers(const std::array<std::string, 2>& classes, std::array<double, 2>& numbers) {
  for (std::size_t k = 0; k < 2; ++k) {
    const auto number = number_in(classes[k]);
    if (!number || fmt::format("{}", *number) != classes[k]) return false;
    numbers[k] = *number;
  }
  return true;
}

class PredictedSource final : public TrustedSource {
 public:
  PredictedSource(const Model& model, const Source& source, Unseen unseen, std::uint64_t first_row,
                  PredictionCounts& counts)
      : model_(model), source_(source), unseen_(unseen), first_row_(first_row), counts_(counts) {
    const Schema& from = source_->schema();
    schema_.features = from.features;
    if (from.label) schema_.features.push_back(*from.label);
    for (const char* const name : {"prediction", "score"}) {
      if (position_of(from, name) != from.columns()) {
        throw Error(fmt::format("there is a column \"{}\" already; leave it out with --exclude {}",
                                name, name));
      }
    }
    Column prediction{"prediction", schema_.features.size(), ColumnKind::numeric, {}};
    if (!as_numbers(model.classes, classes_)) {
      prediction.kind = ColumnKind::categorical;
      prediction.levels = {model.classes[0], model.classes[1]};
      classes_ = {0, 1};
      if (prediction.levels[1] < prediction.levels[0]) {  // levels are in byte order
        std::swap(prediction.levels[0], prediction.levels[1]);
        std::swap(classes_[0], classes_[1]);
      }
    }
    schema_.features.push_back(std::move(prediction));
    schema_.features.push_back({"score", schema_.features.size(), ColumnKind::numeric, {}});
    (void)make_predictor();  // what is wrong with the columns is said now
  }

  [[nodiscard]] const Schema& schema() const override { return schema_; }
  [[nodiscard]] std::size_t rows() const override { return source_->rows(); }
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override {
    counts_ = {};
    return std::make_unique<PredictedReader>(source_->open(), make_predictor(),
                                             source_->schema().columns(), classes_);
  }

 private:
  [[nodiscard]] RowPredictor make_predictor() const {
    return {model_, source_->schema(), unseen_, first_row_, counts_};
  }

  const Model& model_;
  CheckedInput source_;
  Unseen unseen_;
  std::uint64_t first_row_;
  PredictionCounts& counts_;
  Schema schema_;
  std::array<double, 2> classes_{};
};

}  // namespace

std::unique_ptr<Source> predicted(const Model& model, const Source& source, Unseen unseen,
                                  std::uint64_t first_row, PredictionCounts& counts) {
  return std::make_unique<PredictedSource>(model, source, unseen, first_row, counts);
}

}  // namespace fsieve
