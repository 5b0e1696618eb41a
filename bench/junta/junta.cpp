// bench/junta: the exhaustive search of the junta learner, beside what the machine's cores count in
// registers, in one run. Shares of the peak are by processor time, which other programs disturb
// less than the clock on the wall. A random tenth of all subsets is scored by the slow path from
// the same bits and compared with what the fast path computes from its counts.
#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>

#include "bits/sign_counts.h"
#include "bits/tile_walk.h"
#include "methods/junta/junta_search.h"
#include "methods/union/scorer.h"
#include "sffs/peaks.h"
#include "sffs/timing.h"

namespace fsieve::bench {
namespace {

JuntaTable table(std::size_t rows, std::size_t columns) {
  std::vector<double> values = random_normals(rows * (columns + 1), 42);
  double* y = values.data() + rows * columns;
  for (std::size_t i = 0; i < rows; ++i) y[i] = y[i] + values[i] * values[rows + i] > 0 ? 1 : -1;
  std::for_each(values.data(), y, [](double& value) { value = value > 0.2 ? 1 : -1; });
  Schema schema;
  for (std::size_t j = 0; j < columns; ++j) {
    schema.features.push_back({fmt::format("x{}", j + 1), j, ColumnKind::numeric, {}});
  }
  schema.label = Column{"y", columns, ColumnKind::numeric, {}};
  const MemorySource source(std::move(schema), std::move(values), rows);
  NoProgress quiet;
  return {source, make_sign_features(source, Cut::none, 0, false, quiet),
          read_sign_label(source, quiet), std::size_t{1} << 32U, quiet};
}

// 004 eq. (8), cell by cell from the bits: no smaller counts, no Möbius.
double slow_score(const JuntaTable& table, const JuntaScore& score,
                  const std::vector<std::size_t>& subset) {
  const std::size_t cells = std::size_t{1} << subset.size();
  std::vector<std::int64_t> counts(2 * cells);
  for (std::size_t k = 0; k < 2; ++k) {
    const auto& [first, words] = table.order.segments[k];
    for (std::size_t w = 0; w < words; ++w) {
      const std::size_t left = table.order.rows[k] > 64 * w ? table.order.rows[k] - 64 * w : 0;
      const std::uint64_t rows = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
      for (std::size_t cell = 0; cell < cells; ++cell) {
        std::uint64_t in_cell = rows;
        for (std::size_t bit = 0; bit < subset.size(); ++bit) {
          const std::uint64_t column = table.bits.column(subset[bit])[first + w];
          in_cell &= (cell >> bit & 1U) != 0 ? column : ~column;
        }
        counts[k * cells + cell] += std::popcount(in_cell);
      }
    }
  }
  const auto n = static_cast<double>(table.rows);
  double sum = 0;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    double weight = 1;
    for (std::size_t bit = 0; bit < subset.size(); ++bit) {
      weight *= score.weight(subset[bit], (cell >> bit & 1U) != 0);
    }
    const auto minus = static_cast<double>(counts[cell]);
    const auto plus = static_cast<double>(counts[cells + cell]);
    sum += weight * (plus * std::abs(plus - minus - 1) + minus * std::abs(plus - minus + 1));
  }
  return sum / (n * (n - 1));
}

bool in_the_tenth(const std::vector<std::size_t>& subset) {
  std::uint64_t hash = 0x9E3779B97F4A7C15ULL;
  for (const std::size_t j : subset) {
    hash = (hash ^ (j + 1)) * 0xBF58476D1CE4E5B9ULL;
    hash ^= hash >> 29U;
  }
  return hash % 10 == 0;
}

// What the search does with every tile, keeping nothing and comparing a tenth.
void verify(const JuntaTable& table, const JuntaScore& score, std::size_t k) {
  SignCounts counts(table.order, table.bits, table.size(), most_table_bytes);
  counts.prepare(static_cast<int>(k));
  TileWalk walk(table.size(), static_cast<int>(k), SignCounts::tile_height, SignCounts::tile_width,
                {0, choose_exactly(table.size(), k)});
  std::atomic<std::size_t> seen{0};
  std::atomic<std::size_t> compared{0};
  std::atomic<std::size_t> wrong{0};
  for (;;) {
    const std::vector<TileWalk::Tile> batch = walk.next(std::size_t{1} << 20U);
    if (batch.empty()) break;
    tbb::parallel_for(std::size_t{0}, batch.size(), [&](std::size_t t) {
      const SubsetTile tile = batch[t].view();
      counts.visit(tile, [&](SignCounts::CountedTile& counted) {
        JuntaScore::Prefix prefix;
        std::vector<std::size_t> subset(k);
        std::copy(tile.outer.begin(), tile.outer.end(), subset.begin() + 2);
        for (subset[1] = tile.b0; subset[1] < tile.b1; ++subset[1]) {
          const PrefixCounts held = counted.with_prefix(subset[1]);
          prefix.set(score, held, {subset.data() + 1, k - 1}, tile.c0);
          seen += held.count;
          for (std::size_t c = 0; c < held.count; ++c) {
            subset[0] = tile.c0 + c;
            if (!in_the_tenth(subset)) continue;
            ++compared;
            if (std::abs(prefix.exact(c) - slow_score(table, score, subset)) > 1e-10) ++wrong;
          }
        }
      });
    });
  }
  require(seen == choose_exactly(table.size(), k), "subsets are missing");
  require(wrong == 0, "fast and slow scores differ");
  fmt::print("           verified: {} of {} subsets by the slow path\n", compared.load(),
             seen.load());
}

void search(std::size_t rows, std::size_t features, std::size_t k, double peak, double adding_peak,
            bool checked) {
  const JuntaTable data = table(rows, features);
  const JuntaScore score(JuntaMeasure::product, data);
  NoProgress quiet;
  const Times time = times_of(3, [&] {
    const SearchIdentity all{"fourier", "product", k, 20, data.size(), data.rows, "", std::nullopt};
    const JuntaRanking found = search_exhaustively(data, score, all, nullptr, {}, quiet);
    for (const ScoredSubset& subset : found.best) {
      require(std::abs(subset.score - slow_score(data, score, subset.features)) < 1e-10,
              "a best score is wrong");
    }
  });
  const double products = choose(features, k) * static_cast<double>(rows);
  const double per_core = products / time.processor;
  fmt::print(
      "k = {}  n = {:6} d = {:5}   {:7.3f} s   {:9.2e} subsets x samples/s per core   {:5.1f} % of "
      "the popcount peak ({:.1f} % of counting and adding)\n",
      k, rows, features, time.wall, per_core, 100 * per_core / 64 / peak,
      100 * per_core / 64 / adding_peak);
  if (checked) verify(data, score, k);
}

}  // namespace
}  // namespace fsieve::bench

int main(int count, char** arguments) {
  using namespace fsieve::bench;
  const bool checked = count < 2 || std::strcmp(arguments[1], "--unchecked") != 0;
  const double words = rate_per_core([] { return count_in_registers(5'000'000); });
  const double counts = rate_per_core([] { return only_count_in_registers(5'000'000); });
  fmt::print("peaks of one core: {:.1f} G words/s counted, {:.1f} counted and added\n",
             counts / 1e9, words / 1e9);
  search(16'384, 1000, 3, counts, words, checked);
  search(16'384, 200, 4, counts, words, checked);
  fmt::print("peak memory {:.0f} MiB\n", peak_mib());
  return 0;
}
