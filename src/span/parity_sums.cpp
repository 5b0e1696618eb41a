#include "span/parity_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/binary.h"
#include "base/random_numbers.h"
#include "fsieve/error.h"
#include "linalg/blas.h"
#include "source/table_rows.h"
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

// Means and deviations of the schema's columns.
std::pair<std::vector<double>, std::vector<double>> units_of(const Design& design,
                                                             std::size_t features) {
  std::vector<double> means(features, 0.0);
  std::vector<double> deviations(features, 1.0);  // constants are in no parity
  for (const DesignColumn& column : design.columns) {
    means[column.feature] = column.mean;
    deviations[column.feature] = column.deviation;
  }
  return {std::move(means), std::move(deviations)};
}

constexpr std::uint32_t purpose = 0x706172;

constexpr std::size_t triangle(std::size_t size) { return size * (size + 1) / 2; }

// The lower triangle of a matrix, column by column.
std::vector<double> lower_triangle(const double* matrix, std::size_t size) {
  std::vector<double> lower;
  lower.reserve(triangle(size));
  for (std::size_t j = 0; j < size; ++j) {
    lower.insert(lower.end(), matrix + j + j * size, matrix + (j + 1) * size);
  }
  return lower;
}

// Some rows and the same columns of the matrix whose lower triangle this is.
std::vector<double> symmetric(const std::vector<double>& lower, std::size_t size,
                              const std::vector<std::size_t>& positions) {
  std::vector<double> matrix;
  matrix.reserve(positions.size() * positions.size());
  for (const std::size_t a : positions) {
    for (const std::size_t b : positions) {
      const std::size_t column = std::min(a, b);
      matrix.push_back(lower[triangle(size) - triangle(size - column) + std::max(a, b) - column]);
    }
  }
  return matrix;
}

}  // namespace

ParitySums::ParitySums(Schema schema, int depth, std::size_t parts)
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
  parts_.assign(parts, std::vector<double>(triangle(size())));
}

double ParitySums::bytes(std::size_t columns, int depth) {
  const double count = parity_count(columns, depth);
  return count * (count + 1) / 2 * sizeof(double);
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

void ParitySums::take_units(const Moments& first_chunk) {
  for (std::size_t j = 0; j < schema_.features.size(); ++j) {
    const NumericMoments& column = first_chunk.numeric(j);
    const double deviation = std::sqrt(column.squares / std::max(first_chunk.weight(), 1.0));
    shift_.push_back(first_chunk.rows() > 0 ? column.mean : 0);
    scale_.push_back(deviation > 0 && std::isfinite(deviation) ? deviation : 1);
  }
  shapes_.emplace(shift_, scale_);
}

// At random, so that no pattern of the rows meets one of the parts.
std::vector<std::vector<std::size_t>> ParitySums::dealt(const Source& chunk) const {
  const RandomNumbers random(0, purpose);
  std::vector<std::vector<std::size_t>> rows(parts());
  std::uint64_t number = moments_.rows();
  for (std::size_t i = 0; i < chunk.rows(); ++i) {
    if (!chunk.weights().empty() && chunk.weights()[i] == 0) continue;
    rows[random.bits(number++, 0)[0] % parts()].push_back(i);
  }
  return rows;
}

void ParitySums::add(const Source& chunk, Progress& progress) {
  check_same(chunk.schema());
  const Moments own = fold(chunk, Moments(schema_), "means and variances", progress);
  if (shift_.empty()) take_units(own);
  const ColumnShapes shapes =
      fold(chunk, ColumnShapes(shift_, scale_), "shapes of columns", progress);
  const Design design = plain_design(schema_, shift_, scale_);
  const auto loaded = chunk.in_memory().empty() ? MemorySource::load(chunk) : nullptr;
  const auto rows = dealt(chunk);
  std::vector<std::vector<double>> more;  // added together in the end: all of a chunk, or nothing
  for (const std::vector<std::size_t>& part : rows) {
    more.emplace_back();
    if (part.empty()) continue;
    const auto table = table_rows(loaded ? *loaded : chunk, part);
    ParityGram gram =
        fold(*table, ParityGram(design, {}, parities_, {}), "inner products", progress);
    more.back() = lower_triangle(gram.sums().data(), size());
  }
  for (std::size_t k = 0; k < parts(); ++k) {
    blas::axpy(more[k].size(), 1.0, more[k].data(), parts_[k].data());
  }
  shapes_->merge(shapes);
  moments_.merge(own);
}

// With z = (x − shift)/scale a column in the other units is a·z + b; a product of such columns is
// the sum over its parts T of Π a over T, Π b outside T, times the product of z over T.
std::vector<double> ParitySums::moved(std::vector<double> sums,
                                      const std::vector<std::size_t>& positions,
                                      const std::vector<double>& means,
                                      const std::vector<double>& deviations) const {
  const std::size_t p = positions.size();
  struct Part {
    std::size_t place;
    double factor;
  };
  std::map<std::size_t, std::size_t> places;
  for (std::size_t i = 0; i < p; ++i) places[positions[i]] = i;
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
      if (factor != 0) parts.push_back({places.at(positions_.at(part)), factor});
    }
    return parts;
  };
  // Parts of a product come before it, so columns can be replaced from the last on.
  std::vector<double> column(p);
  const auto combine_columns = [&] {
    for (std::size_t j = p; j-- > 0;) {
      std::fill(column.begin(), column.end(), 0.0);
      for (const Part& part : parts_of(parities_[positions[j]])) {
        blas::axpy(p, part.factor, sums.data() + part.place * p, column.data());
      }
      std::copy(column.begin(), column.end(), sums.begin() + static_cast<std::ptrdiff_t>(j * p));
    }
  };
  combine_columns();
  for (std::size_t j = 0; j < p; ++j) {
    for (std::size_t i = j + 1; i < p; ++i) std::swap(sums[i + j * p], sums[j + i * p]);
  }
  combine_columns();
  return sums;
}

