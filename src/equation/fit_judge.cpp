#include "equation/fit_judge.h"

#include <algorithm>

#include "equation/confirmation.h"
#include "equation/held_out.h"
#include "equation/held_out_parts.h"

namespace fsieve::inline equation {
namespace {

// Rows that say well enough where the bulk of the values lies.
constexpr std::size_t sheet_rows = 4096;
constexpr std::size_t sheet_values = std::size_t{1} << 24U;

Claim claim_of(std::size_t target, const Fit& fit) {
  Claim claim;
  claim.target = static_cast<std::uint32_t>(target);
  for (const FittedTerm& term : fit.terms) {
    PowerProduct& product = claim.products.emplace_back();
    for (const std::uint32_t column : term.product) {
      if (!product.empty() && product.back().column == column) {
        product.back().power += 1;
      } else {
        product.push_back({column, 1});
      }
    }
    claim.coefficients.push_back(term.coefficient);
  }
  return claim;
}

}  // namespace

std::vector<HeldOutFit> FitJudge::judge(const std::vector<std::size_t>& targets,
                                        std::vector<Fit>& fits) {
  if (fits.empty()) return {};
  const Source& source = products_.source();
  const Design& design = products_.design();
  if (products_.parts() != nullptr) {
    return held_out_parts(*products_.parts(), design, targets, fits);
  }
  if (!sheet_) {
    const std::size_t columns = std::max<std::size_t>(design.columns.size(), 1);
    sheet_ = std::make_unique<Sheet>(
        read_sheet(source, design, std::min(sheet_rows, sheet_values / columns), progress_));
  }
  std::vector<Claim> claims;
  for (std::size_t t = 0; t < fits.size(); ++t) claims.push_back(claim_of(targets[t], fits[t]));
  std::vector<HeldOutFit> results = held_out(source, design, *sheet_, claims, progress_);
  for (std::size_t t = 0; t < fits.size(); ++t) {
    for (std::size_t k = 0; k < fits[t].terms.size(); ++k) {
      fits[t].terms[k].coefficient = claims[t].coefficients[k];
    }
    fits[t].r2_fit = 1 - results[t].left;
    fits[t].left_out = results[t].left_out;
    fits[t].r2 = promised_r2(results[t], design.weight);
  }
  return results;
}

}  // namespace fsieve::equation
