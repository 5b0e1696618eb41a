#include "basis/family.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "basis/expression.h"
#include "fsieve/error.h"

namespace fsieve::inline basis {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(message, Error::Kind::usage); }

void check(const Family& family) {
  if (family.kind == FamilyKind::functions) {
    if (family.functions.empty()) refuse("the family of functions has no function in it");
    for (const UserFunction& function : family.functions) {
      if (!function.evaluate || function.arguments < 1 || function.arguments > 2) {
        refuse(fmt::format("the function {} needs an evaluation and one or two arguments",
                           function.text));
      }
    }
    return;
  }
  if (!family.functions.empty()) refuse("functions go with the family of functions only");
  if (family.degree < 1 || family.degree > max_depth) {
    refuse(
        fmt::format("a family of degree {}: it is not between 1 and {}", family.degree, max_depth));
  }
}

// How the argument of a user's function is written in an equation: z(x) is x standardised.
std::string argument_text(const DesignColumn& column, Scale scale) {
  return scale == Scale::none ? column.name : fmt::format("z({})", column.name);
}

}  // namespace

FunctionFamily::FunctionFamily(const Family& family, Scale scale, Design& design)
    : family_(family), scale_(scale), design_(design) {
  check(family);
}

std::vector<Parity> FunctionFamily::with(std::size_t feature) {
  // Copied: the design grows while functions are made.
  const DesignFeature columns = design_.features[feature];
  std::vector<Parity> added;
  switch (family_.kind) {
    case FamilyKind::multilinear:
    case FamilyKind::multilinear_squares:
      added = parities_with(columns, products_, family_.degree);
      products_.insert(products_.end(), added.begin(), added.end());
      break;
    case FamilyKind::polynomial:
      added = powers_with(columns);
      products_.insert(products_.end(), added.begin(), added.end());
      break;
    case FamilyKind::functions:
      added = functions_with(columns);
      break;
  }
  if (family_.kind == FamilyKind::multilinear_squares) {
    for (std::size_t c = columns.first; c < columns.last; ++c) {
      added.push_back(Parity().times(c).times(c));
    }
  }
  for (std::size_t c = columns.first; c < columns.last; ++c) chosen_.push_back(c);
  return added;
}

// The feature's powers, each joined to every earlier product that leaves room for it.
std::vector<Parity> FunctionFamily::powers_with(const DesignFeature& feature) const {
  std::vector<Parity> added;
  const auto degree = static_cast<std::size_t>(family_.degree);
  for (std::size_t power = 1; power <= degree; ++power) {
    for (const Parity& product : products_) {
      if (product.size() + power > degree) continue;
      for (std::size_t c = feature.first; c < feature.last; ++c) {
        Parity joined = product;
        for (std::size_t i = 0; i < power; ++i) joined = joined.times(c);
        added.push_back(joined);
      }
    }
  }
  return added;
}

std::vector<Parity> FunctionFamily::functions_with(const DesignFeature& feature) {
  std::vector<Parity> added;
  for (std::size_t c = feature.first; c < feature.last; ++c) added.push_back(Parity().times(c));
  for (const UserFunction& function : family_.functions) {
    for (std::size_t c = feature.first; c < feature.last; ++c) {
      if (function.arguments == 1) {
        added.push_back(derived(function, {c}));
        continue;
      }
      for (const std::size_t earlier : chosen_) {
        added.push_back(derived(function, {earlier, c}));
        added.push_back(derived(function, {c, earlier}));
      }
    }
  }
  return added;
}

Parity FunctionFamily::derived(const UserFunction& function, std::vector<std::size_t> arguments) {
  std::vector<std::string> texts;
  texts.reserve(arguments.size());
  for (const std::size_t c : arguments) texts.push_back(argument_text(design_.columns[c], scale_));
  DesignColumn column;
  column.name = with_arguments(function.text, texts[0], texts.size() > 1 ? texts[1] : "");
  column.feature = design_.columns[arguments.back()].feature;
  column.deviation = 1;
  column.derived = std::make_shared<DerivedColumn>(
      DerivedColumn{function, std::move(arguments), scale_ == Scale::standard});
  design_.columns.push_back(std::move(column));
  return Parity().times(design_.columns.size() - 1);
}

}  // namespace fsieve::basis
