// A wave of the Gram engine of which inner products are formed as they turn out to be needed:
// those of parities with the ones that stayed before them, and those of single columns with the
// ones that stay. Where most parities are trivial this is a small part of all. The numbers are, to
// the last digit, those of WaveMatrix, which has all of them formed in one pass: it is for tables
// in memory, of which many passes cost nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "base/buffer.h"
#include "basis/parity.h"
#include "data/design.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "span/moment_index.h"
#include "span/standardised_columns.h"
#include "span/wave_panel.h"

namespace fsieve::inline span {

class WaveOnDemand : public WaveColumns {
 public:
  // `lower`: coordinates of the old parities on each other, old x old; `coordinates`: of the single
  // columns on the old basis, singles x old; `columns`: see GroupPlan. All must outlive it. Of
  // parities that are known to be trivial nothing is formed: what is left of them counts as 0.
  // `narrow`: inner products in single precision. `moments`: where these pay, inner products of
  // parities are found among them.
  WaveOnDemand(const Source& source, const Design& design, const std::vector<Parity>& old_parities,
               const std::vector<Parity>& new_parities, const std::vector<bool>& trivial,
               const std::vector<std::size_t>& singles, const double* lower,
               const std::vector<double>& coordinates, const StandardisedColumns* columns,
               bool most_stay, bool narrow, std::optional<MomentIndex> moments, Progress& progress);

  // Are all sums over rows of floating-point products, of rows at hand? In single precision those
  // of two-valued columns are too, which takes less time than counting them.
  [[nodiscard]] static bool possible(const Source& source, const Design& design,
                                     const std::vector<Parity>& old_parities,
                                     const std::vector<Parity>& new_parities,
                                     const std::vector<std::size_t>& singles, bool narrow);

  // As in WaveMatrix.
  std::vector<std::size_t> factorise(std::size_t begin, std::size_t end,
                                     const std::function<bool(std::size_t)>& keep);
  // Of what form_singles() has formed.
  [[nodiscard]] double single_on_new(std::size_t single, std::size_t q) const {
    return on_singles_[single + slots_[q] * single_stride_];
  }

  // The coordinates of the single columns on all functions so far.
  void form_singles();
  // What is known of parities that were not reached.
  void form_rest() { form_until(new_); }
  void fetch() const {}  // see DeviceWave

 private:
  struct Panel {
    std::size_t end;
    std::vector<std::size_t> kept;
    std::vector<double> lower;  // coordinates of those kept on each other
  };

  [[nodiscard]] std::size_t all_bytes() const;
  [[nodiscard]] std::size_t next_end() const;
  void form_until(std::size_t end);
  void form(std::size_t first, std::size_t last);
  // Inner products of parities [first, last) with the old ones, with each other, and with the
  // earlier ones in `before`, which `across` gets.
  void add_up(std::size_t first, std::size_t last, const std::vector<std::size_t>& before,
              Buffer& across);
  void look_up(std::size_t first, std::size_t last, const std::vector<std::size_t>& before,
               Buffer& across);
  void form_moments();
  void project_out(std::size_t first, std::size_t last, const std::vector<std::size_t>& before,
                   Buffer& across);
  void take_out_panels(std::size_t first, std::size_t last, const std::vector<std::size_t>& before,
                       Buffer& across);
  // Coordinates of parities `rows` on the functions of a panel, one row each.
  [[nodiscard]] std::vector<double> on_panel(const Panel& panel, const std::size_t* rows,
                                             std::size_t count, std::size_t stride) const;
  // B = B L^-T for rows that are [first, first + count) of all parities and single columns.
  void solve(const Panel& panel, std::size_t first, std::size_t count, double* b,
             std::size_t stride) const;
  void update_formed(const Panel& panel);
  // Inner products of the single columns with parities; `alone`: the last goes by itself.
  [[nodiscard]] std::vector<double> single_products(const std::vector<std::size_t>& columns,
                                                    bool alone) const;

  const Source& source_;
  const Design& design_;
  const std::vector<Parity>& old_parities_;
  const std::vector<Parity>& new_parities_;
  const std::vector<bool>& trivial_;
  const std::vector<std::size_t>& singles_;
  const double* lower_;
  const std::vector<double>& coordinates_;
  const StandardisedColumns* columns_;
  bool most_stay_;
  bool narrow_;
  std::optional<MomentIndex> index_;
  Buffer moments_;                             // by number, once they are formed
  std::vector<MomentIndex::Symbols> symbols_;  // of the old parities, then of the new ones
  Progress& progress_;
  std::size_t new_;
  std::size_t formed_ = 0;  // parities whose products are formed
  std::size_t decided_ = 0;
  std::vector<Panel> panels_;
  std::size_t kept_ = 0;           // parities in the panels
  std::size_t single_panels_ = 0;  // that the single columns have coordinates on
  std::size_t single_stride_;
  std::vector<double> on_singles_;
  std::vector<std::size_t> slots_;  // of kept parities: the column of on_singles_
};

}  // namespace fsieve::span
