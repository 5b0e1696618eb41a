#include "data/class_weights.h"

#include <utility>

#include "base/binary_lists.h"
#include "fsieve/error.h"
#include "stats/fold.h"

namespace fsieve::inline data {
namespace {

// The weights of rows that lie elsewhere.
class RowWeights {
 public:
  void add(const Block& block) {
    weights_.insert(weights_.end(), block.weights.begin(), block.weights.end());
  }
  void merge(const RowWeights& next) {
    weights_.insert(weights_.end(), next.weights_.begin(), next.weights_.end());
  }
  void save(std::ostream& out) const { save_values(out, weights_); }
  void load(std::istream& in) { load_list(in, weights_); }
  [[nodiscard]] std::size_t bytes() const { return weights_.size() * sizeof(double); }

  // For parts of a table that are asked for it.
  static constexpr const char* question = "weights of classes";
  void save_question(std::ostream& /*out*/) const {}
  static RowWeights from_question(std::istream& /*in*/, const Schema& /*schema*/, Keep& /*keep*/) {
    return {};
  }

  [[nodiscard]] std::vector<double> take() { return std::move(weights_); }

 private:
  std::vector<double> weights_;
};

class BalancedReader final : public BlockReader {
 public:
  BalancedReader(std::unique_ptr<BlockReader> rows, std::span<const double> weights)
      : rows_(std::move(rows)), weights_(weights) {}

  bool next(Block& block) override {
    if (!rows_->next(block)) return false;
    block.weights = weights_.first(block.rows);
    weights_ = weights_.subspan(block.rows);
    return true;
  }

 private:
  std::unique_ptr<BlockReader> rows_;
  std::span<const double> weights_;  // of the rows to come
};

constexpr const char* balanced_view = "balanced classes";
const KnownView known_balanced(balanced_view, [](const Source& rows, std::istream& saved) {
  double part = 0;
  load_value(saved, part);
  std::map<double, double> of_class;
  load_each(saved, [&] {
    double value = 0;
    load_value(saved, value);
    load_value(saved, of_class[value]);
  });
  return std::make_unique<BalancedSource>(rows, std::move(of_class), part);
});

}  // namespace

std::vector<double> balancing_factors(const Label& label) {
  if (!label.classification) {
    throw Error("the label is a number: --class-weight balanced needs classes");
  }
  std::vector<double> of_class(label.classes.size());
  for (std::size_t i = 0; i < label.rows; ++i) of_class[label.codes[i]] += label.weight_of(i);
  std::size_t present = 0;
  for (const double weight : of_class) present += weight > 0 ? 1 : 0;
  const double share = label.weight / static_cast<double>(present);
  std::vector<double> factors;
  factors.reserve(of_class.size());
  for (const double weight : of_class) factors.push_back(weight > 0 ? share / weight : 1);
  return factors;
}

std::vector<double> balanced_weights(const Label& label, const std::vector<double>& factors) {
  std::vector<double> weights(label.rows);
  for (std::size_t i = 0; i < label.rows; ++i) {
    weights[i] = label.weight_of(i) * factors[label.codes[i]];
  }
  return weights;
}

BalancedSource::BalancedSource(const Source& source, std::map<double, double> of_class, double part)
    : source_(source), of_class_(std::move(of_class)), part_(part) {}

std::unique_ptr<BlockReader> BalancedSource::open() const {
  return std::make_unique<BalancedReader>(source_.open(), weights());
}

std::span<const double> BalancedSource::weights() const {
  std::call_once(made_, [&] { weights_ = read_weights(); });
  return weights_;
}

// As balanced_weights() has them.
std::vector<double> BalancedSource::read_weights() const {
  NoProgress quiet;
  if (!rows_are_here(*this)) {
    return fold(*this, RowWeights(), RowWeights::question, quiet).take();
  }
  std::vector<double> weights;
  weights.reserve(source_.rows());
  const std::size_t label_column = source_.schema().features.size();
  in_blocks(source_, "weights of classes", quiet, [&](const Block& block) {
    const auto label = block.column(label_column);
    for (std::size_t i = 0; i < block.rows; ++i) {
      const double own = block.weights.empty() ? 1 : block.weights[i];
      weights.push_back(own > 0 ? own * part_ / of_class_.at(label[i]) : 0);
    }
  });
  return weights;
}

const char* BalancedSource::view_name() const { return balanced_view; }

void BalancedSource::save_view(std::ostream& out) const {
  save_value(out, part_);
  save_count(out, of_class_.size());
  for (const auto& [value, weight] : of_class_) {
    save_value(out, value);
    save_value(out, weight);
  }
}

}  // namespace fsieve::data
