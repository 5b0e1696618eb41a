#include "span/device_table.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "base/stop.h"
#include "stats/in_blocks.h"

namespace fsieve::inline span {
namespace {

constexpr const char* counted = "inner products";
// Long enough for matrix products at full rate.
constexpr std::size_t most_rows = 16'384;

}  // namespace

std::size_t DeviceTable::chunk_rows() const {
  return std::clamp<std::size_t>(source_.rows(), 1, most_rows);
}

DeviceTable::Functions DeviceTable::functions(const std::vector<Parity>& parities) const {
  const bool weighted = !source_.weights().empty();
  Functions functions;
  functions.count = parities.size();
  for (const Parity& parity : parities) functions.most = std::max(functions.most, parity.size());
  functions.most += weighted ? 1 : 0;
  functions.factors.assign(functions.count * functions.most, blas::ColumnProducts::none);
  auto own = functions.factors.begin();
  for (const Parity& parity : parities) {
    const auto end = std::copy(parity.columns().begin(), parity.columns().end(), own);
    if (weighted) *end = static_cast<std::uint32_t>(design_.columns.size());
    own += static_cast<std::ptrdiff_t>(functions.most);
  }
  return functions;
}

void DeviceTable::for_each_chunk(Progress& progress, const Body& body) {
  if (!kept_.empty() && kept_width_ == width()) return walk_kept(progress, body);
  kept_.clear();
  read(progress, body);
}

void DeviceTable::walk_kept(Progress& progress, const Body& body) {
  progress.begin(counted, source_.rows());
  std::size_t done = 0;
  for (const Chunk& chunk : kept_) {
    stop_if_asked();
    body(place(chunk), chunk.rows);
    device_->keep_pace();
    progress.advance(done += chunk.rows);
  }
  progress.end();
}

void DeviceTable::read(Progress& progress, const Body& body) {
  const bool keep = (source_.rows() + chunk_rows()) * width() <= device_->room() / 2;
  std::vector<Chunk> chunks;  // all of them, or the last two
  Chunk filling;
  const auto work = [&] {
    body(place(filling), filling.rows);
    device_->keep_pace();
    chunks.push_back(std::exchange(filling, {}));
    if (keep || chunks.size() < 2) return;
    filling.array = std::move(chunks.front().array);
    chunks.erase(chunks.begin());
  };
  in_blocks(source_, counted, progress, [&](const Block& block) {
    for (std::size_t row = 0; row < block.rows;) {
      if (!filling.array) filling.array = device_->take(chunk_rows() * width());
      const std::size_t count = std::min(block.rows - row, chunk_rows() - filling.rows);
      append(block, row, count, filling);
      row += count;
      if (filling.rows == chunk_rows()) work();
    }
  });
  if (filling.rows > 0) work();
  if (!keep) return;
  kept_ = std::move(chunks);
  kept_width_ = width();
}

void DeviceTable::append(const Block& block, std::size_t row, std::size_t count, Chunk& chunk) {
  const std::size_t columns = design_.columns.size();
  values_.resize(count * width());
  in_parallel(columns, [&](std::size_t c) {
    design_.standardised(block, row, count, c, values_.data() + c * count);
  });
  if (width() > columns) {
    const RootWeights roots(part_of(block.weights, row, count));
    std::copy(roots.values().begin(), roots.values().end(), values_.data() + columns * count);
  }
  device_->put(values_.data(), count, count, width(), place(chunk).at(chunk.rows, 0));
  chunk.rows += count;
}

}  // namespace fsieve::span
