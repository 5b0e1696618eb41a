#include "relations/library.h"

#include <array>
#include <cmath>

#include "equation/claim.h"

namespace fsieve::relations {
namespace {

constexpr std::size_t most_factors = 4;
constexpr double least_difficulty = 1;  // of a factor
constexpr std::array<double, 7> usual_powers{1, 2, 3, -1, -2, 0.5, -0.5};
// From the richest to plain products of two.
constexpr std::array<double, 7> difficulties{5, 4.5, 4, 3.5, 3, 2.5, 2};

bool allowed(const Ingredient& ingredient, double power) {
  if (power == 1) return true;
  if (ingredient.two_valued) return false;
  if (power != std::round(power)) return ingredient.positive;
  return power > 0 || ingredient.divisor;
}

bool allowed(const Ingredient& ingredient, Form logarithm) {
  if (ingredient.two_valued) return false;
  return logarithm == Form::log ? ingredient.positive : !ingredient.negative;
}

class Enumeration {
 public:
  Enumeration(const std::vector<Ingredient>& ingredients, double difficulty, std::size_t most)
      : ingredients_(ingredients), most_(most) {
    extend({}, 0, difficulty);
  }

  [[nodiscard]] bool too_many() const { return products_.size() > most_; }
  std::vector<Product> take() { return std::move(products_); }

 private:
  void extend(const Product& product, std::size_t next, double left) {
    if (product.size() == most_factors || left < least_difficulty) return;
    for (std::size_t i = next; i < ingredients_.size() && !too_many(); ++i) {
      if (!product.empty() && ingredients_[i].feature == feature_of_last_) continue;
      for (const double power : usual_powers) {
        const Factor factor{ingredients_[i].column, power};
        const double rest = left - difficulty(factor);
        if (rest < -1e-9 || !allowed(ingredients_[i], power)) continue;
        Product longer = product;
        longer.push_back(factor);
        products_.push_back(longer);
        const std::size_t before = feature_of_last_;
        feature_of_last_ = ingredients_[i].feature;
        extend(longer, i + 1, rest);
        feature_of_last_ = before;
      }
      if (product.empty()) add_logarithms(ingredients_[i], left);
    }
  }

  // By themselves: with others they are in nobody's table.
  void add_logarithms(const Ingredient& ingredient, double left) {
    for (const Form form : {Form::log, Form::log_of_one_more}) {
      const Factor factor{ingredient.column, 1, form};
      if (difficulty(factor) <= left && allowed(ingredient, form)) products_.push_back({factor});
    }
  }

  const std::vector<Ingredient>& ingredients_;
  std::size_t most_;
  std::size_t feature_of_last_ = 0;
  std::vector<Product> products_;
};

}  // namespace

Library make_library(const Sheet& sheet, const std::vector<Ingredient>& ingredients, double limit,
                     std::size_t most) {
  Library library;
  for (const double difficulty : difficulties) {
    if (difficulty > limit) continue;
    Enumeration all(ingredients, difficulty, most);
    if (all.too_many()) continue;
    library.products = all.take();
    library.difficulty = difficulty;
    break;
  }
  if (library.products.empty()) return library;
  const std::size_t n = sheet.rows;
  std::vector<double> values(n * library.products.size());
  for (std::size_t p = 0; p < library.products.size(); ++p) {
    evaluate(
        library.products[p], [&](std::uint32_t c) { return sheet.column(c); }, n,
        values.data() + p * n);
  }
  std::vector<double> deviations;
  library.values = standardised(sheet, std::move(values), deviations);
  return library;
}

}  // namespace fsieve::relations
