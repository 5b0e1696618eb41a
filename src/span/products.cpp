#include "span/products.h"

#include <utility>

#include "span/inner_products.h"
#include "span/parity_sums.h"
#include "span/square_sums.h"
#include "stats/fold.h"

namespace fsieve::inline span {
namespace {

// Of rows that are gone.
class SummedProducts final : public Products {
 public:
  SummedProducts(const SummedSource& source, const Design& design)
      : Products(source, design), sums_(source.sums()), known_(sums_.products(design)) {}

  [[nodiscard]] int depth() const override { return sums_.depth(); }

  [[nodiscard]] Buffer inner(const std::vector<Parity>& old_parities,
                             const std::vector<Parity>& new_parities,
                             const std::vector<std::size_t>& singles,
                             Progress& /*progress*/) const override {
    const auto columns = sums_.positions(design(), new_parities);
    auto rows = sums_.positions(design(), old_parities);
    rows.insert(rows.end(), columns.begin(), columns.end());
    for (const std::size_t single : singles) {
      rows.push_back(sums_.positions(design(), {Parity().times(single)})[0]);
    }
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
                       const std::vector<std::size_t>& singles, Progress& progress) const {
  return inner_products(source(), design(), old_parities, new_parities, singles, progress);
}

std::vector<double> Products::squares(std::vector<std::vector<Parity>> sets, std::string_view what,
                                      Progress& progress) const {
  return fold(source(), SquareSums(design(), std::move(sets)), what, progress).take();
}

}  // namespace fsieve::span
