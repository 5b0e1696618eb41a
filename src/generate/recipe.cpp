#include "generate/recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/random_numbers.h"
#include "fsieve/error.h"

namespace fsieve::inline generate {
namespace {

constexpr std::size_t kInformative = 10;
constexpr std::size_t kPairs = kInformative * kInformative;  // ordered, equal ones too
constexpr std::size_t kTriples = 120;                        // of ten, three distinct ones

using Factors = std::vector<std::size_t>;

std::vector<std::size_t> natural_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

// `count` distinct ones of 0 ... limit - 1, in the order they are drawn.
std::vector<std::size_t> draw(RandomChoices& random, std::size_t count, std::size_t limit) {
  std::vector<std::size_t> urn = natural_order(limit);
  for (std::size_t i = 0; i < count; ++i) std::swap(urn[i], urn[i + random.below(limit - i)]);
  urn.resize(count);
  return urn;
}

// The triple of distinct base features with this number, in lexicographic order.
Factors triple(std::size_t number) {
  for (std::size_t a = 0; a < kInformative; ++a) {
    for (std::size_t b = a + 1; b < kInformative; ++b) {
      for (std::size_t c = b + 1; c < kInformative; ++c) {
        if (number-- == 0) return {a, b, c};
      }
    }
  }
  return {};
}

// The pair a <= b with this number, in lexicographic order.
Factors pair(std::size_t number) {
  for (std::size_t a = 0; a < kInformative; ++a) {
    for (std::size_t b = a; b < kInformative; ++b) {
      if (number-- == 0) return {a, b};
    }
  }
  return {};
}

// sum of a_l x_l over five distinct features, a uniform on (0, 1) (001 section V).
Polynomial linear_combination(RandomChoices& random) {
  constexpr std::size_t kTerms = 5;
  Factors features = draw(random, kTerms, kInformative);
  std::sort(features.begin(), features.end());
  Polynomial sum;
  for (const std::size_t feature : features) sum.push_back({random.uniform(), {feature}});
  return sum;
}

// b_0 + sum of b_i x_i, b uniform on (0, 1) (003 section V.C).
Polynomial hyperplane(RandomChoices& random) {
  Polynomial sum{{random.uniform(), {}}};
  for (std::size_t i = 0; i < kInformative; ++i) sum.push_back({random.uniform(), {i}});
  return sum;
}

// 001 section V.
Recipe s_set(BaseKind base, RandomChoices& random) {
  constexpr std::size_t kRedundant = 10;
  constexpr std::size_t kHyperplanes = 3;
  Recipe recipe;
  recipe.base = base;
  recipe.scale.assign(kInformative, 1.0);
  for (const std::size_t number : draw(random, kRedundant, kTriples)) {
    recipe.redundant.push_back({{3.0, triple(number)}});
  }
  for (std::size_t j = 0; j < kRedundant; ++j)
    recipe.redundant.push_back(linear_combination(random));
  for (std::size_t j = 0; j < kHyperplanes; ++j) recipe.label.push_back(hyperplane(random));
  recipe.relevant = natural_order(kInformative);
  return recipe;
}

// 000 section 6: a multilinear polynomial of the first six features. The squared weight of degree s
// follows the Erlang density (shape 5, rate 2) at s, spread evenly over the terms of that degree,
// with random signs; all weights together are 1.
Recipe e_set(BaseKind base, RandomChoices& random) {
  constexpr std::size_t kFeatures = 20;
  constexpr std::size_t kRelevant = 6;
  constexpr std::array<double, kRelevant + 1> kTermsOfDegree{1, 6, 15, 20, 15, 6, 1};
  const auto density = [](double s) { return 32 * std::pow(s, 4) * std::exp(-2 * s) / 24; };
  double total = 0;
  for (std::size_t s = 1; s <= kRelevant; ++s) total += density(static_cast<double>(s));

  Recipe recipe;
  recipe.base = base;
  recipe.scale.assign(kFeatures, 1.0);
  recipe.relevant = natural_order(kRelevant);
  Polynomial polynomial;
  for (unsigned subset = 1; subset < 1U << kRelevant; ++subset) {
    Factors factors;
    for (std::size_t i = 0; i < kRelevant; ++i) {
      if ((subset >> i & 1U) != 0) factors.push_back(i);
    }
    const std::size_t degree = factors.size();
    const double weight = density(static_cast<double>(degree)) / total / kTermsOfDegree.at(degree);
    const double sign = random.below(2) == 0 ? -1 : 1;
    polynomial.push_back({sign * std::sqrt(weight), std::move(factors)});
  }
  recipe.label.push_back(std::move(polynomial));
  return recipe;
}

// 003 section V.C: w_i of standard deviation i/11, and twenty of the products w_i w_j (all ordered
// pairs, so a product can come twice) and w_i w_j w_k.
Recipe gfs_set(RandomChoices& random) {
  constexpr std::size_t kRedundant = 20;
  Recipe recipe;
  for (std::size_t i = 1; i <= kInformative; ++i) {
    recipe.scale.push_back(static_cast<double>(i) / (kInformative + 1));
  }
  for (const std::size_t number : draw(random, kRedundant, kPairs + kTriples)) {
    Factors factors = number < kPairs ? Factors{number / kInformative, number % kInformative}
                                      : triple(number - kPairs);
    std::sort(factors.begin(), factors.end());
    recipe.redundant.push_back({{1.0, std::move(factors)}});
  }
  return recipe;
}

// Makes the standard deviation of w_a w_b the share u, uniform on (0.5, 0.9), of the smaller one of
// its factors: GFA's condition that redundant features vary less than what they are made of.
double pair_coefficient(const Factors& factors, const std::vector<double>& scale,
                        RandomChoices& random) {
  const double a = scale[factors[0]];
  const double b = scale[factors[1]];
  const double deviation = factors[0] == factors[1] ? std::sqrt(2.0) * a * a : a * b;
  return (0.5 + 0.4 * random.uniform()) * std::min(a, b) / deviation;
}

// 003 section V.D: variances uniform on (0, 1), so a product of three varies less than each.
Recipe gfa_set(bool pairs, RandomChoices& random) {
  constexpr std::size_t kRedundant = 10;
  constexpr std::size_t kUnorderedPairs = kInformative * (kInformative + 1) / 2;
  Recipe recipe;
  for (std::size_t i = 0; i < kInformative; ++i)
    recipe.scale.push_back(std::sqrt(random.uniform()));
  for (const std::size_t number : draw(random, kRedundant, pairs ? kUnorderedPairs : kTriples)) {
    Factors factors = pairs ? pair(number) : triple(number);
    const double coefficient = pairs ? pair_coefficient(factors, recipe.scale, random) : 1.0;
    recipe.redundant.push_back({{coefficient, std::move(factors)}});
  }
  return recipe;
}

Recipe recipe_of(const GenerateOptions& options, RandomChoices& random) {
  switch (options.kind) {
    case SetKind::s1:
      return s_set(BaseKind::normal, random);
    case SetKind::s2:
      return s_set(BaseKind::uniform, random);
    case SetKind::s3:
      return s_set(BaseKind::sign, random);
    case SetKind::e1:
      return e_set(BaseKind::sign, random);
    case SetKind::e2:
      return e_set(BaseKind::normal, random);
    case SetKind::gfs:
      return gfs_set(random);
    case SetKind::gfa:
      break;
  }
  return gfa_set(options.pairs, random);
}

}  // namespace

Recipe make_recipe(const GenerateOptions& options) {
  if (options.pairs && options.kind != SetKind::gfa) {
    throw Error(fmt::format("--pairs goes with gfa, not with {}", name_of(options.kind)),
                Error::Kind::usage);
  }
  RandomChoices structure(options.seed, kStructure);
  Recipe recipe = recipe_of(options, structure);
  recipe.order = natural_order(recipe.features());
  if (options.shuffle) {
    RandomChoices shuffle(options.seed, kShuffle);
    recipe.order = draw(shuffle, recipe.features(), recipe.features());
  }
  return recipe;
}

std::string feature_name(std::size_t feature) { return fmt::format("x{}", feature + 1); }

}  // namespace fsieve::generate
