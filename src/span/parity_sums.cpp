#include "span/parity_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/binary.h"
#include "fsieve/error.h"
#include "linalg/blas.h"
#include "span/parity_gram.h"
#include "stats/fold.h"

namespace fsieve::inline span {
namespace {

std::vector<std::uint32_t> ascending(const Parity& parity) {
  std::vector<std::uint32_t> columns(parity.columns().begin(), parity.columns().end());
  std::sort(columns.begin(), columns.end());
  return columns;
}

// Every feature as one design column, in the units of the sums.
Design plain_design(const Schema& schema, const std::vector<double>& shift,
                    const std::vector<double>& scale) {
  Design design;
  for (std::size_t j = 0; j < schema.features.size(); ++j) {
    DesignColumn column{schema.features[j].name, j, std::nullopt, shift[j], scale[j]};
    design.columns.push_back(column);
    DesignFeature feature;
    feature.first = j;
    feature.last = j + 1;
    design.features.push_back(feature);
  }
  return design;
}

}  // namespace

ParitySums::ParitySums(Schema schema, int depth)
    : schema_(std::move(schema)), depth_(depth), moments_(schema_) {
  for (const Column& column : schema_.features) {
    if (column.kind == ColumnKind::numeric) continue;
    throw Error(
        fmt::format("column \"{}\" is categorical: chunks can be added for columns of numbers only",
                    column.name));
  }
  const std::vector<double> zeros(schema_.features.size(), 0.0);
  const Design design = plain_design(schema_, zeros, zeros);
  parities_.emplace_back();
  for (const DesignFeature& feature : design.features) {
    const auto more = parities_with(feature, parities_, depth_);
    parities_.insert(parities_.end(), more.begin(), more.end());
  }
  for (std::size_t i = 0; i < parities_.size(); ++i) positions_[ascending(parities_[i])] = i;
  sums_.assign(parities_.size() * parities_.size(), 0.0);
}

double ParitySums::bytes(std::size_t columns, int depth) {
  const double count = parity_count(columns, depth);
  return count * count * sizeof(double);
}

void ParitySums::check_same(const Schema& other) const {
  const auto same = [](const Column& a, const Column& b) {
    return a.name == b.name && a.kind == b.kind;
  };
  if (std::equal(schema_.features.begin(), schema_.features.end(), other.features.begin(),
                 other.features.end(), same)) {
    return;
  }
  throw Error("the columns of this chunk are not those of the first one, by name or by type");
}

void ParitySums::add(const Source& chunk, Progress& progress) {
  check_same(chunk.schema());
  const Moments own = fold(chunk, Moments(schema_), "means and variances", progress);
  if (shift_.empty()) {
    for (std::size_t j = 0; j < schema_.features.size(); ++j) {
      const NumericMoments& column = own.numeric(j);
      const double deviation = std::sqrt(column.squares / std::max(own.weight(), 1.0));
      shift_.push_back(own.rows() > 0 ? column.mean : 0);
      scale_.push_back(deviation > 0 && std::isfinite(deviation) ? deviation : 1);
    }
  }
  const Design design = plain_design(schema_, shift_, scale_);
  ParityGram gram = fold(chunk, ParityGram(design, {}, parities_, {}), "inner products", progress);
  moments_.merge(own);
  const double* const lower = gram.sums().data();
  const std::size_t p = size();
  for (std::size_t j = 0; j < p; ++j) {
    for (std::size_t i = j; i < p; ++i) {
      sums_[i + j * p] += lower[i + j * p];
      if (i != j) sums_[j + i * p] += lower[i + j * p];
    }
  }
}

// With z = (x − shift)/scale a column in the other units is a·z + b; a product of such columns is
// the sum over its parts T of Π a over T, Π b outside T, times the product of z over T.
std::vector<double> ParitySums::sums_around(const std::vector<double>& means,
                                            const std::vector<double>& deviations) const {
  std::vector<double> moved = sums_;
  if (shift_.empty()) return moved;
  const std::size_t p = size();
  struct Part {
    std::size_t position;
    double factor;
  };
  const auto parts_of = [&](const Parity& parity) {
    const auto columns = ascending(parity);
    std::vector<Part> parts;
    for (std::uint32_t mask = 0; mask < (1U << columns.size()); ++mask) {
      std::vector<std::uint32_t> part;
      double factor = 1;
      for (std::size_t f = 0; f < columns.size(); ++f) {
        const std::size_t j = columns[f];
        if ((mask >> f & 1U) != 0) {
          part.push_back(columns[f]);
          factor *= scale_[j] / deviations[j];
        } else {
          factor *= (shift_[j] - means[j]) / deviations[j];
        }
      }
      if (factor != 0) parts.push_back({positions_.at(part), factor});
    }
    return parts;
  };
  // Parts of a product come before it, so columns can be replaced from the last on.
  std::vector<double> column(p);
  const auto combine_columns = [&] {
    for (std::size_t j = p; j-- > 0;) {
      std::fill(column.begin(), column.end(), 0.0);
      for (const Part& part : parts_of(parities_[j])) {
        blas::axpy(p, part.factor, moved.data() + part.position * p, column.data());
      }
      std::copy(column.begin(), column.end(), moved.begin() + static_cast<std::ptrdiff_t>(j * p));
    }
  };
  combine_columns();
  for (std::size_t j = 0; j < p; ++j) {
    for (std::size_t i = j + 1; i < p; ++i) std::swap(moved[i + j * p], moved[j + i * p]);
  }
  combine_columns();
  return moved;
}

void ParitySums::merge(const ParitySums& other) {
  check_same(other.schema_);
  if (other.depth_ != depth_) {
    throw Error(fmt::format("sums of depth {} and {} cannot be merged", depth_, other.depth_));
  }
  if (other.shift_.empty()) return;
  if (shift_.empty()) {
    shift_ = other.shift_;
    scale_ = other.scale_;
  }
  const std::vector<double> moved = other.sums_around(shift_, scale_);
  blas::axpy(sums_.size(), 1.0, moved.data(), sums_.data());
  moments_.merge(other.moments_);
}

void ParitySums::save(std::ostream& out) const {
  save_format(out);
  moments_.save(out);
  save_count(out, shift_.size());
  if (shift_.empty()) return;
  save_values(out, shift_);
  save_values(out, scale_);
  save_values(out, sums_);
}

void ParitySums::load(std::istream& in) {
  load_format(in);
  moments_.load(in);
  std::uint64_t count = 0;
  load_value(in, count);
  if (count == 0) return;
  if (count != schema_.features.size()) throw Error("a saved statistic is of another shape");
  shift_.resize(count);
  scale_.resize(count);
  load_values(in, shift_);
  load_values(in, scale_);
  load_values(in, sums_);
}

std::size_t ParitySums::position(const std::vector<std::uint32_t>& features) const {
  return positions_.at(features);
}

std::unique_ptr<BlockReader> SummedSource::open() const {
  throw Error("the rows are gone: only their sums were kept");
}

const std::vector<double>& SummedSource::products(const Design& design) const {
  if (!products_.empty()) return products_;
  const std::size_t features = schema().features.size();
  std::vector<double> means(features, 0.0);
  std::vector<double> deviations(features, 1.0);  // constants are in no parity
  for (const DesignColumn& column : design.columns) {
    means[column.feature] = column.mean;
    deviations[column.feature] = column.deviation;
  }
  products_ = sums_.sums_around(means, deviations);
  return products_;
}

std::vector<std::size_t> SummedSource::positions(const Design& design,
                                                 const std::vector<Parity>& parities) const {
  std::vector<std::size_t> found;
  found.reserve(parities.size());
  for (const Parity& parity : parities) {
    std::vector<std::uint32_t> features;
    for (const std::uint32_t column : parity.columns()) {
      features.push_back(static_cast<std::uint32_t>(design.columns[column].feature));
    }
    std::sort(features.begin(), features.end());
    found.push_back(sums_.position(features));
  }
  return found;
}

const SummedSource* as_sums(const Source& source) {
  return dynamic_cast<const SummedSource*>(&source);
}

}  // namespace fsieve::span
