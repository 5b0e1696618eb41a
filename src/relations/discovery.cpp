#include "relations/discovery.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "relations/choice.h"
#include "relations/copies.h"
#include "relations/fit.h"
#include "relations/library.h"
#include "relations/neighbours.h"
#include "relations/powers.h"
#include "relations/pursuit.h"
#include "relations/single_logarithms.h"
#include "relations/sums.h"
#include "relations/two_valued.h"
#include "relations/view.h"
#include "relations/walking_order.h"

namespace fsieve::relations {
namespace {

// A library of products is searched on fewer rows.
constexpr std::size_t library_rows = 256;
// Multiply-adds of the scan of a library, and values it may hold.
constexpr double library_work = 6e8;
constexpr double library_values = 6e6;
// And of the searches that follow.
constexpr double pursuit_work = 4e8;
constexpr double exact_sum_norm = 1e-4;
// A sum of more products that is not exact is a curve, no relation.
constexpr std::size_t terms_of_a_sum = 5;
constexpr std::size_t most_noisy_terms = 3;
// Different rows that a search of many candidates needs: four for each term and the constant.
constexpr std::size_t least_distinct_rows = 4 * (terms_of_a_sum + 1);

// A relation is written by kept columns where that leaves no more of the target's variance.
constexpr double rewriting_tolerance = 0.001;

class Finder {
 public:
  Finder(const Source& source, const Design& design, const Settings& settings, Progress& progress)
      : source_(source),
        design_(design),
        settings_(settings),
        progress_(progress),
        view_(source, design, settings, progress),
        columns_(design.columns.size()) {
    std::iota(columns_.begin(), columns_.end(), std::uint32_t{0});
  }

  Discovery run() {
    take_copies();
    take_products();
    take_single_logarithms();
    take_sums();
    if (all_two_valued() || distinct_rows() >= least_distinct_rows) {
      take_sums_of_products();
      take_neighbours();
    }
    Discovery found;
    found.order = walking_order(
        view_, columns_, [&](std::uint32_t c) { return choice_.gone(c); }, uses());
    finish(found);
    return found;
  }

 private:
  [[nodiscard]] bool all_two_valued() const {
    return std::all_of(design_.columns.begin(), design_.columns.end(),
                       [](const DesignColumn& column) { return column.two_valued; });
  }

  // Equal rows count as rows, as weights do, but few different ones can be fitted by a few terms.
  [[nodiscard]] std::size_t distinct_rows() const {
    const auto before = [&](std::size_t a, std::size_t b) {
      for (std::size_t c = 0; c < view_.sheet.columns(); ++c) {
        const double* values = view_.sheet.column(c);
        if (values[a] != values[b]) return values[a] < values[b];
      }
      return false;
    };
    std::set<std::size_t, decltype(before)> distinct(before);
    for (std::size_t i = 0; i < view_.sheet.rows && distinct.size() < least_distinct_rows; ++i) {
      distinct.insert(i);
    }
    return distinct.size();
  }

  [[nodiscard]] bool may_go(std::uint32_t c) const {
    return view_.about[c].may_go && !choice_.gone(c);
  }
  // Checks relations on all rows and takes those that hold, in their order.
  void take(std::vector<Relation> relations, double epsilon) {
    std::erase_if(relations, [&](Relation& relation) {
      return !view_.deep_enough(relation) || !(view_.lean_fit(relation) <= epsilon);
    });
    const std::vector<Checked> checked =
        check(source_, design_, view_.sheet, relations, {epsilon, settings_.epsilon}, progress_);
    for (std::size_t r = 0; r < relations.size(); ++r) {
      if (!checked[r].holds) continue;
      found_.push_back(relations[r]);
      const std::uint32_t target = relations[r].target;
      if (view_.about[target].may_go && choice_.take(relations[r])) norms_[target] = checked[r];
    }
  }

