// Which pairs of columns may hold enough of what is left of the label to be worth a closer look:
// most of them are ruled out by columns that were rounded to 16 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "methods/forward/pair_promises.h"

namespace fsieve::inline methods {

class PairScreen {
 public:
  // Is a table worth it? Of few columns all pairs pass before anything is known, and the columns
  // times many classes would fill the memory.
  [[nodiscard]] static bool pays(std::size_t rows, std::size_t columns, std::size_t labels);

  // `values`: `terms.size()` columns over the rows, one after another. The promise of a pair is as
  // pair_promises has it, and the `terms` of both columns are added. What is given outlives this.
  PairScreen(std::size_t rows, const double* values, const std::vector<double>& terms,
             const std::vector<double>& weight, const std::vector<double>& residual);

  // Calls found(u, v) from many threads for all pairs u < v that may come to least(), which never
  // falls, and for some that do not. Returns pairs that are left to do another way: where columns
  // are so uneven that too many might.
  [[nodiscard]] std::vector<PromiseTile> for_each(
      const std::function<double()>& least,
      const std::function<void(std::size_t, std::size_t)>& found) const;

 private:
  // Rounded columns, with what RoundedColumns says of each.
  struct Columns {
    std::vector<std::int32_t> words;
    std::vector<float> unit, off;
    void resize(std::size_t columns, std::size_t words_of_each);
  };
  struct Scratch {
    std::vector<double> product;
    Columns with_label, with_squares;
  };

  void round_panel(std::size_t first);
  void round_others(std::size_t first, Scratch& scratch) const;
  [[nodiscard]] std::size_t screen(
      std::size_t first, Scratch& scratch, const std::function<double()>& least,
      const std::function<void(std::size_t, std::size_t)>& found) const;

  std::size_t rows_;
  std::size_t words_;  // of a column: two rows each
  std::size_t count_;
  std::size_t labels_;
  const double* values_;
  const std::vector<double>& weight_;
  const std::vector<double>& residual_;
  std::vector<float> terms_;  // up to a whole panel
  Columns plain_, squares_;   // in panels
};

}  // namespace fsieve::methods
