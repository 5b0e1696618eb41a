#include "relations/signs.h"

#include <algorithm>
#include <utility>

#include "relations/tableau.h"

namespace fsieve::relations {
namespace {

// Chance puts a column into the span of m others with odds of 2^(m − rows).
constexpr std::size_t spare_rows = 40;
constexpr double most_sign_work = 2e7;

using Flags = std::vector<char>;

void add(SignBits& into, const SignBits& from) {
  for (std::size_t w = 0; w < into.size(); ++w) into[w] ^= from[w];
}

// The others, each as a set of columns of the basis.
struct SignTableau {
  std::vector<std::size_t> basis;
  std::vector<std::size_t> others;
  std::vector<Flags> sets;
};

// One column after another, reduced by those before it (and by the constant).
SignTableau eliminate(const std::vector<SignBits>& columns, std::size_t rows) {
  struct Pivot {
    SignBits bits;
    Flags set;  // of columns
    std::size_t word;
    std::uint64_t mask;
  };
  std::vector<Pivot> pivots;
  SignTableau tableau;
  std::vector<Flags> dependent;
  const auto enter = [&](SignBits bits, Flags set) {
    for (const Pivot& pivot : pivots) {
      if ((bits[pivot.word] & pivot.mask) == 0) continue;
      add(bits, pivot.bits);
      for (std::size_t c = 0; c < set.size(); ++c) set[c] = set[c] != pivot.set[c] ? 1 : 0;
    }
    const auto word = std::find_if(bits.begin(), bits.end(), [](auto bit) { return bit != 0; });
    if (word == bits.end()) return std::pair{false, set};
    const std::uint64_t lowest = *word & (~*word + 1);
    const auto place = static_cast<std::size_t>(word - bits.begin());
    pivots.push_back({std::move(bits), set, place, lowest});
    return std::pair{true, set};
  };
  SignBits ones((rows + 63) / 64, ~std::uint64_t{0});
  if (rows % 64 != 0) ones.back() = (std::uint64_t{1} << (rows % 64)) - 1;
  enter(std::move(ones), Flags(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    Flags own(columns.size());
    own[j] = 1;
    const auto [independent, set] = enter(columns[j], own);
    if (independent) {
      tableau.basis.push_back(j);
    } else {
      tableau.others.push_back(j);
      dependent.push_back(set);
    }
  }
  for (std::size_t o = 0; o < tableau.others.size(); ++o) {
    Flags& set = tableau.sets.emplace_back();
    for (const std::size_t b : tableau.basis) set.push_back(dependent[o][b]);
  }
  return tableau;
}

double value(const SignTableau& tableau) {
  double sum = 0;
  for (std::size_t o = 0; o < tableau.others.size(); ++o) {
    bool out_of_place = false;
    for (std::size_t b = 0; b < tableau.basis.size(); ++b) {
      if (tableau.sets[o][b] == 0) continue;
      sum += 1;
      if (tableau.basis[b] > tableau.others[o]) out_of_place = true;
    }
    if (out_of_place) sum += misplaced;
  }
  return sum;
}

SignTableau exchanged(const SignTableau& tableau, std::size_t b, std::size_t o) {
  SignTableau next = tableau;
  std::swap(next.basis[b], next.others[o]);
  const Flags& entering = tableau.sets[o];
  for (std::size_t c = 0; c < next.others.size(); ++c) {
    if (c == o || tableau.sets[c][b] == 0) continue;
    for (std::size_t i = 0; i < entering.size(); ++i) {
      if (i != b) next.sets[c][i] = next.sets[c][i] != entering[i] ? 1 : 0;
    }
  }
  return next;
}

void simplify(SignTableau& tableau) {
  double now = value(tableau);
  const auto size =
      static_cast<double>(tableau.basis.size()) * static_cast<double>(tableau.others.size());
  for (double work = 0;;) {
    SignTableau best;
    double best_value = now - 1e-9;
    for (std::size_t o = 0; o < tableau.others.size(); ++o) {
      for (std::size_t b = 0; b < tableau.basis.size(); ++b) {
        if (tableau.sets[o][b] == 0) continue;
        work += size;
        if (work > most_sign_work) return;
        SignTableau next = exchanged(tableau, b, o);
        const double next_value = value(next);
        if (next_value >= best_value) continue;
        best_value = next_value;
        best = std::move(next);
      }
    }
    if (best.basis.empty()) return;
    tableau = std::move(best);
    now = best_value;
  }
}

}  // namespace

std::vector<SignRelation> sign_relations(const std::vector<SignBits>& columns, std::size_t rows) {
  if (columns.size() < 3 || rows < columns.size() + spare_rows) return {};
  SignTableau tableau = eliminate(columns, rows);
  if (tableau.others.empty()) return {};
  simplify(tableau);
  std::vector<SignRelation> relations;
  for (std::size_t o = 0; o < tableau.others.size(); ++o) {
    SignRelation relation{tableau.others[o], {}};
    for (std::size_t b = 0; b < tableau.basis.size(); ++b) {
      if (tableau.sets[o][b] != 0) relation.factors.push_back(tableau.basis[b]);
    }
    relations.push_back(std::move(relation));
  }
  return relations;
}

}  // namespace fsieve::relations
