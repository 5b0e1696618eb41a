// Quine and McCluskey: all prime implicants, then the smallest set of them that covers.
#include "methods/junta/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace fsieve::inline methods {
namespace {

// A product of literals: the features in `care` are as in `value`.
struct Product {
  unsigned care = 0;
  unsigned value = 0;

  [[nodiscard]] bool holds(unsigned cell) const { return (cell & care) == value; }
  [[nodiscard]] int literals() const { return std::popcount(care); }
};

using Cells = std::uint32_t;  // a bit per cell

// Products that are true on cells of `on` only, and could not do with a literal less.
std::vector<Product> prime_implicants(unsigned features, Cells on) {
  std::vector<Product> all;
  const unsigned cells = 1U << features;
  const auto covered = [&](const Product& product) {
    for (unsigned cell = 0; cell < cells; ++cell) {
      if (product.holds(cell) && (on >> cell & 1U) == 0) return false;
    }
    return true;
  };
  for (unsigned care = 0; care < cells; ++care) {
    for (unsigned value = 0; value < cells; ++value) {
      if ((value & ~care) != 0) continue;
      const Product product{care, value};
      if (!covered(product)) continue;
      bool prime = true;
      for (unsigned bit = 0; bit < features; ++bit) {
        const unsigned rest = care & ~(1U << bit);
        if (rest != care && covered({rest, value & rest})) prime = false;
      }
      if (prime) all.push_back(product);
    }
  }
  return all;
}

// The fewest products that cover, then the fewest literals; of equal ones the first.
class SmallestCover {
 public:
  SmallestCover(unsigned features, Cells on) : primes_(prime_implicants(features, on)), on_(on) {
    for (const Product& prime : primes_) {
      Cells covers = 0;
      for (unsigned cell = 0; cell < 1U << features; ++cell) {
        if (prime.holds(cell)) covers |= Cells{1} << cell;
      }
      covers_.push_back(covers);
    }
    search(0, 0);
  }

  [[nodiscard]] std::vector<Product> products() const {
    std::vector<Product> chosen;
    for (const std::size_t k : best_) chosen.push_back(primes_[k]);
    return chosen;
  }

 private:
  void search(Cells covered, int literals) {
    const auto size = chosen_.size();
    if (found_ && (size > best_.size() || (size == best_.size() && literals >= literals_))) return;
    if ((on_ & ~covered) == 0) {
      best_ = chosen_;
      literals_ = literals;
      found_ = true;
      return;
    }
    const auto cell = static_cast<unsigned>(std::countr_zero(on_ & ~covered));
    for (std::size_t k = 0; k < primes_.size(); ++k) {
      if ((covers_[k] >> cell & 1U) == 0) continue;
      chosen_.push_back(k);
      search(covered | covers_[k], literals + primes_[k].literals());
      chosen_.pop_back();
    }
  }

  std::vector<Product> primes_;
  std::vector<Cells> covers_;
  Cells on_;
  std::vector<std::size_t> chosen_, best_;
  int literals_ = 0;
  bool found_ = false;
};

int literals_of(const std::vector<Product>& products) {
  int sum = 0;
  for (const Product& product : products) sum += product.literals();
  return sum;
}

// Products joined by `outer`, their literals by `inner`; `negated` turns every literal round.
std::string joined(const std::vector<ModelFeature>& features, const std::vector<Product>& products,
                   std::string_view inner, std::string_view outer, bool negated) {
  std::vector<std::string> parts;
  for (const Product& product : products) {
    std::vector<std::string> literals;
    for (std::size_t k = 0; k < features.size(); ++k) {
      if ((product.care >> k & 1U) == 0) continue;
      literals.push_back(condition(features[k], ((product.value >> k & 1U) != 0) != negated));
    }
    const std::string part = fmt::format("{}", fmt::join(literals, inner));
    parts.push_back(products.size() > 1 && literals.size() > 1 ? "(" + part + ")" : part);
  }
  return fmt::format("{}", fmt::join(parts, outer));
}

std::string quoted_if_needed(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_of(" \t\n\"()=<>") == std::string::npos;
  return plain ? text : "\"" + text + "\"";
}

}  // namespace

std::string value_text(const ColumnValue& value) {
  if (const double* const number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return std::get<std::string>(value);
}

std::string condition(const ModelFeature& feature, bool high) {
  const std::string column = quoted_if_needed(feature.column);
  if (feature.threshold)
    return fmt::format("{} {} {}", column, high ? ">" : "≤", *feature.threshold);
  if (feature.level) {
    return fmt::format("{} {} {}", column, high ? "=" : "≠", quoted_if_needed(*feature.level));
  }
  return fmt::format("{} = {}", column,
                     quoted_if_needed(value_text(high ? feature.high : feature.low)));
}

std::string formula_of(const std::vector<ModelFeature>& features,
                       const std::vector<ModelCell>& table) {
  const auto count = static_cast<unsigned>(features.size());
  const auto all = static_cast<Cells>((std::uint64_t{1} << (1U << count)) - 1);
  Cells on = 0;
  for (const ModelCell& cell : table) {
    unsigned number = 0;
    for (unsigned k = 0; k < count; ++k) number |= cell.high[k] ? 1U << k : 0U;
    if (cell.prediction) on |= Cells{1} << number;
  }
  if (on == all) return "always";
  if (on == 0) return "never";
  const std::vector<Product> sum = SmallestCover(count, on).products();
  const std::vector<Product> without = SmallestCover(count, all & ~on).products();
  if (literals_of(without) < literals_of(sum)) {
    return joined(features, without, " or ", " and ", true);
  }
  return joined(features, sum, " and ", " or ", false);
}

}  // namespace fsieve::methods
