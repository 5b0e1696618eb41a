// The statistics of UFFS that can be added chunk by chunk: moments of the columns, and inner
// products of all their parities up to a depth, of some parts of the rows apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <vector>

#include "basis/parity.h"
#include "data/design.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "source/trusted_source.h"
#include "span/column_shapes.h"
#include "stats/moments.h"

namespace fsieve::inline span {

// Means and deviations are known only when all rows were seen. But a standardised parity is a
// combination of parities of any other origin and unit, (x − shift)/scale: products of fewer of the
// same columns. So inner products are summed in units that the first chunk gives, and moved to
// others by a linear map, exactly but for rounding.
//
// Rows are dealt to parts by their number. What a fit to the other parts leaves of one says how it
// does on rows that it has not seen.
class ParitySums {
 public:
  static constexpr std::size_t least_parts = 2;
  static constexpr std::size_t most_parts = 10;

  // Throws Error unless all columns are numeric.
  ParitySums(Schema schema, int depth, std::size_t parts = most_parts);

  // Adds the rows of a chunk. Throws Error where its columns are others.
  void add(const Source& chunk, Progress& progress);
  // Adds what another has seen. Throws Error where its columns, depth or parts are others.
  void merge(const ParitySums& other);
  void save(std::ostream& out) const;
  // Reads what save() wrote of sums of the same columns and depth.
  void load(std::istream& in);

  [[nodiscard]] const Schema& schema() const { return schema_; }
  [[nodiscard]] int depth() const { return depth_; }
  [[nodiscard]] std::size_t parts() const { return parts_.size(); }
  [[nodiscard]] const Moments& moments() const { return moments_; }
  // Empty before the first chunk.
  [[nodiscard]] const std::optional<ColumnShapes>& shapes() const { return shapes_; }

  // Sums over rows of products of two parities of the design's standardised columns, and where in
  // these a parity stands.
  [[nodiscard]] std::vector<double> products(const Design& design) const;
  [[nodiscard]] std::vector<std::size_t> positions(const Design& design,
                                                   const std::vector<Parity>& parities) const;
  // The same of the rows of one part, and of these parities alone: with every product its own parts
  // are among them, and come before it.
  [[nodiscard]] std::vector<double> part_products(const Design& design, std::size_t part,
                                                  const std::vector<Parity>& parities) const;

  // The same of columns (x − mean)/deviation, as in the schema, and of positions.
  [[nodiscard]] std::vector<double> sums_around(const std::vector<double>& means,
                                                const std::vector<double>& deviations) const;
  [[nodiscard]] std::vector<double> part_around(std::size_t part,
                                                const std::vector<std::size_t>& positions,
                                                const std::vector<double>& means,
                                                const std::vector<double>& deviations) const;

  [[nodiscard]] std::size_t size() const { return parities_.size(); }

  // Bytes that the sums of so many columns take, for every part.
  [[nodiscard]] static double bytes(std::size_t columns, int depth);

 private:
  void check_same(const Schema& other) const;
  void take_units(const Moments& first_chunk);
  // Which of the chunk's rows are in which part.
  [[nodiscard]] std::vector<std::vector<std::size_t>> dealt(const Source& chunk) const;
  [[nodiscard]] std::vector<double> moved(std::vector<double> sums,
                                          const std::vector<std::size_t>& positions,
                                          const std::vector<double>& means,
                                          const std::vector<double>& deviations) const;
  [[nodiscard]] std::vector<std::size_t> all_positions() const;

  Schema schema_;
  int depth_;
  Moments moments_;
  std::vector<double> shift_;  // empty before the first chunk
  std::vector<double> scale_;
  std::vector<Parity> parities_;  // of the features, in standard order
  std::map<std::vector<std::uint32_t>, std::size_t> positions_;
  std::optional<ColumnShapes> shapes_;
  std::vector<std::vector<double>> parts_;  // lower triangles, column by column
};

// A table of which only the sums are left: what UFFS needs of its rows can be computed from them.
class SummedSource final : public TrustedSource {
 public:
  explicit SummedSource(const ParitySums& sums) : sums_(sums) {}

  [[nodiscard]] const Schema& schema() const override { return sums_.schema(); }
  [[nodiscard]] std::size_t rows() const override { return sums_.moments().rows(); }
  [[nodiscard]] bool has_rows() const override { return false; }
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override;

  [[nodiscard]] const ParitySums& sums() const { return sums_; }

 private:
  const ParitySums& sums_;
};

}  // namespace fsieve::span
