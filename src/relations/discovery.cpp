#include "relations/discovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

#include "equation/sheet.h"
#include "relations/choice.h"
#include "relations/copies.h"
#include "relations/elimination.h"
#include "relations/fit.h"
#include "relations/library.h"
#include "relations/neighbours.h"
#include "relations/pursuit.h"
#include "relations/signs.h"
#include "relations/tableau.h"

namespace fsieve::relations {
namespace {

// Rows that are enough to see a relation, for few columns; more columns need more.
constexpr std::size_t sheet_rows = 1024;
constexpr std::size_t rows_per_column = 4;
constexpr std::size_t sheet_values = std::size_t{1} << 24U;
// A library of products is searched on fewer.
constexpr std::size_t library_rows = 256;
// Multiply-adds of the scan of a library, and values it may hold.
constexpr double library_work = 6e8;
constexpr double library_values = 6e6;
// And of the searches that follow.
constexpr double pursuit_work = 4e8;
// Columns whose precision matrix is affordable.
constexpr std::size_t most_columns = 1500;
// Norms up to this count as none left: what rounding to a few digits leaves.
constexpr double exact_norm = 3e-3;
constexpr double exact_log_norm = 1e-3;
constexpr double exact_sum_norm = 1e-4;
// A sum of more products that is not exact is a curve, no relation.
constexpr std::size_t most_terms = 5;
constexpr std::size_t most_noisy_terms = 3;
// Columns that grow together are, to many digits, a product of odd powers of each other, which says
// nothing. Formulas have few factors, and powers that people use but for one or two.
constexpr std::size_t most_power_factors = 6;
constexpr std::size_t most_odd_powers = 2;
// Different rows that a search of many candidates needs: four for each term and the constant.
constexpr std::size_t least_distinct_rows = 4 * (most_terms + 1);

class Finder {
 public:
  Finder(const Source& source, const Design& design, const Settings& settings, Progress& progress)
      : source_(source), design_(design), settings_(settings), progress_(progress) {
    const std::size_t columns = std::max<std::size_t>(design.columns.size(), 1);
    const std::size_t rows = std::max(sheet_rows, rows_per_column * columns);
    sheet_ = read_sheet(source, design, std::min(rows, sheet_values / columns), progress);
    for (std::uint32_t c = 0; c < design.columns.size(); ++c) describe(c);
  }

  Discovery run() {
    take_copies();
    take_powers();
    take_signs();
    take_sums();
    if (all_two_valued() || distinct_rows() >= least_distinct_rows) {
      take_sums_of_products();
      take_neighbours();
    }
    Discovery found;
    found.order = walking_order();
    finish(found);
    return found;
  }

 private:
  struct About {
    bool single = false;  // the only column of its feature
    bool may_go = false;  // by itself
    bool divisor = true;  // has no zeros
    bool positive = true;
  };

  [[nodiscard]] bool stays(std::size_t feature) const {
    return !settings_.stays.empty() && settings_.stays[feature];
  }

  void describe(std::uint32_t c) {
    About about;
    const DesignFeature& feature = design_.features[design_.columns[c].feature];
    about.single = feature.last - feature.first == 1;
    about.may_go = about.single && !stays(design_.columns[c].feature);
    const double* values = sheet_.column(c);
    for (std::size_t i = 0; i < sheet_.rows; ++i) {
      about.divisor = about.divisor && values[i] != 0;
      about.positive = about.positive && values[i] > 0;
    }
    about_.push_back(about);
  }

  [[nodiscard]] bool all_two_valued() const {
    return std::all_of(design_.columns.begin(), design_.columns.end(),
                       [](const DesignColumn& column) { return column.two_valued; });
  }

