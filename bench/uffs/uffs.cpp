// bench/uffs: the orthogonalisation engines beside the machine's own matrix product, and bit counts
// beside floating point, in one run. Every timed result is checked.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "basis/parity.h"
#include "fsieve/uffs.h"
#include "measure.h"
#include "span/products.h"

namespace fsieve::bench {
namespace {

MemorySource table(std::size_t rows, std::size_t columns, bool signs) {
  std::vector<double> values = random_normals(rows * columns, 42);
  if (signs) {
    for (double& value : values) value = value > 0.2 ? 1 : -1;
  }
  Schema schema;
  for (std::size_t j = 0; j < columns; ++j) {
    schema.features.push_back({fmt::format("x{}", j + 1), j, ColumnKind::numeric, {}});
  }
  return {std::move(schema), std::move(values), rows};
}

UffsResult run(const Source& source, int depth, Engine engine, Rule rule) {
  UffsOptions options;
  options.order = Order::input;
  options.stages = {{depth, 0}};
  options.engine = engine;
  options.rule = rule;
  options.equations = false;
  NoProgress progress;
  return uffs(source, options, progress);
}

void require(bool true_statement, const char* what) {
  if (true_statement) return;
  fmt::print("WRONG ANSWER: {}\n", what);
  std::exit(1);
}

// End to end: standardising, parities, inner products, factorisation. Flops: n p² for the Gram
// matrix and p³/3 for the factorisation, in multiply-adds half of each.
void gram_engine(std::size_t rows, std::size_t features, int depth, double rate) {
  const MemorySource source = table(rows, features, false);
  const auto n = static_cast<double>(rows);
  const double p = parity_count(features, depth);
  UffsResult result;
  const double time = best_of(3, [&] { result = run(source, depth, Engine::gram, Rule::paper); });
  require(result.selected.size() == features, "independent columns were removed");
  require(static_cast<double>(result.stages[0].parities) == p, "parities are missing");
  const double work = n * p * p / 2 + p * p * p / 6;
  fmt::print("gram engine    n = {:6} p = {:5}   {:7.3f} s   {:5.1f} % of the GEMM rate\n", rows, p,
             time, 100 * work / time / rate);
}

void sample_engine(std::size_t rows, std::size_t columns) {
  const MemorySource source = table(rows, columns, false);
  UffsResult result;
  const double time = best_of(3, [&] { result = run(source, 1, Engine::sample, Rule::paper); });
  require(result.removed.size() == columns - (rows - 1), "the rank is not the number of rows");
  // What one projection of every column on the full basis costs, twice: products, then differences.
  const std::vector<double> basis = random_normals(rows * rows, 3);
  std::vector<double> data(source.in_memory().begin(), source.in_memory().end());
  std::vector<double> products(rows * columns);
  const double gemm = best_of(3, [&] {
    using blas::Op;
    blas::tiled_gemm(Op::transpose, Op::none, rows, columns, rows, 1.0, basis.data(), rows,
                     data.data(), rows, 0.0, products.data(), rows);
    blas::tiled_gemm(Op::none, Op::none, rows, columns, rows, -1e-9, basis.data(), rows,
                     products.data(), rows, 1.0, data.data(), rows);
  });
  fmt::print(
      "sample engine  n = {:6} d = {:5}   {:7.4f} s   {:.2f} x the time of its GEMMs ({:.4f} s)\n",
      rows, columns, time, time / gemm, gemm);
}

void sign_columns(std::size_t rows, std::size_t features, int depth) {
  const MemorySource source = table(rows, features, true);
  NoProgress progress;
  const Design design = make_design(source, progress);
  std::vector<Parity> parities{Parity()};
  for (const DesignFeature& feature : design.features) {
    const auto added = parities_with(feature, parities, depth);
    parities.insert(parities.end(), added.begin(), added.end());
  }
  Buffer bits;
  Buffer floats;
  const auto products = [&](Counting counting) {
    return Products(source, design).inner({}, parities, {}, progress, counting);
  };
  const double bit_time = best_of(3, [&] { bits = products(Counting::allowed); });
  const double float_time = best_of(2, [&] { floats = products(Counting::never); });
  double worst = 0;
  for (std::size_t q = 0; q < parities.size(); ++q) {
    for (std::size_t r = q; r < parities.size(); ++r) {
      const std::size_t at = r + q * parities.size();
      worst = std::max(worst, std::abs(bits.data()[at] - floats.data()[at]));
    }
  }
  require(worst < 1e-9, "bit counts and floating point differ");
  fmt::print(
      "±1 columns     n = {:6} p = {:5}   bits {:.4f} s, floating point {:.4f} s: {:.0f} x\n", rows,
      parities.size(), bit_time, float_time, float_time / bit_time);
}

}  // namespace
}  // namespace fsieve::bench

int main() {
  using namespace fsieve::bench;
  const double rate = gemm_rate(2048, 2048, 2048);
  fmt::print("GEMM           {:.1f} Gflop/s on all threads\n", 2 * rate / 1e9);
  gram_engine(10'000, 50, 2, rate);
  gram_engine(10'000, 30, 3, rate);
  sample_engine(72, 7128);
  sign_columns(10'000, 50, 2);
  sign_columns(10'000, 30, 3);
  sign_columns(100'000, 30, 3);
  fmt::print("peak memory    {:.0f} MiB\n", peak_mib());
  return 0;
}
