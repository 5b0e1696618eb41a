#include "span/products.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "span/moment_gram.h"
#include "span/parity_gram.h"
#include "span/parity_sums.h"
#include "span/sign_moments.h"
#include "span/sign_pairs.h"
#include "span/square_sums.h"
#include "stats/fold.h"

namespace fsieve::inline span {
namespace {

constexpr const char* inner_name = "inner products";

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
  const SignPairs pairs = fold(
      source, SignPairs(design, columns_of(rows), columns_of(new_parities)), inner_name, progress);
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

// Of rows that are gone.
class SummedProducts final : public Products {
 public:
  SummedProducts(const SummedSource& source, const Design& design)
      : Products(source, design), sums_(source.sums()), known_(sums_.products(design)) {}

  [[nodiscard]] int depth() const override { return sums_.depth(); }

  [[nodiscard]] Buffer inner(const std::vector<Parity>& old_parities,
                             const std::vector<Parity>& new_parities,
                             const std::vector<std::size_t>& singles, Progress& /*progress*/,
                             Counting /*counting*/,
                             std::optional<MomentIndex> /*moments*/) const override {
    const auto columns = sums_.positions(design(), new_parities);
    const auto rows =
        sums_.positions(design(), with_singles(joined(old_parities, new_parities), singles));
    Buffer products(rows.size() * columns.size());
    double* out = products.data();
    for (const std::size_t j : columns) {
      for (const std::size_t i : rows) *out++ = sum(i, j) / design().weight;
    }
    return products;
  }

  [[nodiscard]] std::vector<double> squares(std::vector<std::vector<Parity>> sets,
                                            std::string_view /*what*/,
                                            Progress& /*progress*/) const override {
    std::vector<double> squares;
    for (const std::vector<Parity>& functions : sets) {
      const auto positions = sums_.positions(design(), functions);
      for (const std::size_t j : positions) {
        for (const std::size_t i : positions) squares.push_back(sum(i, j));
      }
    }
    return squares;
  }

  [[nodiscard]] const ParitySums* parts() const override { return &sums_; }

 private:
  [[nodiscard]] double sum(std::size_t i, std::size_t j) const {
    return known_[i + j * sums_.size()];
  }

  const ParitySums& sums_;
  std::vector<double> known_;
};

// The one place that asks what kind of table it is.
const SummedSource* as_sums(const Source& source) {
  return dynamic_cast<const SummedSource*>(&source);
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

std::unique_ptr<const Products> Products::of(const Source& source, const Design& design) {
  if (const SummedSource* const sums = as_sums(source)) {
    return std::make_unique<const SummedProducts>(*sums, design);
  }
  return std::make_unique<const Products>(source, design);
}

Design Products::design_of(const Source& source, Progress& progress) {
  const SummedSource* const sums = as_sums(source);
  if (sums == nullptr) return make_design(source, progress);
  return make_design(source.schema(), source.rows(), sums->sums().moments());
}

Buffer Products::inner(const std::vector<Parity>& old_parities,
                       const std::vector<Parity>& new_parities,
                       const std::vector<std::size_t>& singles, Progress& progress,
                       Counting counting, std::optional<MomentIndex> moments) const {
  const std::vector<Parity> parities = joined(old_parities, new_parities);
  const std::vector<Parity> rows = with_singles(parities, singles);
  if (counting == Counting::allowed && source_.weights().empty()) {
    if (single_signs(design_, rows)) {
      return count_singles(source_, design_, rows, new_parities, progress);
    }
    if (can_count(design_, parities, singles)) {
      return fold(source_, SignMoments(design_, parities, singles), inner_name, progress)
          .inner_products(old_parities, new_parities);
    }
  }
  if (moments) {
    return fold(source_,
                MomentGram(design_, *std::move(moments), old_parities, new_parities, singles),
                inner_name, progress)
        .inner_products();
  }
  ParityGram gram =
      fold(source_, ParityGram(design_, old_parities, new_parities, singles), inner_name, progress);
  Buffer products = std::move(gram.sums());
  in_parallel(new_parities.size(), [&](std::size_t j) {
    double* column = products.data() + j * rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) column[i] /= design_.weight;
  });
  return products;
}

std::vector<double> Products::squares(std::vector<std::vector<Parity>> sets, std::string_view what,
                                      Progress& progress) const {
  return fold(source_, SquareSums(design_, std::move(sets)), what, progress).take();
}

}  // namespace fsieve::span