  // Equal rows count as rows, as weights do, but few different ones can be fitted by a few terms.
  [[nodiscard]] std::size_t distinct_rows() const {
    const auto before = [&](std::size_t a, std::size_t b) {
      for (std::size_t c = 0; c < sheet_.columns(); ++c) {
        const double* values = sheet_.column(c);
        if (values[a] != values[b]) return values[a] < values[b];
      }
      return false;
    };
    std::set<std::size_t, decltype(before)> distinct(before);
    for (std::size_t i = 0; i < sheet_.rows && distinct.size() < least_distinct_rows; ++i) {
      distinct.insert(i);
    }
    return distinct.size();
  }

  [[nodiscard]] bool may_go(std::uint32_t c) const { return about_[c].may_go && !choice_.gone(c); }
  [[nodiscard]] bool enough_rows(std::size_t columns) const {
    return columns <= most_columns && rows_per_column * columns <= sheet_.rows;
  }
  [[nodiscard]] bool deep_enough(const Relation& relation) const {
    if (settings_.depth == 0) return true;
    return std::all_of(relation.products.begin(), relation.products.end(),
                       [&](const Product& product) {
                         double degree = 0;
                         for (const Factor& f : product) degree += std::abs(f.power);
                         return degree <= settings_.depth;
                       });
  }

  // Checks relations on all rows and takes those that hold, in their order.
  void take(std::vector<Relation> relations, double epsilon) {
    std::erase_if(relations, [&](Relation& relation) {
      return !deep_enough(relation) || !(lean_fit(relation) <= epsilon);
    });
    const std::vector<Checked> checked =
        check(source_, design_, sheet_, relations, epsilon, progress_);
    for (std::size_t r = 0; r < relations.size(); ++r) {
      if (!checked[r].holds) continue;
      found_.push_back(relations[r]);
      const std::uint32_t target = relations[r].target;
      if (about_[target].may_go && choice_.take(relations[r])) norms_[target] = checked[r];
    }
  }

