// Which pairs of columns may hold enough of what is left of the label to be worth a closer look:
// most of them are ruled out by columns that were rounded to 16 bits, and most of these, many at
// once, by columns of 8 bits before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "methods/forward/pair_promises.h"
#include "methods/forward/pair_screen_kernel.h"
#include "methods/forward/rounded_columns.h"

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
  // falls, and for some that do not. Returns pairs that are left to do another way, by their places
  // in order(): where columns are so uneven that too many might.
  [[nodiscard]] std::vector<PromiseTile> for_each(
      const std::function<double()>& least,
      const std::function<void(std::size_t, std::size_t)>& found) const;

  // The columns in the order that they are looked at in.
  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }

 private:
  // Rounded columns, with what RoundedColumns says of each.
  struct Columns {
    std::size_t words_of_each = 0;
    std::vector<std::int32_t> words;
    std::vector<float> unit, off;
    void resize(std::size_t columns, std::size_t words_of_one);
    [[nodiscard]] RoundedColumns from(std::size_t column) const {
      return {words.data() + column * words_of_each, unit.data() + column, off.data() + column};
    }
    // A column by itself, or one of a panel.
    [[nodiscard]] RoundedTo one(std::size_t column) {
      return {words.data() + column * words_of_each, 1, unit[column], off[column]};
    }
    [[nodiscard]] RoundedTo in_panel(std::size_t column);
  };
  // The same columns twice: of 16 bits, and of 8 bits where the machine is quick with these.
  struct Panels {
    Columns plain, squares;
  };
  struct Others {
    Columns with_label, with_squares;
    std::vector<std::int32_t> more;  // as PairScreenTask has it
  };
  struct Scratch {
    std::vector<double> product;
    Others fine, coarse;
  };

  void round_panel(std::size_t first);
  void round_others(std::size_t first, Scratch& scratch) const;
  void put_even_ones_first();
  // Of the column that comes so late.
  [[nodiscard]] const double* values(std::size_t place) const {
    return values_ + order_[place] * rows_;
  }
  [[nodiscard]] PairScreenTask task(const Panels& panels, const Others& others, std::size_t u,
                                    std::size_t first, std::size_t k) const;
  [[nodiscard]] std::size_t screen(
      std::size_t first, Scratch& scratch, const std::function<double()>& least,
      const std::function<void(std::size_t, std::size_t)>& found) const;

  std::size_t rows_;
  std::size_t count_;
  std::size_t labels_;
  const double* values_;
  const std::vector<double>& weight_;
  const std::vector<double>& residual_;
  bool coarse_first_;
  std::vector<std::size_t> order_;
  std::vector<float> terms_;  // in that order, up to a whole panel
  Panels fine_, coarse_;
};

}  // namespace fsieve::methods
