#include "bits/lead_kernel.h"

#define HWY_WANT_AVX3_DL 1  // as and_count.cpp asks for
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
// Arrays of vectors need a known size

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bits/lead_kernel.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace fsieve::inline bits::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using LeadWords = hn::CappedTag<std::uint64_t, record_words>;
using LeadVector = hn::Vec<LeadWords>;

// Swaps the high half of each 2·kStep bits of one vector with the low half of those kStep further
// on: six such steps turn 64 × 64 bits. Where no column has bits in the high halves, half of the
// vectors are done with.
template <int kStep>
HWY_INLINE std::size_t SwapHalves(LeadWords tag, std::uint64_t* at, std::size_t vectors,
                                  std::size_t columns) {
  const std::size_t lanes = hn::Lanes(tag);
  if (columns <= kStep) {
    for (std::size_t k = 0; k < kStep; ++k) {
      std::uint64_t* low = at + k * lanes;
      const LeadVector high = hn::ShiftLeft<kStep>(hn::Load(tag, low + kStep * lanes));
      hn::Store(hn::Or(hn::Load(tag, low), high), tag, low);
    }
    return kStep;
  }
  const LeadVector halves = hn::Set(tag, ~std::uint64_t{0} / ((std::uint64_t{1} << kStep) + 1));
  for (std::size_t first = 0; first < vectors; first += 2 * kStep) {
    for (std::size_t k = first; k < first + kStep; ++k) {
      std::uint64_t* low = at + k * lanes;
      std::uint64_t* high = low + kStep * lanes;
      const LeadVector a = hn::Load(tag, low);
      const LeadVector b = hn::Load(tag, high);
      const LeadVector differ = hn::And(hn::Xor(hn::ShiftRight<kStep>(a), b), halves);
      hn::Store(hn::Xor(a, hn::ShiftLeft<kStep>(differ)), tag, low);
      hn::Store(hn::Xor(b, differ), tag, high);
    }
  }
  return vectors;
}

void TurnRecords(const std::uint64_t* records, std::size_t distance, std::size_t column_count,
                 std::uint64_t* columns) {
  const LeadWords tag;
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t planes = (column_count + record_words - 1) / record_words;
  HWY_ALIGN std::uint64_t turned[64 * hn::MaxLanes(tag)];
  for (std::size_t lane = 0; lane < record_words; lane += lanes) {
    for (std::size_t i = 0; i < 64; ++i) {
      hn::Store(hn::LoadU(tag, records + i * distance + lane), tag, turned + i * lanes);
    }
    std::size_t vectors = SwapHalves<32>(tag, turned, 64, planes);
    vectors = SwapHalves<16>(tag, turned, vectors, planes);
    vectors = SwapHalves<8>(tag, turned, vectors, planes);
    vectors = SwapHalves<4>(tag, turned, vectors, planes);
    vectors = SwapHalves<2>(tag, turned, vectors, planes);
    SwapHalves<1>(tag, turned, vectors, planes);
    for (std::size_t j = 0; j < planes; ++j) {
      hn::StoreU(hn::Load(tag, turned + j * lanes), tag, columns + j * record_words + lane);
    }
  }
}

template <std::size_t kWidth>
void CellsOf(const RecordRows& rows, std::size_t word, std::size_t bit, std::uint8_t* cells) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const std::uint64_t* from = rows.records + i * rows.size + word;
    std::uint64_t cell = 0;
    for (std::size_t k = 0; k < kWidth; ++k) cell |= (from[k] >> bit & 1U) << k;
    cells[i] = static_cast<std::uint8_t>(cell);
  }
}

void CellsOfRows(const RecordRows& rows, std::size_t column, std::size_t width,
                 std::uint8_t* cells) {
  const std::size_t word = column / record_columns * record_words + column % record_words;
  const std::size_t bit = column % record_columns / record_words;
  if (width == 1) return CellsOf<1>(rows, word, bit, cells);
  if (width == 2) return CellsOf<2>(rows, word, bit, cells);
  CellsOf<4>(rows, word, bit, cells);
}

// Rows wait in the places of their cells until there are 64 of them.
void PutInCells(const RecordRows& rows, const std::uint8_t* cells, const std::uint32_t* first,
                std::size_t cell_count, std::size_t column_count, std::uint64_t* words,
                std::size_t stride) {
  const LeadWords tag;
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t room = 64 * rows.size;
  std::vector<std::uint64_t> waiting(cell_count * room);
  std::array<std::size_t, 16> next{};
  const auto turn = [&](std::size_t cell) HWY_ATTR {
    std::uint64_t* to = words + (first[cell] + (next[cell] - 1) / 64) * stride;
    for (std::size_t c = 0; c < column_count; c += record_columns) {
      TurnRecords(waiting.data() + cell * room + c / 64, rows.size,
                  std::min(record_columns, column_count - c), to + c);
    }
  };
  const std::uint64_t* from = rows.records;
  for (std::size_t i = 0; i < rows.rows; ++i, from += rows.size) {
    const std::size_t cell = cells[i];
    std::uint64_t* to = waiting.data() + cell * room + next[cell] % 64 * rows.size;
    for (std::size_t k = 0; k < rows.size; k += lanes) {
      hn::StoreU(hn::LoadU(tag, from + k), tag, to + k);
    }
    if (++next[cell] % 64 == 0 && cell > 0) turn(cell);
  }
  for (std::size_t cell = 1; cell < cell_count; ++cell) {
    const std::size_t rest = next[cell] % 64;
    if (rest == 0) continue;
    std::fill_n(waiting.begin() + cell * room + rest * rows.size, (64 - rest) * rows.size, 0);
    turn(cell);
  }
}