  // Of columns that are the same up to unit and origin the first in the file stays.
  void take_copies() {
    std::vector<std::uint32_t> columns;
    for (std::uint32_t c = 0; c < about_.size(); ++c) {
      if (about_[c].single) columns.push_back(c);
    }
    std::vector<Relation> relations;
    for (const std::vector<std::uint32_t>& alike : same_up_to_unit(sheet_, columns)) {
      const auto place = [&](std::uint32_t c) {
        const std::size_t feature = design_.columns[c].feature;
        return std::pair(!stays(feature), source_.schema().features[feature].index);
      };
      const std::uint32_t first = *std::min_element(
          alike.begin(), alike.end(), [&](auto a, auto b) { return place(a) < place(b); });
      for (const std::uint32_t c : alike) {
        if (c != first && about_[c].may_go) {
          Relation& relation = relations.emplace_back();
          relation.target = c;
          relation.products = {{{first, 1}}};
          relation.candidates = count_of_choices(columns.size(), 1);
        }
      }
    }
    take(std::move(relations), exact_norm);
    for (const auto& [target, relation] : choice_.chosen()) copies_.insert(target);
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

  // Products of powers: linear relations of logarithms.
  void take_powers() {
    if (settings_.depth == 1) return;
    std::vector<std::uint32_t> columns;
    for (std::uint32_t c = 0; c < about_.size(); ++c) {
      if (about_[c].single && about_[c].divisor && !copy(c) && !design_.columns[c].two_valued) {
        columns.push_back(c);
      }
    }
    if (columns.size() < 2 || !enough_rows(columns.size())) return;
    std::vector<double> logarithms;
    for (const std::uint32_t c : columns) {
      const double* values = sheet_.column(c);
      for (std::size_t i = 0; i < sheet_.rows; ++i) {
        logarithms.push_back(std::log(std::abs(values[i])));
      }
    }
    std::vector<double> deviations;
    const std::vector<double> products =
        gram(sheet_.rows, standardised(sheet_, std::move(logarithms), deviations));
    const std::vector<Bundle> bundles = single_bundles(columns.size(), [&](std::size_t k) {
      return deviations[k] > 0 && about_[columns[k]].may_go;
    });
    Tableau tableau = split(products, bundles, exact_log_norm);
    const auto power = [&](std::size_t basis, std::size_t other, double weight) {
      return usual_power(weight * deviations[other] / deviations[basis], 1e-3);
    };
    Simplicity simplicity;
    simplicity.zero = 1e-4;
    simplicity.cost = [&](std::size_t basis, std::size_t other, double weight) {
      return awkwardness(power(basis, other, weight));
    };
    simplicity.free = [&](std::size_t k) { return about_[columns[k]].may_go; };
    simplify(tableau, simplicity);
    std::vector<Relation> relations;
    for (std::size_t o = 0; o < tableau.others.size(); ++o) {
      Relation relation;
      relation.target = columns[tableau.others[o]];
      Product product;
      bool real = true;
      for (std::size_t b = 0; b < tableau.basis.size(); ++b) {
        const double weight = tableau.weights[b + o * tableau.basis.size()];
        if (std::abs(weight) < simplicity.zero) continue;
        const std::uint32_t column = columns[tableau.basis[b]];
        product.push_back({column, power(tableau.basis[b], tableau.others[o], weight)});
        const bool whole = product.back().power == std::round(product.back().power);
        real = real && (whole || about_[column].positive);
      }
      if (!real || product.empty() || !is_formula(product)) continue;
      std::sort(product.begin(), product.end());
      relation.products.push_back(std::move(product));
      relation.candidates = count_of_choices(columns.size(), relation.products[0].size());
      if (!sum_in_disguise(relation)) relations.push_back(std::move(relation));
    }
    take(std::move(relations), exact_norm);
  }

  // In a narrow range every sum is nearly a product of powers, and every product nearly a sum.
  // Where the digits do not tell, a sum is easier to read than anything but one plain product.
  [[nodiscard]] bool sum_in_disguise(const Relation& relation) const {
    Relation own = relation;
    Relation sum = relation;
    sum.products.clear();
    for (const std::uint32_t column : relation.columns()) sum.products.push_back({{column, 1}});
    if (sum.products.size() < 2) return false;
    const double norm = fit(sheet_, own);
    const bool plain =
        own.products.size() == 1 &&
        std::all_of(own.products[0].begin(), own.products[0].end(),
                    [](const Factor& factor) { return factor.power == 1 || factor.power == 2; });
    return fit(sheet_, sum) < (plain ? 0.5 : 2) * norm;
  }

  [[nodiscard]] static bool is_formula(const Product& product) {
    const auto odd = std::count_if(product.begin(), product.end(), [](const Factor& factor) {
      const double twelfths = 12 * factor.power;
      return std::abs(twelfths - std::round(twelfths)) > 1e-9;
    });
    return product.size() <= most_power_factors && static_cast<std::size_t>(odd) <= most_odd_powers;
  }

  [[nodiscard]] static double count_of_choices(std::size_t columns, std::size_t terms) {
    return static_cast<double>(terms + 1) * std::log(static_cast<double>(columns));
  }

  template <class Removable>
  static std::vector<Bundle> single_bundles(std::size_t count, const Removable& removable) {
    std::vector<Bundle> bundles;
    for (std::size_t k = 0; k < count; ++k) bundles.push_back({k, k + 1, removable(k)});
    return bundles;
  }

  // A basis, and what is written by it.
  [[nodiscard]] Tableau split(const std::vector<double>& products,
                              const std::vector<Bundle>& bundles, double epsilon) const {
    const std::vector<std::size_t> others =
        eliminated(products, bundles, epsilon, static_cast<double>(sheet_.rows));
    std::vector<std::size_t> basis;
    for (std::size_t k = 0; k < bundles.size(); ++k) {
      if (std::find(others.begin(), others.end(), k) == others.end()) basis.push_back(k);
    }
    return tableau_of(products, bundles.size(), std::move(basis), others);
  }

  // Two-valued columns: every factor of a product can be written by the others.
  void take_signs() {
    if (settings_.depth == 1) return;
    std::vector<std::uint32_t> columns;
    for (std::uint32_t c = 0; c < about_.size(); ++c) {
      if (about_[c].single && design_.columns[c].two_valued && !copy(c)) columns.push_back(c);
    }
    if (columns.size() > most_columns) return;
    // Of equally short relations the column that varies most goes, then the last.
    std::stable_sort(columns.begin(), columns.end(), [&](std::uint32_t a, std::uint32_t b) {
      return design_.columns[a].deviation < design_.columns[b].deviation * (1 - 1e-6);
    });
    std::vector<SignBits> bits;
    for (const std::uint32_t c : columns) {
      SignBits& own = bits.emplace_back((sheet_.rows + 63) / 64);
      const double* values = sheet_.column(c);
      for (std::size_t i = 0; i < sheet_.rows; ++i) {
        if (values[i] != low_of(c)) own[i / 64] |= std::uint64_t{1} << (i % 64);
      }
    }
    std::vector<Relation> relations;
    for (const SignRelation& signs : sign_relations(bits, sheet_.rows)) {
      if (signs.factors.empty()) continue;
      Relation relation;
      relation.target = columns[signs.target];
      std::vector<std::uint32_t> factors;
      for (const std::size_t f : signs.factors) factors.push_back(columns[f]);
      // Every factor can be written by the others.
      const auto free = std::find_if(factors.rbegin(), factors.rend(),
                                     [&](std::uint32_t c) { return about_[c].may_go; });
      if (!about_[relation.target].may_go && free != factors.rend()) {
        std::swap(relation.target, *free);
      }
      std::sort(factors.begin(), factors.end());
      relation.products = sign_products(factors);
      if (relation.products.empty()) continue;
      relation.candidates = count_of_choices(columns.size(), factors.size());
      relations.push_back(std::move(relation));
    }
    take(std::move(relations), exact_norm);
  }

  [[nodiscard]] double low_of(std::uint32_t c) const {
    return design_.columns[c].level ? 0 : design_.columns[c].low;
  }

  // The products of all signs of the columns, in original units: one where the two values are
  // opposite numbers, else with all sub-products; none where that is too long to read.
  [[nodiscard]] std::vector<Product> sign_products(
      const std::vector<std::uint32_t>& factors) const {
    constexpr std::size_t most_offset = 3;
    std::vector<std::uint32_t> offset;
    Product whole;
    for (const std::uint32_t c : factors) {
      const double* values = sheet_.column(c);
      const auto [low, high] = std::minmax_element(values, values + sheet_.rows);
      if (std::abs(*low + *high) <= 1e-9 * std::abs(*high - *low)) {
        whole.push_back({c, 1});
      } else {
        offset.push_back(c);
      }
    }
    if (offset.size() > most_offset) return {};
    std::vector<Product> products;
    for (std::size_t mask = 0; mask < (std::size_t{1} << offset.size()); ++mask) {
      Product product = whole;
      for (std::size_t k = 0; k < offset.size(); ++k) {
        if ((mask >> k & 1U) != 0) product.push_back({offset[k], 1});
      }
      std::sort(product.begin(), product.end());
      if (!product.empty()) products.push_back(std::move(product));
    }
    return products;
  }

  // Exact linear relations. Columns that other relations use are rather kept.
  void take_sums() {
    std::vector<std::uint32_t> columns;
    for (std::uint32_t c = 0; c < about_.size(); ++c) {
      if (!copy(c)) columns.push_back(c);
    }
    if (columns.size() < 3 || !enough_rows(columns.size())) return;
    leave_out_coarser_categories(columns);
    std::vector<double> deviations;
    const std::vector<double> products = gram_of(columns, deviations);
    const auto known = uses();
    const auto used = [&](std::size_t k) { return known.contains(columns[k]); };
    const auto free = [&](std::size_t k) { return may_go(columns[k]) && deviations[k] > 0; };
    Tableau tableau =
        split(products,
              single_bundles(columns.size(), [&](std::size_t k) { return free(k) && !used(k); }),
              exact_norm);
    Simplicity simplicity;
    simplicity.zero = 1e-5;
    simplicity.cost = [](std::size_t, std::size_t, double) { return 1.0; };
    simplicity.free = [&](std::size_t k) { return free(k) && !used(k); };
    simplify(tableau, simplicity);
    std::vector<Relation> relations;
    for (std::size_t o = 0; o < tableau.others.size(); ++o) {
      Relation relation;
      relation.target = columns[tableau.others[o]];
      for (std::size_t b = 0; b < tableau.basis.size(); ++b) {
        if (std::abs(tableau.weights[b + o * tableau.basis.size()]) < simplicity.zero) continue;
        relation.products.push_back({{columns[tableau.basis[b]], 1}});
      }
      std::sort(relation.products.begin(), relation.products.end());
      shorten(relation);
      relation.candidates = count_of_choices(columns.size(), relation.products.size());
      relations.push_back(std::move(relation));
    }
    take(std::move(relations), exact_norm);
  }

  [[nodiscard]] std::vector<double> gram_of(const std::vector<std::uint32_t>& columns,
                                            std::vector<double>& deviations) const {
    std::vector<double> values;
    for (const std::uint32_t c : columns) {
      values.insert(values.end(), sheet_.column(c), sheet_.column(c) + sheet_.rows);
    }
    return gram(sheet_.rows, standardised(sheet_, std::move(values), deviations));
  }

  // The indicators of a state are sums of those of its cities. Columns that cannot go by themselves
  // must not depend on each other: any multiple of such a sum could stand in every relation.
  void leave_out_coarser_categories(std::vector<std::uint32_t>& columns) const {
    std::vector<std::uint32_t> indicators;
    for (const std::uint32_t c : columns) {
      if (!about_[c].single) indicators.push_back(c);
    }
    const auto width = [&](std::uint32_t c) {
      const DesignFeature& feature = design_.features[design_.columns[c].feature];
      return feature.last - feature.first;
    };
    std::stable_sort(indicators.begin(), indicators.end(),
                     [&](auto a, auto b) { return width(a) > width(b); });
    std::vector<double> deviations;
    const std::vector<double> products = gram_of(indicators, deviations);
    std::set<std::uint32_t> coarser;
    for (const std::size_t k : dependent_columns(products, indicators.size())) {
      coarser.insert(indicators[k]);
    }
    std::erase_if(columns, [&](std::uint32_t c) { return coarser.contains(c); });
  }

  // A relation that is exact but for digits that were rounded away takes up columns that fit these
  // digits: those without which it is about as good go.
  void shorten(Relation& relation) const {
    constexpr std::size_t most_tried = 24;
    constexpr double no_digits = 1e-6;
    if (relation.products.size() > most_tried) return;
    const auto norm_of = [&](const std::vector<Product>& products) {
      Relation tried = relation;
      tried.products = products;
      return fit(sheet_, tried);
    };
    const double whole = norm_of(relation.products);
    if (!(whole > no_digits && whole <= exact_norm)) return;
    while (relation.products.size() > 1) {
      std::vector<Product> best;
      double least = 1.1 * whole;
      for (std::size_t k = 0; k < relation.products.size(); ++k) {
        std::vector<Product> without = relation.products;
        without.erase(without.begin() + static_cast<std::ptrdiff_t>(k));
        const double norm = norm_of(without);
        if (norm < least) {
          least = norm;
          best = std::move(without);
        }
      }
      if (best.empty()) return;
      relation.products = std::move(best);
    }
  }

  // Sums of a few products, exact or up to the noise that epsilon allows.
  void take_sums_of_products() {
    if (settings_.depth == 1) return;
    std::vector<Ingredient> ingredients;
    std::vector<std::uint32_t> targets;
    for (std::uint32_t c = 0; c < about_.size(); ++c) {
      if (choice_.gone(c)) continue;
      const DesignColumn& column = design_.columns[c];
      ingredients.push_back(
          {c, column.feature, column.two_valued, about_[c].divisor, about_[c].positive});
      if (about_[c].may_go) targets.push_back(c);
    }
    if (targets.empty()) return;
    const Sheet sheet = thinned(sheet_, library_rows);
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
      for (Ranked& found : ranked(pursue(sheet, library, targets, settings_.epsilon, most_terms,
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
    Relation relation;

    // Fewer terms, then what is easier to read; of a linear relation the column with the largest
    // share goes, then the last.
    [[nodiscard]] auto rank() const {
      return std::tuple(relation.products.size(), awkwardness(relation), -share,
                        -static_cast<double>(relation.target));
    }
  };

  [[nodiscard]] std::vector<Ranked> ranked(std::vector<Relation> relations) const {
    std::vector<Ranked> result;
    for (Relation& relation : relations) {
      const double norm = lean_fit(relation);
      result.push_back({norm, share(relation), std::move(relation)});
    }
    std::sort(result.begin(), result.end(),
              [](const Ranked& a, const Ranked& b) { return a.rank() < b.rank(); });
    return result;
  }

  static std::vector<Relation> relations_of(std::vector<Ranked> ranked) {
    std::vector<Relation> relations;
    for (Ranked& entry : ranked) relations.push_back(std::move(entry.relation));
    return relations;
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
            return product.empty() || (product.size() == 1 && product[0].power == 1);
          });
      if (linear || relation.products.size() > most_noisy_terms ||
          uses().contains(relation.target) ||
          std::any_of(columns.begin(), columns.end(),
                      [&](std::uint32_t c) { return choice_.gone(c); }) ||
          sum_in_disguise(relation)) {
        continue;
      }
      take({std::move(entry.relation)}, settings_.epsilon);
    }
  }

  // Fits a relation without the products that do nothing in it, and returns the norm left.
  double lean_fit(Relation& relation) const {
    const double norm = fit(sheet_, relation);
    return std::isfinite(norm) && drop_needless(relation) ? fit(sheet_, relation) : norm;
  }

  // Products that a wrong turn of the search, or rounding, has left behind.
  bool drop_needless(Relation& relation) const {
    std::vector<Product> needed;
    for (std::size_t k = 0; k < relation.products.size(); ++k) {
      if (relation.products[k].empty()) continue;
      const double part = std::abs(relation.coefficients[k]) * deviation(relation.products[k]);
      if (part > 1e-6 * design_.columns[relation.target].deviation) {
        needed.push_back(relation.products[k]);
      }
    }
    const bool constant = relation.products.back().empty();
    if (needed.empty() || needed.size() + (constant ? 1 : 0) == relation.products.size()) {
      return false;
    }
    relation.products = std::move(needed);
    return true;
  }

  [[nodiscard]] double deviation(const Product& product) const {
    std::vector<double> values(sheet_.rows, 1.0);
    for (const Factor& factor : product) {
      const double* column = sheet_.column(factor.column);
      for (std::size_t i = 0; i < sheet_.rows; ++i) values[i] *= raised(column[i], factor.power);
    }
    std::vector<double> deviations;
    (void)standardised(sheet_, std::move(values), deviations);
    return deviations[0];
  }

  // Where the columns that are left are too many to weigh all together.
  void take_neighbours() {
    std::vector<std::uint32_t> columns;
    const auto known = uses();
    std::size_t all = 0;
    for (std::uint32_t c = 0; c < about_.size(); ++c) {
      if (choice_.gone(c)) continue;
      ++all;
      if (about_[c].may_go && !known.contains(c)) columns.push_back(c);
    }
    if (!all_together(all))
      take(by_neighbours(sheet_, columns, settings_.epsilon), settings_.epsilon);
  }

  // Can a precision matrix of so many columns be formed?
  [[nodiscard]] bool all_together(std::size_t columns) const {
    return columns <= most_columns && columns + columns / 10 + 10 <= sheet_.rows;
  }

  // The target's part in its relation: its deviation beside those of the terms, rounded so that
  // equal ones are equal.
  [[nodiscard]] double share(const Relation& relation) const {
    double squares = 0;
    for (std::size_t k = 0; k < relation.products.size(); ++k) {
      if (relation.products[k].empty()) continue;
      squares += std::pow(relation.coefficients[k] * deviation(relation.products[k]), 2);
    }
    const double own = design_.columns[relation.target].deviation;
    return std::round(1e6 * own / std::sqrt(squares + own * own)) / 1e6;
  }

  // The features that are left, those that others are built from first. What is redundant up to
  // epsilon comes last: a walk in this order then keeps as few as it can.
  [[nodiscard]] std::vector<std::size_t> walking_order() const {
    std::vector<std::size_t> features;
    for (std::size_t j = 0; j < design_.features.size(); ++j) {
      const DesignFeature& feature = design_.features[j];
      if (feature.constant || choice_.gone(static_cast<std::uint32_t>(feature.first))) continue;
      features.push_back(j);
    }
    const auto counts = uses();
    const auto used = [&](std::size_t j) {
      const auto known = counts.find(static_cast<std::uint32_t>(design_.features[j].first));
      return known == counts.end() ? std::size_t{0} : known->second;
    };
    const auto width = [&](std::size_t j) {
      return design_.features[j].last - design_.features[j].first;
    };
    std::stable_sort(features.begin(), features.end(), [&](std::size_t a, std::size_t b) {
      return std::tuple(stays(b), used(b), width(b)) < std::tuple(stays(a), used(a), width(a));
    });
    std::vector<Bundle> bundles;
    std::vector<double> values;
    std::size_t columns = 0;
    for (const std::size_t j : features) columns += width(j);
    if (!all_together(columns)) return features;
    for (const std::size_t j : features) {
      const std::size_t first = sheet_.rows == 0 ? 0 : values.size() / sheet_.rows;
      bundles.push_back({first, first + width(j), used(j) == 0 && !stays(j)});
      values.insert(values.end(), sheet_.column(design_.features[j].first),
                    sheet_.column(design_.features[j].first) + width(j) * sheet_.rows);
    }
    std::vector<double> deviations;
    const std::vector<double> products =
        gram(sheet_.rows, standardised(sheet_, std::move(values), deviations));
    const std::vector<std::size_t> last =
        eliminated(products, bundles, settings_.epsilon, static_cast<double>(sheet_.rows));
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < features.size(); ++k) {
      if (std::find(last.begin(), last.end(), k) == last.end()) order.push_back(features[k]);
    }
    for (auto k = last.rbegin(); k != last.rend(); ++k) order.push_back(features[*k]);
    return order;
  }

