#include "stats/atoms.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

namespace fsieve::inline stats {
namespace {

constexpr std::size_t most_atoms = 512;
constexpr std::size_t largest_atoms = 128;

std::vector<double> conserved_functions(const Atoms& label, const std::vector<double>& share) {
  const std::size_t size = label.size();
  std::vector<double> functions;
  std::size_t count = 0;
  const auto add = [&](const std::vector<double>& given) {
    std::vector<double> f = given;
    const double before = std::inner_product(f.begin(), f.end(), share.begin(), 0.0, std::plus<>(),
                                             [](double v, double p) { return v * v * p; });
    for (int pass = 0; pass < 2; ++pass) {
      const double mean = dot(size, f.data(), share.data());
      for (double& v : f) v -= mean;
      for (std::size_t k = 0; k < count; ++k) {
        double inner = 0;
        for (std::size_t j = 0; j < size; ++j) inner += share[j] * f[j] * functions[k * size + j];
        for (std::size_t j = 0; j < size; ++j) f[j] -= inner * functions[k * size + j];
      }
    }
    double norm = 0;
    for (std::size_t j = 0; j < size; ++j) norm += share[j] * f[j] * f[j];
    if (!(norm > 1e-10 * before)) return;
    for (const double v : f) functions.push_back(v / std::sqrt(norm));
    ++count;
  };
  std::vector<double> column(size);
  for (std::size_t c = 0; c < label.columns; ++c) {
    for (std::size_t j = 0; j < size; ++j) column[j] = label.row(j)[c];
    add(column);
  }
  if (label.columns == 1) {
    for (double& v : column) v *= v;
    add(column);
  }
  return functions;
}

// Values that follow each other by no more than the rounding become the first of them. To round
// each by itself would part two that lie on both sides of a half.
void take_out_rounding(std::span<double> values, double rounding) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  double last = 0;
  double common = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double value = values[order[k]];
    if (k == 0 || value - last > rounding) common = value;
    last = value;
    values[order[k]] = common;
  }
}

}  // namespace

Atoms different_rows(std::size_t rows, std::size_t columns, std::vector<double> table,
                     const std::vector<double>& counts) {
  double largest = 0;
  for (const double value : table) largest = std::max(largest, std::abs(value));
  // What is left of a label that is nearly explained has lost some digits.
  const double rounding = 1e-10 * largest;
  for (std::size_t c = 0; c < columns; ++c) {
    take_out_rounding({table.data() + c * rows, rows}, rounding);
  }
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto compare = [&](std::size_t a, std::size_t b) {
    for (std::size_t c = 0; c < columns; ++c) {
      const double x = table[c * rows + a];
      const double y = table[c * rows + b];
      if (x != y) return x < y ? -1 : 1;
    }
    return 0;
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const int sign = compare(a, b);
    return sign != 0 ? sign < 0 : a < b;
  });
  Atoms atoms;
  atoms.columns = columns;
  for (std::size_t k = 0; k < rows; ++k) {
    const double count = counts.empty() ? 1 : counts[order[k]];
    if (k > 0 && compare(order[k], order[k - 1]) == 0) {
      atoms.counts.back() += count;
      continue;
    }
    for (std::size_t c = 0; c < columns; ++c) {
      atoms.values.push_back(table[c * rows + order[k]]);
    }
    atoms.counts.push_back(count);
  }
  return atoms;
}

Atoms representatives(Atoms atoms) {
  if (atoms.size() <= most_atoms) return atoms;
  std::vector<std::size_t> order(atoms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> norm(atoms.size());
  for (std::size_t k = 0; k < atoms.size(); ++k) {
    norm[k] = dot(atoms.columns, atoms.row(k), atoms.row(k));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return norm[a] > norm[b]; });
  // The rest in its own order, so that every direction is met as often as it occurs.
  std::sort(order.begin() + largest_atoms, order.end());
  Atoms kept;
  kept.columns = atoms.columns;
  kept.all = false;
  const auto keep = [&](std::size_t k, double count) {
    kept.values.insert(kept.values.end(), atoms.row(k), atoms.row(k) + atoms.columns);
    kept.counts.push_back(count);
  };
  for (std::size_t k = 0; k < largest_atoms; ++k) keep(order[k], atoms.counts[order[k]]);
  const std::size_t rest = atoms.size() - largest_atoms;
  const std::size_t groups = most_atoms - largest_atoms;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t first = largest_atoms + g * rest / groups;
    const std::size_t last = largest_atoms + (g + 1) * rest / groups;
    double count = 0;
    for (std::size_t k = first; k < last; ++k) count += atoms.counts[order[k]];
    keep(order[(first + last) / 2], count);
  }
  return kept;
}

LabelAtoms::LabelAtoms(Atoms different) : atoms(std::move(different)), share(atoms.counts) {
  const double total = std::accumulate(share.begin(), share.end(), 0.0);
  for (double& p : share) p /= total;
  conserved = conserved_functions(atoms, share);
}

}  // namespace fsieve::stats