// For rows with q the signs of label, b and c (+1 where set) multiply to Σ = 2 P − rows, P being
// how often an odd number of them is set; and Σ is 4 times the lead of b and c, less twice that of
// b, less twice that of c, plus that of all rows with q.
HWY_INLINE void StoreLeads(LeadVector odd, const std::int32_t* with_c, std::int32_t with_b,
                           std::int32_t* out) {
  const hn::Rebind<std::uint32_t, LeadWords> narrow;
  const hn::Rebind<std::int32_t, LeadWords> ints;
  const auto sum = hn::BitCast(ints, hn::TruncateTo(narrow, odd));
  const auto twice = hn::Add(hn::Add(sum, hn::LoadU(ints, with_c)), hn::Set(ints, with_b));
  hn::StoreU(hn::ShiftRight<1>(twice), ints, out);
}

// Four b and a vector of c. Every row of a cell is counted once for all features that the cell has;
// sums stay in registers, and the words of eight b and one vector of c in the first cache.
template <std::size_t kWidth>
HWY_INLINE void CountFour(const LeadCells& cells, const LeadBlock& block, const std::size_t (&b)[4],
                          std::size_t c) {
  const LeadWords tag;
  const LeadVector zero = hn::Zero(tag);
  LeadVector sums[kWidth][4];
  for (auto& of_feature : sums) {
    for (LeadVector& sum : of_feature) sum = zero;
  }
  for (std::size_t cell = 1; cell < std::size_t{1} << kWidth; ++cell) {
    LeadVector s0 = zero, s1 = zero, s2 = zero, s3 = zero;
    const std::uint64_t* end = cells.words + cells.first[cell + 1] * cells.stride;
    const std::uint64_t* label = cells.labels + cells.first[cell];
    for (const std::uint64_t* word = cells.words + cells.first[cell] * cells.stride; word != end;
         word += cells.stride) {
      const LeadVector x = hn::Xor(hn::LoadU(tag, word + c), hn::Set(tag, *label++));
      s0 = hn::Add(s0, hn::PopulationCount(hn::Xor(x, hn::Set(tag, word[b[0]]))));
      s1 = hn::Add(s1, hn::PopulationCount(hn::Xor(x, hn::Set(tag, word[b[1]]))));
      s2 = hn::Add(s2, hn::PopulationCount(hn::Xor(x, hn::Set(tag, word[b[2]]))));
      s3 = hn::Add(s3, hn::PopulationCount(hn::Xor(x, hn::Set(tag, word[b[3]]))));
    }
    for (std::size_t k = 0; k < kWidth; ++k) {
      if ((cell >> k & 1U) == 0) continue;
      sums[k][0] = hn::Add(sums[k][0], s0);
      sums[k][1] = hn::Add(sums[k][1], s1);
      sums[k][2] = hn::Add(sums[k][2], s2);
      sums[k][3] = hn::Add(sums[k][3], s3);
    }
  }
  for (std::size_t k = 0; k < kWidth; ++k) {
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t row = k * (block.b1 - block.b0) + b[i] - block.b0;
      StoreLeads(sums[k][i], block.with_q[k] + c, block.with_b[row],
                 block.leads + row * block.width + c);
    }
  }
}

template <std::size_t kWidth>
void CountBlock(const LeadCells& cells, const LeadBlock& block) {
  const std::size_t last = block.b1 - 1;
  for (std::size_t c = 0; c < last; c += hn::Lanes(LeadWords())) {
    for (std::size_t b = block.b0; b < block.b1; b += 4) {
      if (c >= std::min(b + 3, last)) continue;
      CountFour<kWidth>(cells, block,
                        {b, std::min(b + 1, last), std::min(b + 2, last), std::min(b + 3, last)},
                        c);
    }
  }
}

void CountLeads(const LeadCells& cells, const LeadBlock& block) {
  if (cells.width == 1) return CountBlock<1>(cells, block);
  if (cells.width == 2) return CountBlock<2>(cells, block);
  CountBlock<4>(cells, block);
}

}  // namespace fsieve::bits::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::inline bits {

HWY_EXPORT(TurnRecords);
HWY_EXPORT(CellsOfRows);
HWY_EXPORT(PutInCells);
HWY_EXPORT(CountLeads);

void turn_records(const std::uint64_t* records, std::size_t distance, std::size_t column_count,
                  std::uint64_t* columns) {
  FSIEVE_DISPATCH(TurnRecords)(records, distance, column_count, columns);
}

void cells_of_rows(const RecordRows& rows, std::size_t column, std::size_t width,
                   std::uint8_t* cells) {
  FSIEVE_DISPATCH(CellsOfRows)(rows, column, width, cells);
}

void put_in_cells(const RecordRows& rows, const std::uint8_t* cells, const std::uint32_t* first,
                  std::size_t cell_count, std::size_t column_count, std::uint64_t* words,
                  std::size_t stride) {
  FSIEVE_DISPATCH(PutInCells)(rows, cells, first, cell_count, column_count, words, stride);
}

void count_leads(const LeadCells& cells, const LeadBlock& block) {
  FSIEVE_DISPATCH(CountLeads)(cells, block);
}

}  // namespace fsieve::bits
#endif
