// The functions on the rows that features would bring to a round.
#include <algorithm>
#include <utility>

#include "base/stop.h"
#include "methods/forward/append_product.h"
#include "methods/forward/round.h"

namespace fsieve::inline methods {

Round::Functions Round::functions_with(std::size_t feature, std::size_t subsets) const {
  const std::size_t n = data_->rows();
  Functions functions;
  const std::size_t first = data_->design.features[feature].first;
  const std::size_t last = data_->plain_end(feature);
  functions.reserve(subsets * (last - first) * n);
  for (std::size_t a = 0; a < subsets; ++a) {
    for (std::size_t c = first; c < last; ++c) {
      append_product(n, values_.data() + a * n, data_->column(c), functions);
    }
  }
  return functions;
}

Round::Functions Round::curved_functions(std::size_t feature) const {
  Functions functions = functions_with(feature, 1);
  const Functions curves = curves_of({feature});
  functions.insert(functions.end(), curves.begin(), curves.end());
  return functions;
}

Round::Functions Round::curves_of(const std::vector<std::size_t>& features) const {
  Functions functions;
  for (const std::size_t feature : features) {
    for (std::size_t c = data_->plain_end(feature); c < data_->design.features[feature].last; ++c) {
      append_product(data_->rows(), data_->unit.data(), data_->column(c), functions);
    }
  }
  return functions;
}

Round::Functions Round::added(Functions functions, double trivial) const {
  return span_.new_in(std::move(functions), trivial * data_->weight());
}

Round::Functions Round::added_with_products(std::size_t feature) const {
  return added(functions_with(feature, subsets()), trivial_product);
}

Round::Functions Round::added_alone(std::size_t feature) const {
  return added(functions_with(feature, 1), trivial_single);
}

Round::Functions Round::added_curved(std::size_t feature) const {
  return added(curved_functions(feature), trivial_single);
}

Round::Functions Round::added_subset(const std::vector<std::size_t>& features) const {
  Functions functions;
  append_own_functions(features, functions);
  return added(std::move(functions), trivial_product);
}

Round::Functions Round::added_curves(const std::vector<std::size_t>& features) const {
  return added(curves_of(features), trivial_single);
}

// All products of columns of different features of the subset, one factor at least.
void Round::append_own_functions(const std::vector<std::size_t>& features, Functions& to) const {
  const std::size_t n = data_->rows();
  const std::size_t begin = to.size();
  for (const std::size_t feature : features) {
    const std::size_t first = data_->design.features[feature].first;
    const std::size_t last = data_->plain_end(feature);
    const std::size_t earlier = to.size();
    const std::size_t room = (n + earlier - begin) * (last - first);
    if (to.capacity() < earlier + room) to.reserve(std::max(earlier + room, 2 * to.capacity()));
    for (std::size_t c = first; c < last; ++c) {
      stop_if_asked();
      append_product(n, data_->unit.data(), data_->column(c), to);
      for (std::size_t at = begin; at < earlier; at += n) {
        append_product(n, to.data() + at, data_->column(c), to);
      }
    }
  }
}

}  // namespace fsieve::methods
