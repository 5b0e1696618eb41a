#include "methods/junta/shared_search.h"

#include <algorithm>
#include <array>
#include <istream>
#include <sstream>
#include <utility>

#include "base/binary_lists.h"
#include "bits/saved_bits.h"
#include "bits/subset_tiles.h"

namespace fsieve::inline methods {
namespace {

// All that the score of a subset depends on.
struct Common {
  JuntaMeasure measure = JuntaMeasure::product;
  SearchIdentity search;
  JuntaTable table;
};

std::string common_text(const JuntaTable& table, JuntaMeasure measure,
                        const SearchIdentity& search) {
  std::ostringstream out;
  save_format(out);
  save_text(out, junta_work);
  save_value(out, static_cast<std::uint32_t>(measure));
  save_count(out, search.k);
  save_count(out, search.top);
  save_value(out, table.weights.of(0));
  save_value(out, table.weights.of(1));
  save_values(out, table.high());
  save_bits(out, table.order, table.bits, table.size());
  return out.str();
}

Common common_of(std::istream& in) {
  std::uint32_t measure = 0;
  std::uint64_t k = 0;
  std::uint64_t top = 0;
  load_value(in, measure);
  load_value(in, k);
  load_value(in, top);
  std::array<double, 2> weights{};
  for (double& weight : weights) load_value(in, weight);
  std::vector<std::uint64_t> high;
  load_list(in, high);
  SavedBits saved = load_bits(in, high.size());
  JuntaTable table(high, saved.order, std::move(saved.bits));
  table.weights = RowWeights(weights, saved.order.rows);
  SearchIdentity search;
  search.k = k;
  search.top = top;
  search.features = table.size();
  search.rows = table.rows;
  return {static_cast<JuntaMeasure>(measure), std::move(search), std::move(table)};
}

}  // namespace

SubsetWork work_of(const JuntaTable& table, const SearchIdentity& search) {
  return {choose(table.size(), search.k), static_cast<double>(table.order.words)};
}

JuntaRanking search_on_machines(const Machines& machines, const JuntaTable& table,
                                JuntaMeasure measure, const SearchIdentity& search,
                                Progress& progress) {
  check_countable(table, search.k);
  Ranking ranking(table.size(), std::max<std::size_t>(search.top, 1), 0);
  rank_on_machines(machines, common_text(table, measure, search), work_of(table, search), ranking,
                   progress);
  return {ranking.best(), search.subsets()};
}

std::string search_range(std::istream& bits, const std::string& range, Progress& progress) {
  const Common common = common_of(bits);
  const JuntaScore score(common.measure, common.table);
  return best_text(
      search_exhaustively(common.table, score, common.search, range_of(range), progress).best);
}

}  // namespace fsieve::methods