  // Of columns that are the same up to unit and origin the first in the file stays. Which one that
  // is must make no difference to others: it is looked at in the place of the first of their names.
  void take_copies() {
    std::vector<std::uint32_t> columns;
    for (const std::uint32_t c : columns_) {
      if (view_.about[c].single) columns.push_back(c);
    }
    std::vector<Relation> relations;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> places;  // who stays, in whose place
    for (const std::vector<std::uint32_t>& alike : same_up_to_unit(view_.sheet, columns)) {
      const auto place = [&](std::uint32_t c) {
        const std::size_t feature = design_.columns[c].feature;
        return std::pair(!view_.stays(feature), source_.schema().features[feature].index);
      };
      const std::uint32_t first = *std::min_element(
          alike.begin(), alike.end(), [&](auto a, auto b) { return place(a) < place(b); });
      places.emplace_back(first, *std::min_element(alike.begin(), alike.end()));
      for (const std::uint32_t c : alike) {
        if (c != first && view_.about[c].may_go) {
          Relation& relation = relations.emplace_back();
          relation.target = c;
          relation.products = {{{first, 1}}};
          relation.candidates = count_of_choices(columns.size(), 1);
        }
      }
    }
    take(std::move(relations), exact_norm);
    for (const auto& [target, relation] : choice_.chosen()) copies_.insert(target);
    for (const auto& [stays, place] : places) {
      if (copy(place)) std::swap(columns_[stays], columns_[place]);
    }
  }