  // Every relation by kept columns, where that is possible and as good.
  void finish(Discovery& found) {
    std::vector<Relation> rewritten;
    for (const auto& [target, relation] : choice_.chosen()) {
      found.removed.push_back({design_.columns[target].feature, relation, norms_[target].norm,
                               norms_[target].adjusted_norm});
      std::optional<Relation> kept = choice_.in_kept_columns(target);
      if (!kept || kept->columns() == relation.columns()) continue;
      if (lean_fit(*kept) <= settings_.epsilon) rewritten.push_back(std::move(*kept));
    }
    const auto checked = check(source_, design_, sheet_, rewritten, settings_.epsilon, progress_);
    for (std::size_t r = 0; r < rewritten.size(); ++r) {
      const auto place = std::find_if(
          found.removed.begin(), found.removed.end(),
          [&](const Removal& removal) { return removal.relation.target == rewritten[r].target; });
      if (!checked[r].holds || rewritten[r].r2 < place->relation.r2 - 0.001) continue;
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
  Sheet sheet_;
  std::vector<About> about_;
  Choice choice_;
  std::map<std::uint32_t, Checked> norms_;  // of the relations taken
  std::set<std::uint32_t> copies_;
  std::vector<Relation> found_;
  std::vector<std::string> warnings_;
};

}  // namespace

Discovery discover(const Source& source, const Design& design, const Settings& settings,
                   Progress& progress) {
  return Finder(source, design, settings, progress).run();
}

}  // namespace fsieve::relations
