#include "methods/forward/device_scan.h"

#include <algorithm>

#include "base/stop.h"
#include "fsieve/error.h"

namespace fsieve::inline methods {
namespace {

using blas::Op;
using blas::Place;

constexpr std::size_t tile_columns = 1024;  // columns v that are multiplied together
constexpr std::size_t listed = 65'536;      // pairs that come back at a time
constexpr auto none = blas::ColumnProducts::none;

std::size_t plain_columns(const SupervisedData& data) {
  std::size_t count = 0;
  for (const std::size_t feature : data.features) {
    count += data.plain_end(feature) - data.design.features[feature].first;
  }
  return count;
}

}  // namespace

bool DeviceColumns::fit(const blas::Accelerator& device, const SupervisedData& data) {
  const std::size_t columns = plain_columns(data) + data.label.columns() + 1;
  return 4 * columns * blas::even_stride(data.rows()) <= device.room();
}

DeviceColumns::DeviceColumns(std::shared_ptr<blas::Accelerator> device, const SupervisedData& data)
    : device_(std::move(device)),
      rows_(data.rows()),
      stride_(blas::even_stride(rows_)),
      place_(data.design.columns.size()) {
  array_ = device_->take((plain_columns(data) + data.label.columns() + 1) * stride_);
  for (const std::size_t feature : data.features) {
    const std::size_t first = data.design.features[feature].first;
    const std::size_t own = data.plain_end(feature) - first;
    device_->put(data.column(first), rows_, rows_, own, all().at(0, count_));
    for (std::size_t c = 0; c < own; ++c) place_[first + c] = count_++;
  }
}

// Of every column v are formed, one after another: v, v times each column of the residual, v² and
// v² weighted. The residual and the squared weight stand behind the columns.
DeviceScan::DeviceScan(const DeviceColumns& columns, const std::vector<double>& residual,
                       const std::vector<std::size_t>& scanned)
    : columns_(columns),
      residual_(residual),
      device_(columns.device()),
      labels_(residual.size() / columns.rows()),
      count_(scanned.size()),
      own_(labels_ + 3) {
  const auto factor = static_cast<std::uint32_t>(columns.factors());
  for (const std::size_t column : scanned) {
    const auto v = static_cast<std::uint32_t>(columns.place(column));
    const auto add = [&](std::uint32_t second, std::uint32_t third) {
      factors_.insert(factors_.end(), {v, second, third});
    };
    add(none, none);
    for (std::uint32_t y = 0; y < labels_; ++y) add(factor + y, none);
    add(v, none);
    add(v, factor + static_cast<std::uint32_t>(labels_));
  }
  terms_ = device_.take(count_);
}

void DeviceScan::put_factors(const std::vector<double>& weight) {
  const std::size_t n = columns_.rows();
  std::vector<double> factors(n * (labels_ + 1));
  for (std::size_t i = 0; i < residual_.size(); ++i) factors[i] = residual_[i] * weight[i % n];
  for (std::size_t i = 0; i < n; ++i) factors[n * labels_ + i] = weight[i] * weight[i];
  device_.put(factors.data(), n, n, labels_ + 1, columns_.all().at(0, columns_.factors()));
}

// All v at once where the matrices of all pairs fit.
std::vector<DeviceScan::Band> DeviceScan::bands(std::size_t top) const {
  const std::size_t column = blas::even_stride(top) * (labels_ + 2);
  const std::size_t room = device_.room() + work_size_;
  const std::size_t width = std::clamp<std::size_t>(room / 4 / column, 1, top);
  std::vector<Band> all;
  for (std::size_t v = 0; v < top; v += width) all.push_back({v, std::min(v + width, top)});
  return all;
}

Place DeviceScan::promises_of(const Band& band) {
  const std::size_t stride = blas::even_stride(band.end);
  const std::size_t size = stride * band.width() * (labels_ + 2);
  if (size > work_size_) {
    work_.reset();
    work_ = device_.take(size);
    work_size_ = size;
  }
  const Place promises{work_.get(), 0, stride};
  const Place norms = promises.at(0, band.width());
  const Place inner = norms.at(0, band.width());
  multiply(band, inner, norms);
  device_.shares({band.end, band.width(), static_cast<std::int64_t>(band.first)}, labels_, inner,
                 norms, promises);
  return promises;
}

void DeviceScan::multiply(const Band& band, const Place& inner, const Place& norms) {
  const std::size_t n = columns_.rows();
  const std::size_t functions = own_ * band.end;
  const std::size_t fit = std::max<std::size_t>(device_.room() / 4 / functions, 8) / 8 * 8;
  const std::size_t slice = std::min({fit, blas::most_device_rows, blas::even_stride(n)});
  const auto array = device_.take(slice * functions);
  for (std::size_t row = 0; row < n; row += slice) {
    stop_if_asked();
    const std::size_t rows = std::min(slice, n - row);
    const double before = row == 0 ? 0 : 1;
    device_.evaluate({factors_.data(), functions, 3}, columns_.all().at(row, 0), rows,
                     {array.get(), 0, slice});
    // The functions of one kind, of all columns from `v` on.
    const auto kind = [&](std::size_t which, std::size_t v) {
      return Place{array.get(), (which + own_ * v) * slice, own_ * slice};
    };
    for (std::size_t v = band.first; v < band.end; v += tile_columns) {
      const std::size_t end = std::min(v + tile_columns, band.end);
      for (std::size_t y = 0; y < labels_; ++y) {
        device_.gemm(Op::transpose, Op::none, end, end - v, rows, 1.0, kind(0, 0), kind(1 + y, v),
                     before, inner.at(0, y * band.width() + v - band.first));
      }
      device_.gemm(Op::transpose, Op::none, end, end - v, rows, 1.0, kind(labels_ + 1, 0),
                   kind(labels_ + 2, v), before, norms.at(0, v - band.first));
    }
    device_.keep_pace();
  }
}

std::vector<double> DeviceScan::keep_pairs(const std::vector<double>& weight) {
  put_factors(weight);
  std::vector<double> pairs(count_ * count_);
  const std::size_t stride = blas::even_stride(count_);
  pairs_ = device_.take(stride * count_);
  for (const Band& band : bands(count_)) {
    const Place promises = promises_of(band);
    device_.copy(promises, band.end, band.width(),
                 Place{pairs_.get(), 0, stride}.at(0, band.first));
    device_.get(promises, band.end, band.width(), pairs.data() + band.first * count_, count_);
  }
  return pairs;
}

void DeviceScan::scan(std::size_t top, const std::vector<double>& weight, const Wanted& wanted) {
  if (top < 2) return;
  put_factors(weight);
  device_.put(wanted.terms.data(), top, top, 1, {terms_.get(), 0, top});
  for (const Band& band : bands(top)) {
    sift({0, band.end, band.first, band.end}, band, promises_of(band), wanted);
  }
}

// What is too much for one list is halved: by then those of the list have raised the threshold.
void DeviceScan::sift(const Rectangle& part, const Band& band, const Place& promises,
                      const Wanted& wanted) {
  const auto height = part.u1 - part.u0;
  const auto width = part.v1 - part.v0;
  const auto first = static_cast<std::int64_t>(part.v0) - static_cast<std::int64_t>(part.u0);
  const Place pairs = Place{pairs_.get(), 0, blas::even_stride(count_)}.at(part.u0, part.v0);
  const blas::FoundEntries found =
      device_.find({height, width, first}, promises.at(part.u0, part.v0 - band.first),
                   wanted.with_pairs ? &pairs : nullptr, {terms_.get(), part.u0, 1},
                   {terms_.get(), part.v0, 1}, wanted.least(), listed);
  for (const auto& entry : found.listed) {
    wanted.take(part.u0 + entry.row, part.v0 + entry.column, entry.value);
  }
  if (found.count <= listed) return;
  stop_if_asked();
  if (width > 1) {
    const std::size_t middle = part.v0 + width / 2;
    sift({part.u0, part.u1, part.v0, middle}, band, promises, wanted);
    sift({part.u0, part.u1, middle, part.v1}, band, promises, wanted);
  } else {
    const std::size_t middle = part.u0 + height / 2;
    sift({part.u0, middle, part.v0, part.v1}, band, promises, wanted);
    sift({middle, part.u1, part.v0, part.v1}, band, promises, wanted);
  }
}

}  // namespace fsieve::methods
