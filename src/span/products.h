// The inner products of a table, wherever they come from.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/buffer.h"
#include "basis/parity.h"
#include "data/design.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "span/moment_index.h"

namespace fsieve::inline span {

class ParitySums;

// Two-valued columns are counted in bits where that is possible (not with weights); `never` is for
// functions that are no parities, and for comparison.
enum class Counting { allowed, never };

// Who needs some asks for them. Here they are sums over rows that are read, from memory or a file
// or by the machines that hold them, or counts of bits. Tables of another kind have one of their
// own.
class Products {
 public:
  // Of any table. Source and design must outlive it.
  [[nodiscard]] static std::unique_ptr<const Products> of(const Source& source,
                                                          const Design& design);
  // The design of any table, with the means and deviations of all its rows.
  [[nodiscard]] static Design design_of(const Source& source, Progress& progress);

  Products(const Source& source, const Design& design) : source_(source), design_(design) {}
  virtual ~Products() = default;
  Products(const Products&) = delete;
  Products& operator=(const Products&) = delete;

  [[nodiscard]] const Source& source() const { return source_; }
  [[nodiscard]] const Design& design() const { return design_; }

  // Functions that are products of more columns cannot be asked for.
  [[nodiscard]] virtual int depth() const { return max_depth; }
  // <f, g> = (1/n) sum w_i f(x_i) g(x_i), n = sum w_i, for every g of new_parities (columns) and
  // every f of old_parities, new_parities (lower triangle only) and single columns, in this order
  // (rows); column-major. At most one pass over the data. `moments`: where these pay, sums over
  // rows are found among them.
  [[nodiscard]] virtual Buffer inner(const std::vector<Parity>& old_parities,
                                     const std::vector<Parity>& new_parities,
                                     const std::vector<std::size_t>& singles, Progress& progress,
                                     Counting counting,
                                     std::optional<MomentIndex> moments = std::nullopt) const;
  // What SquareSums says. `what` is how progress calls it.
  [[nodiscard]] virtual std::vector<double> squares(std::vector<std::vector<Parity>> sets,
                                                    std::string_view what,
                                                    Progress& progress) const;
  // Sums of parts of the rows apart, where only these tell how a fit does on rows that it has not
  // seen; null where the rows do.
  [[nodiscard]] virtual const ParitySums* parts() const { return nullptr; }

 private:
  const Source& source_;
  const Design& design_;
};

// Would the inner products of rows be counted?
[[nodiscard]] bool can_be_counted(const Source& source, const Design& design,
                                  const std::vector<Parity>& old_parities,
                                  const std::vector<Parity>& new_parities,
                                  const std::vector<std::size_t>& singles);

}  // namespace fsieve::span
