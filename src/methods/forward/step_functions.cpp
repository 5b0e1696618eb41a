#include "methods/forward/step_functions.h"

namespace fsieve::inline methods {
namespace {

Function times(Function function, std::uint32_t column) {
  function.push_back(column);
  return function;
}

}  // namespace

Functions StepFunctions::with_products(std::size_t feature) const {
  Functions functions;
  for (const Function& product : products_) {
    for (const std::uint32_t column : columns_.features()[feature].plain) {
      functions.push_back(times(product, column));
    }
  }
  return functions;
}

Functions StepFunctions::alone(std::size_t feature) const {
  Functions functions;
  for (const std::uint32_t column : columns_.features()[feature].plain)
    functions.push_back({column});
  return functions;
}

Functions StepFunctions::curves(const std::vector<std::size_t>& features) const {
  Functions functions;
  for (const std::size_t feature : features) {
    for (const std::uint32_t c : columns_.features()[feature].curves) functions.push_back({c});
  }
  return functions;
}

Functions StepFunctions::curved(std::size_t feature) const {
  Functions functions = alone(feature);
  append(functions, curves({feature}));
  return functions;
}

// All products of columns of different features, one factor at least.
Functions StepFunctions::own_products(const std::vector<std::size_t>& features) const {
  Functions functions;
  for (const std::size_t feature : features) {
    const Functions earlier = functions;
    for (const std::uint32_t column : columns_.features()[feature].plain) {
      functions.push_back({column});
      for (const Function& product : earlier) functions.push_back(times(product, column));
    }
  }
  return functions;
}

Functions StepFunctions::take(const TakenStep& step, const std::vector<std::size_t>& features) {
  Functions functions;
  switch (step.kind) {
    case StepKind::with_products:
      functions = with_products(features[0]);
      break;
    case StepKind::alone:
      functions = alone(features[0]);
      break;
    case StepKind::curved:
      functions = curved(features[0]);
      break;
    case StepKind::subset:
      functions = own_products(features);
      break;
  }
  for (const std::size_t feature : features) {
    open_products(feature, step.kind == StepKind::curved);
  }
  return functions;
}

void StepFunctions::open_products(std::size_t feature, bool family) {
  const SeenFeature& own = columns_.features()[feature];
  std::vector<std::uint32_t> brought = own.plain;
  if (family) brought.insert(brought.end(), own.curves.begin(), own.curves.end());
  const Functions earlier = products_;
  for (const Function& product : earlier) {
    if (product.size() + 1 >= static_cast<std::size_t>(depth_)) continue;
    for (const std::uint32_t column : brought) products_.push_back(times(product, column));
  }
}

}  // namespace fsieve::methods
