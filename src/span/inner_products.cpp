#include "span/inner_products.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "span/parity_gram.h"
#include "span/sign_moments.h"
#include "span/sign_pairs.h"
#include "stats/fold.h"

namespace fsieve::inline span {
namespace {

constexpr const char* what = "inner products";

bool single_signs(const Design& design, const std::vector<Parity>& parities) {
  return std::all_of(parities.begin(), parities.end(), [&](const Parity& parity) {
    return parity.size() == 0 ||
           (parity.size() == 1 && design.columns[parity.columns()[0]].two_valued);
  });
}

// Depth 1, all ±1: pairs of columns, by bit counts.
Buffer count_singles(const Source& source, const Design& design, const std::vector<Parity>& rows,
                     const std::vector<Parity>& new_parities, Progress& progress) {
  const auto columns_of = [](const std::vector<Parity>& parities) {
    std::vector<std::size_t> columns;
    for (const Parity& parity : parities) {
      if (parity.size() == 1) columns.push_back(parity.columns()[0]);
    }
    return columns;
  };
  const SignPairs pairs =
      fold(source, SignPairs(design, columns_of(rows), columns_of(new_parities)), what, progress);
  Buffer products(rows.size() * new_parities.size(), 0.0);
  in_parallel(new_parities.size(), [&](std::size_t j) {
    std::size_t single = 0;  // standardised columns have no product with the constant
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].size() == 1) products.data()[i + j * rows.size()] = pairs.product(single++, j);
    }
  });
  return products;
}

std::vector<Parity> joined(std::vector<Parity> parities, const std::vector<Parity>& more) {
  parities.insert(parities.end(), more.begin(), more.end());
  return parities;
}

std::vector<Parity> with_singles(std::vector<Parity> parities,
                                 const std::vector<std::size_t>& singles) {
  for (const std::size_t column : singles) parities.push_back(Parity().times(column));
  return parities;
}

}  // namespace

bool can_be_counted(const Source& source, const Design& design,
                    const std::vector<Parity>& old_parities,
                    const std::vector<Parity>& new_parities,
                    const std::vector<std::size_t>& singles) {
  if (!source.weights().empty()) return false;
  const std::vector<Parity> parities = joined(old_parities, new_parities);
  return can_count(design, parities, singles) ||
         single_signs(design, with_singles(parities, singles));
}

Buffer inner_products(const Source& source, const Design& design,
                      const std::vector<Parity>& old_parities,
                      const std::vector<Parity>& new_parities,
                      const std::vector<std::size_t>& singles, Progress& progress,
                      Counting counting) {
  const std::vector<Parity> parities = joined(old_parities, new_parities);
  const std::vector<Parity> rows = with_singles(parities, singles);
  if (counting == Counting::allowed && source.weights().empty()) {
    if (single_signs(design, rows)) {
      return count_singles(source, design, rows, new_parities, progress);
    }
    if (can_count(design, parities, singles)) {
      return fold(source, SignMoments(design, parities, singles), what, progress)
          .inner_products(old_parities, new_parities);
    }
  }
  ParityGram gram =
      fold(source, ParityGram(design, old_parities, new_parities, singles), what, progress);
  Buffer products = std::move(gram.sums());
  in_parallel(new_parities.size(), [&](std::size_t j) {
    double* column = products.data() + j * rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) column[i] /= design.weight;
  });
  return products;
}

}  // namespace fsieve::span
