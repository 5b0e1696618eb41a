// The design columns of a table on a device that multiplies matrices. They stay there where they
// fit; else every pass copies them block by block, while the last blocks are worked on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "basis/parity.h"
#include "data/design.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "linalg/accelerator.h"

namespace fsieve::inline span {

class DeviceTable {
 public:
  // Both must outlive it. The design may grow by columns of functions.
  DeviceTable(std::shared_ptr<blas::Accelerator> device, const Source& source, const Design& design)
      : device_(std::move(device)), source_(source), design_(design) {}

  [[nodiscard]] blas::Accelerator& device() const { return *device_; }
  [[nodiscard]] const Source& source() const { return source_; }
  [[nodiscard]] const Design& design() const { return design_; }

  // Functions as the device evaluates them, each times the root of its row's weight: `most` factors
  // each.
  struct Functions {
    std::vector<std::uint32_t> factors;
    std::size_t count = 0;
    std::size_t most = 0;

    [[nodiscard]] blas::ColumnProducts products() const { return {factors.data(), count, most}; }
  };
  [[nodiscard]] Functions functions(const std::vector<Parity>& parities) const;

  // Calls body(columns, rows) for all rows, some thousand at a time.
  using Body = std::function<void(const blas::Place&, std::size_t)>;
  void for_each_chunk(Progress& progress, const Body& body);

  // Rows that are at most given to a body.
  [[nodiscard]] std::size_t chunk_rows() const;

 private:
  struct Chunk {
    blas::Accelerator::Array array;
    std::size_t rows = 0;
  };

  // The columns of the design, and the roots of the weights where there are any.
  [[nodiscard]] std::size_t width() const {
    return design_.columns.size() + (source_.weights().empty() ? 0 : 1);
  }
  [[nodiscard]] blas::Place place(const Chunk& chunk) const {
    return {chunk.array.get(), 0, chunk_rows()};
  }
  void walk_kept(Progress& progress, const Body& body);
  void read(Progress& progress, const Body& body);
  // Puts rows of a block behind those that a chunk has.
  void append(const Block& block, std::size_t row, std::size_t count, Chunk& chunk);

  std::shared_ptr<blas::Accelerator> device_;
  const Source& source_;
  const Design& design_;
  std::vector<Chunk> kept_;     // all rows, or none
  std::size_t kept_width_ = 0;  // columns that the kept ones have
  std::vector<double> values_;  // on their way to the device
};

}  // namespace fsieve::span
