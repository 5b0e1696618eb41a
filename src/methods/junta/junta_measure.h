// What subsets are ranked by.
#pragma once

namespace fsieve::inline methods {

enum class JuntaMeasure {
  product,     // score_1 of 004 eq. (8)
  correlated,  // the same with orthogonalised parities: M_n of 000 eq. (7)
  agreement    // 1 − 2 · training error of the best table
};

}  // namespace fsieve::methods
