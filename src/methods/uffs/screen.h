// Groups of which some rows, or single precision, tell that they explain no feature, so that inner
// products over all rows in full precision are not needed (docs/scale.md).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "data/design.h"
#include "fsieve/source.h"
#include "methods/uffs/group_trial.h"
#include "methods/uffs/problem.h"
#include "methods/uffs/stages.h"
#include "span/group_basis.h"
#include "span/ledger.h"

namespace fsieve::inline methods {

class GroupScreen {
 public:
  // For a stage that the gram engine walks on all rows; `before`: that of the stage before, or
  // none. None where little would be saved.
  [[nodiscard]] static std::unique_ptr<GroupScreen> of(const Problem& problem,
                                                       const PlannedStage& planned,
                                                       const Features& order,
                                                       const GroupScreen* before);

  // The rows of the sample, where groups were decided by it; 0: all rows.
  [[nodiscard]] std::size_t sample() const { return some_.decided > 0 ? some_.design.rows : 0; }

  struct Decided {
    std::size_t end = 0;  // the position after the last feature of the group
    std::size_t members = 0;
    std::size_t rank = 0;
  };

  // Of a group that was not decided: which features all rows in full precision must test, and what
  // is known of the others, if it ends where it does here.
  struct Narrowed {
    Decided group;
    std::shared_ptr<const std::vector<bool>> tested;
    std::vector<Test> tests;  // of every feature
  };
  [[nodiscard]] const std::optional<Narrowed>& narrowed() const { return narrowed_; }

  // Fills the next group from `position` on. Where it clearly explains no feature of
  // order[position..), the features up to its end are decided, and the ledger has what is left of
  // all of them as it is known here. None, and nothing is noted, where it is not clear.
  [[nodiscard]] std::optional<Decided> decide(const GroupPlan& plan, const Features& order,
                                              std::size_t position, bool first, Ledger& ledger);

 private:
  // Rows on which groups are tried, as long as that decides as many as not.
  struct Trial {
    const Source* source = nullptr;
    std::unique_ptr<MemorySource> own;  // where `source` is not the table
    Design design;
    bool all = false;   // rows: what they say is uncertain by rounding alone
    bool wide = false;  // single precision cannot tell
    std::size_t decided = 0;
    std::size_t failed = 0;

    [[nodiscard]] bool gave_up() const { return failed > decided + 1; }
  };

  explicit GroupScreen(const Problem& problem) : problem_(problem) {}

  [[nodiscard]] bool prepare(Trial& trial) const;
  [[nodiscard]] static Judge judge_of(const Trial& trial, const Ledger& ledger);
  [[nodiscard]] static bool above(const Trial& trial, const Test& test, const Spread& spread,
                                  double wrong, double epsilon);
  void spare_rows(std::size_t rank);
  // Of a group of categories.
  [[nodiscard]] std::optional<Decided> decide_by_cells(const NextGroup& group, int depth,
                                                       const Features& order, Ledger& ledger);
  [[nodiscard]] std::optional<Decided> decide_by_pairs(const NextGroup& group,
                                                       const Features& order, bool first,
                                                       Ledger& ledger);
  // What follows from a trial of categories on these rows.
  [[nodiscard]] std::optional<Decided> concluded(const NextGroup& group, GroupTrial tried,
                                                 const Trial& trial, const Features& order,
                                                 const std::function<bool(const Test&)>& stays,
                                                 Ledger& ledger);
  [[nodiscard]] std::optional<Decided> decide_on(Trial& trial, const GroupPlan& plan,
                                                 const Features& order, std::size_t position,
                                                 bool first, Ledger& ledger);
  // The features that may be explained; none where a trial is not worth going on with.
  [[nodiscard]] std::optional<Features> may_explain(const Trial& trial, bool narrow,
                                                    const ScreenBasis& group, const Ledger& tried,
                                                    const Features& features, double epsilon) const;
  [[nodiscard]] std::optional<Narrowed> narrowed_to(const Features& may, const Decided& group,
                                                    std::vector<Test> tests) const;
  // An estimate by some rows.
  [[nodiscard]] Test on_all_rows(Test test, double rows, const Test& best) const;
  void note(double rows, std::size_t feature, bool its_turn, Test test, Ledger& ledger) const;

  const Problem& problem_;
  std::size_t few_ = 0;  // rows of the first trial; 0: it is left out
  std::optional<Narrowed> narrowed_;
  Trial some_;
  Trial all_;
};

}  // namespace fsieve::methods
