// Inner products of new parities with old ones and with each other, from moments, and with single
// columns, in one pass over the rows: what ParityGram gives, where moments pay.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <vector>

#include "base/buffer.h"
#include "basis/parity.h"
#include "data/design.h"
#include "fsieve/source.h"
#include "span/moment_sums.h"
#include "span/product_sums.h"
#include "stats/asked.h"

namespace fsieve::inline span {

class MomentGram {
 public:
  MomentGram(const Design& design, MomentIndex index, std::vector<Parity> old_parities,
             const std::vector<Parity>& new_parities, const std::vector<std::size_t>& singles);

  void add(const Block& block);
  void merge(const MomentGram& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const { return moments_.bytes(); }

  // For parts of a table that are asked for it.
  static constexpr const char* question = "moment gram";
  void save_question(std::ostream& out) const;
  static MomentGram from_question(std::istream& in, const Schema& schema, Keep& keep);

  // Products::inner.
  [[nodiscard]] Buffer inner_products();

 private:
  const Design* design_;
  std::vector<Parity> old_;
  std::vector<Parity> new_;
  std::vector<std::size_t> singles_;
  MomentSums<double> moments_;
  ProductSums with_singles_;  // column by column of the new parities
};

}  // namespace fsieve::span
