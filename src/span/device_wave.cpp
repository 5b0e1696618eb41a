#include "span/device_wave.h"

#include <algorithm>

#include "base/stop.h"
#include "span/products.h"

namespace fsieve::inline span {
namespace {

using blas::Op;
using blas::Place;

// Calls body(first, count) for the runs of neighbours among numbers in ascending order; `first`
// counts within the list.
template <class Body>
void in_runs(const std::vector<std::size_t>& numbers, const Body& body) {
  for (std::size_t first = 0; first < numbers.size();) {
    std::size_t end = first + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    body(first, end - first);
    first = end;
  }
}

}  // namespace

bool DeviceWave::fits(const DeviceTable& table, std::size_t old_parities, std::size_t new_parities,
                      std::size_t singles) {
  // The matrix, the old triangle, and the functions on some rows.
  const std::size_t height = old_parities + new_parities + singles;
  const std::size_t rows = std::min<std::size_t>(table.chunk_rows(), 1024);
  const std::size_t numbers = height * (new_parities + rows) + old_parities * old_parities;
  return 2 * numbers < table.device().room();
}

bool DeviceWave::possible(const DeviceTable& table, const std::vector<Parity>& old_parities,
                          const std::vector<Parity>& new_parities,
                          const std::vector<std::size_t>& singles) {
  return fits(table, old_parities.size(), new_parities.size(), singles.size()) &&
         !can_be_counted(table.source(), table.design(), old_parities, new_parities, singles);
}

DeviceWave::DeviceWave(DeviceTable& table, const std::vector<Parity>& old_parities,
                       const std::vector<Parity>& new_parities,
                       const std::vector<std::size_t>& singles, Progress& progress)
    : device_(table.device()),
      old_(old_parities.size()),
      columns_(new_parities.size()),
      singles_(singles.size()),
      height_(old_ + columns_ + singles_),
      stride_(blas::even_stride(height_)),
      data_(device_.take(stride_ * columns_)),
      all_{data_.get(), 0, stride_} {
  std::vector<Parity> functions = old_parities;
  functions.insert(functions.end(), new_parities.begin(), new_parities.end());
  for (const std::size_t column : singles) functions.push_back(Parity().times(column));
  add_up(table, functions, progress);
}

void DeviceWave::add_up(DeviceTable& table, const std::vector<Parity>& functions,
                        Progress& progress) {
  const DeviceTable::Functions known = table.functions(functions);
  const std::size_t fit = device_.room() / 4 / height_;
  const std::size_t slice = std::clamp<std::size_t>(fit, 1, table.chunk_rows());
  const auto array = device_.take(blas::even_stride(slice) * height_);
  const double share = 1 / table.design().weight;
  double before = 0;  // nothing is there at first
  table.for_each_chunk(progress, [&](const Place& chunk, std::size_t rows) {
    for (std::size_t row = 0; row < rows; row += slice) {
      const std::size_t count = std::min(slice, rows - row);
      const Place values{array.get(), 0, blas::even_stride(count)};
      const Place added = values.at(0, old_);
      device_.evaluate(known.products(), chunk.at(row, 0), count, values);
      device_.gemm(Op::transpose, Op::none, old_, columns_, count, share, values, added, before,
                   all_);
      device_.syrk_lower(Op::transpose, columns_, count, share, added, before, at(0, 0));
      device_.gemm(Op::transpose, Op::none, singles_, columns_, count, share,
                   values.at(0, old_ + columns_), added, before, at(columns_, 0));
      before = 1;
    }
  });
}

std::vector<double> DeviceWave::squares() const {
  std::vector<double> diagonal(columns_);
  device_.get({data_.get(), old_, stride_ + 1}, 1, columns_, diagonal.data(), 1);
  return diagonal;
}

void DeviceWave::project_out(const double* lower, std::size_t stride,
                             const std::vector<double>& single_coordinates) {
  if (old_ == 0) return;
  const std::size_t even = blas::even_stride(old_);
  const auto triangle = device_.take(even * old_);
  const Place l{triangle.get(), 0, even};
  device_.put(lower, stride, old_, old_, l);
  device_.solve_lower(old_, columns_, l, all_);
  device_.syrk_lower(Op::transpose, columns_, old_, -1.0, all_, 1.0, at(0, 0));
  if (singles_ == 0) return;
  const std::size_t wide = blas::even_stride(singles_);
  const auto array = device_.take(wide * old_);
  const Place coordinates{array.get(), 0, wide};
  device_.put(single_coordinates.data(), singles_, singles_, old_, coordinates);
  device_.gemm(Op::none, Op::none, singles_, columns_, old_, -1.0, coordinates, all_, 1.0,
               at(columns_, 0));
}

std::vector<std::size_t> DeviceWave::factorise(std::size_t begin, std::size_t end,
                                               const std::function<bool(std::size_t)>& keep) {
  stop_if_asked();
  const std::size_t width = end - begin;
  std::vector<double> block(width * width);
  device_.get(at(begin, begin), width, width, block.data(), width);
  std::vector<std::size_t> kept = panel_.factorise(begin, end, block.data(), width, keep);
  decided_ = end;
  if (kept.empty()) return kept;
  device_.put(block.data(), width, width, width, at(begin, begin));
  update_rest(end, kept);
  return kept;
}

void DeviceWave::update_rest(std::size_t end, const std::vector<std::size_t>& kept) {
  const std::size_t count = kept.size();
  const std::size_t later = columns_ - end;
  const std::size_t below = later + singles_;
  if (below == 0) return;
  const std::vector<double> diagonal = panel_.coordinates(kept);
  const auto triangle = device_.take(count * count);
  const auto gathered = device_.take(blas::even_stride(below) * count);
  const Place l{triangle.get(), 0, count};
  const Place rest{gathered.get(), 0, blas::even_stride(below)};
  device_.put(diagonal.data(), count, count, count, l);
  in_runs(kept, [&](std::size_t first, std::size_t length) {
    device_.copy(at(end, kept[first]), below, length, rest.at(0, first));
  });
  device_.solve_right_transposed(below, count, l, rest);
  in_runs(kept, [&](std::size_t first, std::size_t length) {
    device_.copy(rest.at(0, first), below, length, at(end, kept[first]));
  });
  device_.syrk_lower(Op::none, later, count, -1.0, rest, 1.0, at(end, end));
  device_.gemm(Op::none, Op::transpose, singles_, later, count, -1.0, rest.at(later, 0), rest, 1.0,
               at(columns_, end));
}

void DeviceWave::form_singles() {
  if (singles_formed_ == decided_ || singles_ == 0) return;
  on_singles_.resize(singles_ * decided_);
  device_.get(at(columns_, singles_formed_), singles_, decided_ - singles_formed_,
              on_singles_.data() + singles_ * singles_formed_, singles_);
  singles_formed_ = decided_;
}

void DeviceWave::fetch() {
  host_ = Buffer(height_ * columns_);
  device_.get(all_, height_, columns_, host_.data(), height_);
}

}  // namespace fsieve::span
