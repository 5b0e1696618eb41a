// Triples and quadruples whose sums of leads are bounded as soon as their counts are there
// (endings.cuh).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "count_tables.h"

namespace fsieve_cuda {

class FusedScreen {
 public:
  explicit FusedScreen(CountTables& tables) : tables_(tables), table_(tables.table()) {}

  // {c < b < a} for all a from `first` to `last`.
  void triples(int first, int last, float least, const Hits& hits) {
    if (!outer_ready_) table_.outer_columns({}, 0, table_.padded() - 1, outer_);
    outer_ready_ = true;
    const int side = tables_.plan().side;
    for (int a = first / side; a <= last / side; ++a) {
      for (int b = 0; b <= a; ++b) {
        for (int c = 0; c <= b; ++c) {
          ItemRange items =
              tables_.all_items(std::max(first, a * side), std::min(last, (a + 1) * side - 1));
          items.first_b = b * (side / tile);
          items.end_b = std::min((b + 1) * (side / tile), items.end_b);
          items.first_c = c * (side / tile);
          items.end_c = std::min((c + 1) * (side / tile), items.end_c);
          part_of_triples(a, b, c, items, least, hits);
        }
      }
    }
  }

  // {c < b < a < q} from the subset `from` to the subset `to`, for whole a.
  void quadruples(const std::vector<int>& from, const std::vector<int>& to, float least,
                  const Hits& hits) {
    const PairTable& of_triples = tables_.cube();
    const PairTable& of_pairs = tables_.pairs(nothing, 0, 0);
    const std::size_t words = static_cast<std::size_t>(to[3] / bunch_width + 1) *
                              table_.bits().chunks * (bunch_bytes / 4);
    const int most =
        static_cast<int>(std::clamp<std::size_t>((std::size_t{1} << 29U) / (words * 4), 1, 1024));
    for (int q = from[3]; q <= to[3]; q += most) {
      ItemRange items = tables_.all_items(q == from[3] ? from[2] : 2, 0);
      items.first_q = q;
      items.parts = std::min(most, to[3] - q + 1);
      const int last_q = q + items.parts - 1;
      items.last = last_q == to[3] ? to[2] : last_q - 1;
      table_.outer_columns({{q, -1, -1}, -1}, 0, to[3], joined_, items.parts);
      ProductTask task = tables_.task_for(joined_.get(), 0, true, items);
      task.part_stride = words;
      const auto floats = [](const Buffer<int>& buffer) {
        return reinterpret_cast<const float*>(buffer.get());
      };
      tables_.launch(
          task,
          ScreenQuadruples{floats(of_triples.of_class[1]), floats(of_triples.of_class[0]),
                           tables_.blocks(of_pairs, 1, 0, 0), tables_.leads(), table_.lead_of_all(),
                           q, last_q, items.first, items.last, least, hits});
    }
  }

 private:
  void part_of_triples(int a, int b, int c, const ItemRange& items, float least, const Hits& hits) {
    const PairTable& bc = tables_.pairs(nothing, b, c);
    const PairTable& ac = tables_.pairs(nothing, a, c);
    const PairTable& ab = tables_.pairs(nothing, a, b);
    tables_.launch(
        tables_.task_for(outer_.get(), 0, true, items),
        ScreenTriples{tables_.blocks(bc, 1, b, c), tables_.blocks(ab, 1, a, b),
                      tables_.blocks(ac, 1, a, c), tables_.blocks(ab, 0, a, b), tables_.leads(),
                      table_.lead_of_all(), items.first, items.last, least, hits});
  }

  CountTables& tables_;
  const LoadedTable& table_;
  Buffer<std::uint32_t> outer_;   // all features
  Buffer<std::uint32_t> joined_;  // to q
  bool outer_ready_ = false;
};

}  // namespace fsieve_cuda
