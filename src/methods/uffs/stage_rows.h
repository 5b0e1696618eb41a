// The rows that a stage is walked on: all of them, or a sample where forming all inner products
// would take longer than reading the rows.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "data/design.h"
#include "fsieve/source.h"
#include "linalg/accelerator.h"
#include "methods/uffs/problem.h"
#include "methods/uffs/screen.h"
#include "methods/uffs/stages.h"
#include "span/device_table.h"
#include "span/group_basis.h"

namespace fsieve::inline methods {

// Below this threshold the squares of the Gram engine have too few digits.
inline constexpr double gram_epsilon = 1e-6;

class StageRows {
 public:
  // `order`: the features at the beginning of the stages.
  StageRows(const Problem& problem, const std::vector<PlannedStage>& plan, const Features& order);

  // Of this stage from now on.
  void prepare(const PlannedStage& planned, const Features& order);

  [[nodiscard]] bool sampled() const { return sampled_; }
  [[nodiscard]] const Source& source() const { return sampled_ ? *sample_ : problem_.source; }
  [[nodiscard]] const Design& design() const { return sampled_ ? sample_design_ : problem_.design; }

  // Features of which these rows show something: what is constant in a sample cannot be judged
  // there and stays.
  [[nodiscard]] Features seen(const Features& order) const;

  [[nodiscard]] Engine choose_engine(const PlannedStage& planned, const Features& order) const;
  // Puts the rows on a device for the gram engine, where there is one and the stage is worth it.
  void ask_for_device(const PlannedStage& planned, const Features& order);
  // What tells groups of the gram engine in advance that explain nothing, or none.
  [[nodiscard]] GroupScreen* screen(const PlannedStage& planned, const Features& order);
  [[nodiscard]] std::unique_ptr<GroupBasis> open_group(Engine engine, const GroupPlan& plan);

 private:
  [[nodiscard]] bool may_be_sampled(const PlannedStage& planned, const Features& order) const;
  [[nodiscard]] std::size_t rows_to_prepare_on(const std::vector<PlannedStage>& plan,
                                               const Features& order) const;
  [[nodiscard]] std::size_t table_bytes() const;
  const Source& in_memory();

  const Problem& problem_;
  std::size_t size_;
  bool sampled_ = false;
  std::unique_ptr<MemorySource> sample_;
  Design sample_design_;
  std::unique_ptr<const Products> sample_products_;
  std::unique_ptr<MemorySource> loaded_;
  std::unique_ptr<GroupScreen> screen_;        // of the last stage that had one
  std::shared_ptr<blas::Accelerator> device_;  // of all stages that have work for it
  std::shared_ptr<DeviceTable> on_device_;     // the rows of this stage
};

}  // namespace fsieve::methods
