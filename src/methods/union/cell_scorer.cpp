// The cells kernel: scores of all subsets of discrete features from counts. Subsets of two-valued
// features alone are counted together (sign_cells.h), the others prefix by prefix (level_cells.h);
// so are all where rows have weights.

#include "base/parallel.h"
#include "bits/bit_split.h"
#include "data/sign_bits.h"
#include "fsieve/error.h"
#include "methods/union/level_cells.h"
#include "methods/union/scorer.h"
#include "methods/union/shared_cells.h"
#include "methods/union/sign_cells.h"

namespace fsieve::inline methods {
namespace {

class CellScorer final : public SubsetScorer {
 public:
  CellScorer(const SupervisedData& data, std::size_t bins, double table_bytes, const Device& device)
      : table_bytes_(table_bytes),
        device_(device),
        machines_(data.machines),
        place_(data.design.features.size()),
        names_(data.features),
        levels_(data.features.size()) {
    const bool by_bits = data.label.classification && !data.weighted();
    in_parallel(names_.size(),
                [&](std::size_t k) { levels_[k] = levels_of(data, names_[k], bins); });
    for (std::size_t k = 0; k < names_.size(); ++k) {
      place_[names_[k]] = k;
      const bool many = !by_bits || levels_[k].count > 2;
      (many ? many_levels_ : two_levels_).push_back(k);
    }
    if (by_bits) {
      order_ = std::make_unique<ClassOrder>(data.label.codes, data.label.classes.size());
      pack(data.label.codes);
    }
    by_levels_ = std::make_unique<LevelCells>(data.label, levels_, names_, order_.get(),
                                              !many_levels_.empty());
  }

  void score_all(int size, Ranking& ranking, Progress& progress) const override {
    if (size < 1 || size > most_discrete_depth) {
      throw Error("subsets of 1 to 6 discrete features can be scored", Error::Kind::usage);
    }
    const auto things = static_cast<std::size_t>(size);
    SharedProgress shared(progress, "subsets", choose(names_.size(), things));
    if (size == 1) {
      in_parallel(names_.size(), [&](std::size_t k) {
        ranking.offer(by_levels_->score({&k, 1}), {&names_[k], 1});
      });
      shared.add(names_.size());
    } else {
      rank_two_levels(size, ranking, shared);
      by_levels_->rank(things, many_levels_, two_levels_, ranking, shared);
    }
    shared.end();
  }

  [[nodiscard]] double score(std::span<const std::size_t> features) const override {
    std::vector<std::size_t> candidates;
    for (const std::size_t feature : features) candidates.push_back(place_[feature]);
    return by_levels_->score(candidates);
  }

 private:
  void pack(const std::vector<std::size_t>& classes) {
    two_bits_ = BitStore(two_levels_.size(), order_->words);
    if (order_->classes() == 2) return pack_two_classes(classes);
    for (std::size_t j = 0; j < two_levels_.size(); ++j) {
      const std::vector<std::uint32_t>& codes = levels_[two_levels_[j]].codes;
      // No branch: half of them would be guessed wrong.
      std::uint64_t* column = two_bits_.column(j);
      for (std::size_t i = 0; i < codes.size(); ++i) {
        const std::size_t place = order_->place[i];
        column[place / 64] |= std::uint64_t{codes[i]} << (place % 64);
      }
    }
  }

  void pack_two_classes(const std::vector<std::size_t>& classes) {
    BitSplit split(*order_);
    split.go_on(std::vector<std::uint8_t>(classes.begin(), classes.end()));
    in_parallel(two_levels_.size(), [&](std::size_t j) {
      const std::vector<std::uint32_t>& codes = levels_[two_levels_[j]].codes;
      std::vector<std::uint64_t> bits(words_for(codes.size()));
      for (std::size_t i = 0; i < codes.size(); ++i) {
        bits[i / 64] |= std::uint64_t{codes[i]} << (i % 64);
      }
      split.add(bits, two_bits_.column(j));
    });
  }

  void rank_two_levels(int size, Ranking& ranking, SharedProgress& progress) const {
    if (two_levels_.size() < static_cast<std::size_t>(size)) return;
    std::vector<std::size_t> features;
    for (const std::size_t k : two_levels_) features.push_back(names_[k]);
    const SubsetWork work{choose(features.size(), static_cast<std::size_t>(size)),
                          static_cast<double>(order_->words)};
    if (machines_ != nullptr && work.worth_sharing()) {
      NoProgress quiet;  // this one is told when all is done
      rank_sign_subsets_on(*machines_, *order_, two_bits_, features, size, ranking, quiet);
      progress.add(static_cast<std::size_t>(work.subsets));
      return;
    }
    rank_sign_subsets(*order_, two_bits_, features, size, table_bytes_, device_, ranking, progress);
  }

  double table_bytes_;
  Device device_;
  const Machines* machines_;
  std::vector<std::size_t> place_;  // of a feature among the candidates
  std::vector<std::size_t> names_;  // the feature of a candidate
  std::vector<Levels> levels_;      // per candidate
  std::vector<std::size_t> two_levels_, many_levels_;
  std::unique_ptr<ClassOrder> order_;
  BitStore two_bits_;
  std::unique_ptr<LevelCells> by_levels_;
};

}  // namespace

std::unique_ptr<SubsetScorer> make_cell_scorer(const SupervisedData& data, std::size_t bins,
                                               double table_bytes, const Device& device) {
  return std::make_unique<CellScorer>(data, bins, table_bytes, device);
}

}  // namespace fsieve::methods