std::vector<std::size_t> ParitySums::all_positions() const {
  std::vector<std::size_t> positions(size());
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  return positions;
}

std::vector<double> ParitySums::sums_around(const std::vector<double>& means,
                                            const std::vector<double>& deviations) const {
  std::vector<double> total = parts_.front();
  for (std::size_t k = 1; k < parts(); ++k) {
    blas::axpy(total.size(), 1.0, parts_[k].data(), total.data());
  }
  const std::vector<std::size_t> all = all_positions();
  std::vector<double> sums = symmetric(total, size(), all);
  return shift_.empty() ? sums : moved(std::move(sums), all, means, deviations);
}

std::vector<double> ParitySums::part_around(std::size_t part,
                                            const std::vector<std::size_t>& positions,
                                            const std::vector<double>& means,
                                            const std::vector<double>& deviations) const {
  std::vector<double> sums = symmetric(parts_[part], size(), positions);
  return shift_.empty() ? sums : moved(std::move(sums), positions, means, deviations);
}

void ParitySums::merge(const ParitySums& other) {
  check_same(other.schema_);
  if (other.depth_ != depth_) {
    throw Error(fmt::format("sums of depth {} and {} cannot be merged", depth_, other.depth_));
  }
  if (other.parts() != parts()) {
    throw Error(
        fmt::format("sums of {} and {} parts of the rows cannot be merged: give both the "
                    "same --memory",
                    parts(), other.parts()));
  }
  if (other.shift_.empty()) return;
  if (shift_.empty()) {
    shift_ = other.shift_;
    scale_ = other.scale_;
    shapes_.emplace(shift_, scale_);
  }
  const std::vector<std::size_t> all = all_positions();
  for (std::size_t k = 0; k < parts(); ++k) {
    const std::vector<double> sums = other.part_around(k, all, shift_, scale_);
    const std::vector<double> lower = lower_triangle(sums.data(), size());
    blas::axpy(lower.size(), 1.0, lower.data(), parts_[k].data());
  }
  shapes_->merge(*other.shapes_);
  moments_.merge(other.moments_);
}

void ParitySums::save(std::ostream& out) const {
  save_format(out);
  save_count(out, parts());
  moments_.save(out);
  save_count(out, shift_.size());
  if (shift_.empty()) return;
  save_values(out, shift_);
  save_values(out, scale_);
  shapes_->save(out);
  for (const std::vector<double>& part : parts_) save_values(out, part);
}

void ParitySums::load(std::istream& in) {
  load_format(in);
  std::uint64_t count = 0;
  load_value(in, count);
  if (count < least_parts || count > most_parts) {
    throw Error("a saved statistic is of another shape");
  }
  parts_.assign(count, std::vector<double>(triangle(size())));
  moments_.load(in);
  load_value(in, count);
  if (count == 0) return;
  if (count != schema_.features.size()) throw Error("a saved statistic is of another shape");
  shift_.resize(count);
  scale_.resize(count);
  load_values(in, shift_);
  load_values(in, scale_);
  shapes_.emplace(shift_, scale_);
  shapes_->load(in);
  for (std::vector<double>& part : parts_) load_values(in, part);
}

std::vector<std::size_t> ParitySums::positions(const Design& design,
                                               const std::vector<Parity>& parities) const {
  std::vector<std::size_t> found;
  found.reserve(parities.size());
  for (const Parity& parity : parities) {
    std::vector<std::uint32_t> features;
    for (const std::uint32_t column : parity.columns()) {
      features.push_back(static_cast<std::uint32_t>(design.columns[column].feature));
    }
    std::sort(features.begin(), features.end());
    found.push_back(positions_.at(features));
  }
  return found;
}

std::vector<double> ParitySums::products(const Design& design) const {
  const auto [means, deviations] = units_of(design, schema_.features.size());
  return sums_around(means, deviations);
}

std::vector<double> ParitySums::part_products(const Design& design, std::size_t part,
                                              const std::vector<Parity>& parities) const {
  const auto [means, deviations] = units_of(design, schema_.features.size());
  return part_around(part, positions(design, parities), means, deviations);
}

std::unique_ptr<BlockReader> SummedSource::open() const {
  throw Error("the rows are gone: only their sums were kept");
}

}  // namespace fsieve::span