  // Where a column stands among all.
  [[nodiscard]] std::size_t place_of(std::uint32_t c) const {
    return static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), c) -
                                    columns_.begin());
  }

  [[nodiscard]] bool copy(std::uint32_t c) const { return copies_.contains(c); }

  // In how many relations a column is used; that it has copies says nothing for keeping it.
  [[nodiscard]] std::map<std::uint32_t, std::size_t> uses() const {
    std::map<std::uint32_t, std::size_t> counts;
    for (const auto& [target, relation] : choice_.chosen()) {
      if (copy(target)) continue;
      for (const std::uint32_t column : relation.columns()) ++counts[column];
    }
    return counts;
  }

  // Products of powers, and of two-valued columns.
  void take_products() {
    if (settings_.depth == 1) return;
    std::vector<std::uint32_t> divisors;
    std::vector<std::uint32_t> two_valued;
    for (const std::uint32_t c : columns_) {
      if (!view_.about[c].single || copy(c)) continue;
      if (design_.columns[c].two_valued) {
        two_valued.push_back(c);
      } else if (view_.about[c].divisor) {
        divisors.push_back(c);
      }
    }
    take(power_relations(view_, divisors), exact_norm);
    take(two_valued_relations(view_, std::move(two_valued)), exact_norm);
  }

  // Before sums, which else write logarithms by each other; the library of sums of products is too
  // large for many columns.
  void take_single_logarithms() {
    if (settings_.depth == 1) return;
    std::vector<std::uint32_t> columns;
    std::copy_if(columns_.begin(), columns_.end(), std::back_inserter(columns), [&](auto c) {
      return view_.about[c].single && !design_.columns[c].two_valued && !copy(c);
    });
    const auto before = choice_.chosen();
    take(single_logarithms(view_, columns, [&](std::uint32_t c) { return choice_.gone(c); }),
         exact_norm);
    for (const auto& [target, relation] : choice_.chosen()) {
      if (!before.contains(target)) logarithms_.insert(target);
    }
  }

  // Columns that other relations use are rather kept.
  void take_sums() {
    std::vector<std::uint32_t> columns;
    std::copy_if(columns_.begin(), columns_.end(), std::back_inserter(columns),
                 [&](std::uint32_t c) { return !copy(c); });
    const auto known = uses();
    take(linear_relations(view_, std::move(columns),
                          [&](std::uint32_t c) { return may_go(c) && !known.contains(c); }),
         exact_norm);
  }

  // Sums of a few products, exact or up to the noise that epsilon allows.
  void take_sums_of_products() {
    if (settings_.depth == 1) return;
    std::vector<Ingredient> ingredients;
    std::vector<std::uint32_t> targets;
    for (const std::uint32_t c : columns_) {
      if (choice_.gone(c) && !logarithms_.contains(c)) continue;
      const DesignColumn& column = design_.columns[c];
      ingredients.push_back({c, column.feature, column.two_valued, view_.about[c].divisor,
                             view_.about[c].positive, view_.about[c].negative});
      if (may_go(c)) targets.push_back(c);
    }
    if (targets.empty()) return;
    const Sheet sheet = thinned(view_.sheet, library_rows);
    const auto rows = static_cast<double>(sheet.rows);
    const double most =
        std::min(library_work / rows / static_cast<double>(targets.size()), library_values / rows);
    double before = 0;
    double work = pursuit_work;
    // Plain products first: among few candidates a search goes wrong less often.
    std::vector<Ranked> noisy;
    for (const auto& [limit, width] : {std::pair{2.5, 24}, std::pair{3.5, 12}, std::pair{5.0, 6}}) {
      const Library library =
          make_library(sheet, ingredients, limit, static_cast<std::size_t>(most));
      if (library.products.empty()) return;  // too many columns (docs/uffs.md says how many)
      if (library.difficulty <= before) break;
      before = library.difficulty;
      // Columns of relations already known would mostly show these again.
      const auto known = uses();
      std::erase_if(targets, [&, past_plain = limit > 2.5](std::uint32_t c) {
        return choice_.gone(c) || (past_plain && known.contains(c));
      });
      if (targets.empty()) break;
      std::vector<Ranked> exact;
      for (Ranked& found : ranked(pursue(sheet, library, targets, settings_.epsilon, terms_of_a_sum,
                                         static_cast<std::size_t>(width), work))) {
        (found.norm > exact_sum_norm ? noisy : exact).push_back(std::move(found));
      }
      take(relations_of(std::move(exact)), settings_.epsilon);
      if (work > 0) continue;
      // What is promised are plain products; how far powers and ratios come is a matter of time.
      if (limit < 3) {
        warnings_.emplace_back(
            "the search for sums of products ended before it was through: it would take too long");
      }
      break;
    }
    take_noisy(std::move(noisy));
  }

  struct Ranked {
    double norm = 0;
    double share = 0;
    std::size_t place = 0;  // of the column that goes
    Relation relation;

    // Fewer terms, then what is easier to read; of a linear relation the column with the largest
    // share goes, then the last.
    [[nodiscard]] auto rank() const {
      return std::tuple(relation.products.size(), awkwardness(relation), -share,
                        -static_cast<double>(place));
    }
  };

  [[nodiscard]] std::vector<Ranked> ranked(std::vector<Relation> relations) const {
    std::vector<Ranked> result;
    for (Relation& relation : relations) {
      const double norm = lean_fit_by_plain_logarithms(relation);
      result.push_back(
          {norm, view_.share(relation), place_of(relation.target), std::move(relation)});
    }
    std::sort(result.begin(), result.end(),
              [](const Ranked& a, const Ranked& b) { return a.rank() < b.rank(); });
    return result;
  }

  // Of large values log(x) and log(1 + x) are nearly the same: the second is for columns that it is
  // told apart by.
  double lean_fit_by_plain_logarithms(Relation& relation) const {
    constexpr double told_apart = 1.1;
    const double norm = view_.lean_fit(relation);
    Relation plain = relation;
    for (Product& product : plain.products) {
      for (Factor& factor : product) {
        const bool shifted = factor.form == Form::log_of_one_more;
        if (shifted && view_.about[factor.column].positive) factor.form = Form::log;
      }
    }
    if (plain.products == relation.products) return norm;
    const double plain_norm = view_.lean_fit(plain);
    if (plain_norm > told_apart * norm) return norm;
    relation = std::move(plain);
    return plain_norm;
  }

  static std::vector<Relation> relations_of(std::vector<Ranked> ranked) {
    std::vector<Relation> relations;
    relations.reserve(ranked.size());
    for (Ranked& entry : ranked) relations.push_back(std::move(entry.relation));
    return relations;
  }

  // Logarithms of people's tables stand by themselves, with a constant. Others bend a sum to what
  // is left.
  static bool mixes_logarithms(const Relation& relation) {
    const std::size_t some = logarithms(relation);
    const auto constants =
        std::count(relation.products.begin(), relation.products.end(), Product{});
    return some > 0 && some + static_cast<std::size_t>(constants) < relation.products.size();
  }

  // One by one: noise would add up where one column is written by another that is gone. Linear
  // ones are left to the walk, which weighs all columns together.
  void take_noisy(std::vector<Ranked> noisy) {
    std::sort(noisy.begin(), noisy.end(),
              [](const Ranked& a, const Ranked& b) { return a.rank() < b.rank(); });
    for (Ranked& entry : noisy) {
      const Relation& relation = entry.relation;
      const auto columns = relation.columns();
      const bool linear = std::all_of(
          relation.products.begin(), relation.products.end(), [](const Product& product) {
            return product.empty() || (product.size() == 1 && product[0].plain());
          });
      if (linear || mixes_logarithms(relation) || relation.products.size() > most_noisy_terms ||
          uses().contains(relation.target) ||
          std::any_of(columns.begin(), columns.end(),
                      [&](std::uint32_t c) { return choice_.gone(c); }) ||
          view_.sum_in_disguise(relation)) {
        continue;
      }
      take({std::move(entry.relation)}, settings_.epsilon);
    }
  }

  // Where the columns that are left are too many to weigh all together.
  void take_neighbours() {
    std::vector<std::uint32_t> columns;
    const auto known = uses();
    std::size_t all = 0;
    for (const std::uint32_t c : columns_) {
      if (choice_.gone(c)) continue;
      ++all;
      if (view_.about[c].may_go && !known.contains(c)) columns.push_back(c);
    }
    if (!view_.all_together(all))
      take(by_neighbours(view_.sheet, columns, settings_.epsilon), settings_.epsilon);
  }

  // Every relation by kept columns, where that is possible and as good.
  void finish(Discovery& found) {
    std::vector<Relation> rewritten;
    for (const auto& [target, relation] : choice_.chosen()) {
      found.removed.push_back({design_.columns[target].feature, relation, norms_[target].norm,
                               norms_[target].adjusted_norm});
      std::optional<Relation> kept = choice_.in_kept_columns(target);
      if (!kept || kept->columns() == relation.columns()) continue;
      if (view_.lean_fit(*kept) <= settings_.epsilon) rewritten.push_back(std::move(*kept));
    }
    const auto checked = check(source_, design_, view_.sheet, rewritten,
                               {settings_.epsilon, settings_.epsilon}, progress_);
    for (std::size_t r = 0; r < rewritten.size(); ++r) {
      const auto place = std::find_if(
          found.removed.begin(), found.removed.end(),
          [&](const Removal& removal) { return removal.relation.target == rewritten[r].target; });
      if (!checked[r].holds ||
          rewritten[r].left_out > place->relation.left_out + rewriting_tolerance) {
        continue;
      }
      place->relation = std::move(rewritten[r]);
      place->norm = checked[r].norm;
      place->adjusted_norm = checked[r].adjusted_norm;
    }
    std::stable_sort(found_.begin(), found_.end(), [](const Relation& a, const Relation& b) {
      return std::tuple(a.products.size(), awkwardness(a)) <
             std::tuple(b.products.size(), awkwardness(b));
    });
    found.relations = std::move(found_);
    found.warnings = std::move(warnings_);
  }

  const Source& source_;
  const Design& design_;
  const Settings& settings_;
  Progress& progress_;
  View view_;
  std::vector<std::uint32_t> columns_;  // in the order in which they are looked at
  Choice choice_;
  std::map<std::uint32_t, Checked> norms_;  // of the relations taken
  std::set<std::uint32_t> copies_;
  std::set<std::uint32_t> logarithms_;  // gone as such; products may have them as factors
  std::vector<Relation> found_;
  std::vector<std::string> warnings_;
};

}  // namespace

Discovery discover(const Source& source, const Design& design, const Settings& settings,
                   Progress& progress) {
  return Finder(source, design, settings, progress).run();
}

}  // namespace fsieve::relations
