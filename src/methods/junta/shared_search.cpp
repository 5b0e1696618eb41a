#include "methods/junta/shared_search.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "base/binary_lists.h"
#include "measure/ranking.h"

namespace fsieve::inline methods {
namespace {

// A piece of work is a few seconds of one core: a machine that is lost loses little, and asking
// costs nothing beside it.
constexpr double words_per_piece = 4e9;
constexpr double most_pieces = 4096;

std::size_t pieces_of(const JuntaTable& table, const SearchIdentity& search) {
  const double words =
      static_cast<double>(search.subsets()) * static_cast<double>(table.order.words);
  const double pieces = std::clamp(words / words_per_piece, 2.0, most_pieces);
  return static_cast<std::size_t>(
      std::min(pieces, std::max(static_cast<double>(search.subsets()), 1.0)));
}

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
  save_value(out, static_cast<std::uint32_t>(measure));
  save_count(out, search.k);
  save_count(out, search.top);
  save_value(out, table.weights.of(0));
  save_value(out, table.weights.of(1));
  save_values(out, table.order.rows);
  save_values(out, table.high());
  const std::size_t words = table.order.words;
  for (std::size_t j = 0; j < table.size(); ++j) {
    save_values(out, std::span(table.bits.column(j), words));
  }
  return out.str();
}

Common common_of(const std::string& text) {
  std::istringstream in(text);
  load_format(in);
  std::uint32_t measure = 0;
  std::uint64_t k = 0;
  std::uint64_t top = 0;
  load_value(in, measure);
  load_value(in, k);
  load_value(in, top);
  std::array<double, 2> weights{};
  for (double& weight : weights) load_value(in, weight);
  std::vector<std::uint32_t> rows;
  load_list(in, rows);
  std::vector<std::uint64_t> high;
  load_list(in, high);
  const ClassSegments order(std::move(rows));
  BitStore bits(high.size(), order.words);
  for (std::size_t j = 0; j < high.size(); ++j) {
    std::span<std::uint64_t> column(bits.column(j), order.words);
    load_values(in, column);
  }
  JuntaTable table(high, order, std::move(bits));
  table.weights = RowWeights(weights, order.rows);
  SearchIdentity search;
  search.k = k;
  search.top = top;
  search.features = table.size();
  search.rows = table.rows;
  return {static_cast<JuntaMeasure>(measure), std::move(search), std::move(table)};
}

std::string range_text(NumberRange range) {
  std::ostringstream out;
  save_value(out, range.first);
  save_value(out, range.end);
  return out.str();
}

NumberRange range_of(const std::string& text) {
  std::istringstream in(text);
  NumberRange range;
  load_value(in, range.first);
  load_value(in, range.end);
  return range;
}

std::string best_text(const std::vector<ScoredSubset>& best) {
  std::ostringstream out;
  save_count(out, best.size());
  for (const ScoredSubset& subset : best) {
    save_value(out, subset.score);
    save_count(out, subset.features.size());
    for (const std::size_t j : subset.features) save_value(out, static_cast<std::uint64_t>(j));
  }
  return out.str();
}

void offer_best(const std::string& text, Ranking& ranking) {
  std::istringstream in(text);
  load_each(in, [&] {
    double score = 0;
    load_value(in, score);
    std::vector<std::uint64_t> features;
    load_list(in, features);
    ranking.offer(score, std::vector<std::size_t>(features.begin(), features.end()));
  });
}

}  // namespace

JuntaRanking search_on_machines(const PartedSource& machines, const JuntaTable& table,
                                JuntaMeasure measure, const SearchIdentity& search,
                                Progress& progress) {
  check_countable(table, search.k);
  const std::uint64_t subsets = search.subsets();
  const std::size_t count = pieces_of(table, search);
  std::vector<std::string> pieces;
  for (std::uint64_t p = 0; p < count; ++p) {
    pieces.push_back(range_text({subsets / count * p + subsets % count * p / count,
                                 subsets / count * (p + 1) + subsets % count * (p + 1) / count}));
  }
  Ranking ranking(table.size(), std::max<std::size_t>(search.top, 1), 0);
  const std::string common = common_text(table, measure, search);
  for (const std::string& best : machines.share_out(common, pieces, "subsets", progress)) {
    offer_best(best, ranking);
  }
  return {ranking.best(), subsets};
}

std::string search_range(const std::string& bits, const std::string& range, Progress& progress) {
  const Common common = common_of(bits);
  const JuntaScore score(common.measure, common.table);
  return best_text(
      search_exhaustively(common.table, score, common.search, range_of(range), progress).best);
}

}  // namespace fsieve::methods
