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

#include "base/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace fsieve::inline bits::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using LeadWords = hn::CappedTag<std::uint64_t, record_words>;
using LeadVector = hn::Vec<LeadWords>;

// Swaps the high half of each 2·kStep bits of one vector with the low half of those kStep further
// on: six such steps turn 64 × 64 bits. Where no column in the high halves is wanted, half of the
// vectors are done with.
template <int kStep>
HWY_INLINE std::size_t SwapHalves(LeadWords tag, std::uint64_t* at, std::size_t vectors,
                                  std::size_t columns) {
  const std::size_t lanes = hn::Lanes(tag);
  const LeadVector halves = hn::Set(tag, ~std::uint64_t{0} / ((std::uint64_t{1} << kStep) + 1));
  if (columns <= kStep) {
    for (std::size_t k = 0; k < kStep; ++k) {
      std::uint64_t* low = at + k * lanes;
      const LeadVector high = hn::And(hn::Load(tag, low + kStep * lanes), halves);
      hn::Store(hn::Or(hn::And(hn::Load(tag, low), halves), hn::ShiftLeft<kStep>(high)), tag, low);
    }
    return kStep;
  }
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

// record(i): where the i-th of 64 records begins.
template <class Record>
HWY_INLINE void Turn(const Record& record, std::size_t column_count, std::uint64_t* columns,
                     std::size_t block_distance) {
  const LeadWords tag;
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t planes = (column_count + record_words - 1) / record_words;
  HWY_ALIGN std::uint64_t turned[64 * hn::MaxLanes(tag)];
  for (std::size_t lane = 0; lane < record_words; lane += lanes) {
    for (std::size_t i = 0; i < 64; ++i) {
      hn::Store(hn::LoadU(tag, record(i) + lane), tag, turned + i * lanes);
    }
    std::size_t vectors = SwapHalves<32>(tag, turned, 64, planes);
    vectors = SwapHalves<16>(tag, turned, vectors, planes);
    vectors = SwapHalves<8>(tag, turned, vectors, planes);
    vectors = SwapHalves<4>(tag, turned, vectors, planes);
    vectors = SwapHalves<2>(tag, turned, vectors, planes);
    SwapHalves<1>(tag, turned, vectors, planes);
    for (std::size_t j = 0; j < planes; ++j) {
      hn::StoreU(hn::Load(tag, turned + j * lanes), tag, columns + j * block_distance + lane);
    }
  }
}

void TurnRecords(const std::uint64_t* records, std::size_t distance, std::size_t column_count,
                 std::uint64_t* columns, std::size_t block_distance) {
  Turn([&](std::size_t i) { return records + i * distance; }, column_count, columns,
       block_distance);
}

void CellsOfRows(const std::uint64_t* const* columns, std::size_t width, std::size_t words,
                 std::uint8_t* cells) {
  const hn::CappedTag<std::uint8_t, 64> tag;
  const std::size_t lanes = hn::Lanes(tag);
  for (std::size_t w = 0; w < words; ++w) {
    for (std::size_t row = 0; row < 64; row += lanes) {
      auto cell = hn::Zero(tag);
      for (std::size_t k = 0; k < width; ++k) {
        const std::uint64_t here = columns[k][w] >> row;
        const auto set = hn::LoadMaskBits(tag, reinterpret_cast<const std::uint8_t*>(&here));
        const auto bit = hn::Set(tag, static_cast<std::uint8_t>(1U << k));
        cell = hn::Or(cell, hn::IfThenElseZero(set, bit));
      }
      hn::StoreU(cell, tag, cells + 64 * w + row);
    }
  }
}

void CountCells(const std::uint8_t* cells, std::size_t rows, std::size_t cell_count,
                std::size_t* counts) {
  const hn::CappedTag<std::uint8_t, 64> tag;
  std::fill_n(counts, cell_count, 0);
  for (std::size_t i = 0; i < rows; i += hn::Lanes(tag)) {
    const auto cell = hn::LoadU(tag, cells + i);
    for (std::size_t p = 1; p < cell_count; ++p) {
      counts[p] += hn::CountTrue(tag, hn::Eq(cell, hn::Set(tag, static_cast<std::uint8_t>(p))));
    }
  }
}

void PutRows(const RecordRows& rows, const std::uint32_t* numbers, std::size_t count,
             std::size_t column_count, const ColumnBlocks& to) {
  static constexpr std::uint64_t none[record_words] = {};
  for (std::size_t begin = 0; begin < count; begin += 64) {
    const std::uint32_t* some = numbers + begin;
    const std::size_t end = std::min<std::size_t>(64, count - begin);
    std::uint64_t* word = to.words + begin / 64 * record_words;
    for (std::size_t c = 0; c < column_count; c += record_columns) {
      const std::uint64_t* from = rows.records + c / 64;
      const std::size_t columns = std::min(record_columns, column_count - c);
      std::uint64_t* place = word + c / record_words * to.distance;
      const auto record = [&](std::size_t i) { return from + some[i] * rows.size; };
      if (end == 64) {
        Turn(record, columns, place, to.distance);
      } else {
        Turn([&](std::size_t i) { return i < end ? record(i) : none; }, columns, place,
             to.distance);
      }
    }
  }
}

void MaskColumns(const std::uint64_t* from, const std::uint64_t* masks, std::size_t words,
                 std::size_t column_count, const ColumnBlocks& to) {
  const LeadWords tag;
  for (std::size_t c = 0; c < column_count; c += record_words) {
    const std::uint64_t* in = from + c / record_words * to.distance;
    std::uint64_t* out = to.words + c / record_words * to.distance;
    for (std::size_t w = 0; w < words; ++w) {
      for (std::size_t lane = 0; lane < record_words; lane += hn::Lanes(tag)) {
        const std::size_t at = w * record_words + lane;
        hn::StoreU(hn::And(hn::LoadU(tag, in + at), hn::Set(tag, masks[w])), tag, out + at);
      }
    }
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

// As many b as there are registers for their sums.
constexpr std::size_t kAbreast = HWY_TARGET <= HWY_AVX3 ? 8 : 4;

// A few neighbouring b and a vector of c. Every row of a cell is counted once for all features that
// the cell has; what is counted of a cell stays in registers, and the words of eight b and one
// vector of c in the first cache. Sums of b from the end of the block on are not used.
template <std::size_t kWidth>
HWY_INLINE void CountAbreast(const LeadCells& cells, const LeadBlock& block, std::size_t b,
                             std::size_t c) {
  const LeadWords tag;
  LeadVector sums[kWidth][kAbreast];
  for (auto& of_feature : sums) {
    for (LeadVector& sum : of_feature) sum = hn::Zero(tag);
  }
  const std::uint64_t* const of_b =
      cells.columns.words + b / record_words * cells.columns.distance + b % record_words;
  const std::uint64_t* const of_c =
      cells.columns.words + c / record_words * cells.columns.distance + c % record_words;
  for (std::size_t cell = 1; cell < std::size_t{1} << kWidth; ++cell) {
    std::size_t w = cells.first[cell];
    const std::size_t end = cells.first[cell + 1];
    if (w == end) continue;
    LeadVector counts[kAbreast];
    for (LeadVector& count : counts) count = hn::Zero(tag);
    do {
      const LeadVector word = hn::LoadU(tag, of_c + w * record_words);
      const LeadVector x = hn::Xor(word, hn::Set(tag, cells.labels[w]));
      const std::uint64_t* other = of_b + w * record_words;
      for (std::size_t i = 0; i < kAbreast; ++i) {
        const LeadVector odd = hn::Xor(x, hn::Set(tag, other[i]));
        counts[i] = hn::Add(counts[i], hn::PopulationCount(odd));
      }
    } while (++w < end);
    for (std::size_t k = 0; k < kWidth; ++k) {
      if ((cell >> k & 1U) == 0) continue;
      for (std::size_t i = 0; i < kAbreast; ++i) sums[k][i] = hn::Add(sums[k][i], counts[i]);
    }
  }
  const std::size_t rows = block.b1 - block.b0;
  const std::size_t here = std::min(kAbreast, block.b1 - b);
  for (std::size_t k = 0; k < kWidth; ++k) {
    const std::int32_t* const with_c = block.with_q[k] + c;
    const std::int32_t* const with_b = block.with_b + k * rows + b - block.b0;
    std::int32_t* out = block.leads + (k * rows + b - block.b0) * block.width + c;
    for (std::size_t i = 0; i < kAbreast; ++i, out += block.width) {
      if (i < here) StoreLeads(sums[k][i], with_c, with_b[i], out);
    }
  }
}

template <std::size_t kWidth>
void CountBlock(const LeadCells& cells, const LeadBlock& block) {
  for (std::size_t c = 0; c + 1 < block.b1; c += hn::Lanes(LeadWords())) {
    for (std::size_t b = block.b0; b < block.b1; b += kAbreast) {
      if (c < std::min(b + kAbreast, block.b1) - 1) CountAbreast<kWidth>(cells, block, b, c);
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
HWY_EXPORT(CountCells);
HWY_EXPORT(PutRows);
HWY_EXPORT(MaskColumns);
HWY_EXPORT(CountLeads);

void turn_records(const std::uint64_t* records, std::size_t distance, std::size_t column_count,
                  std::uint64_t* columns, std::size_t block_distance) {
  FSIEVE_DISPATCH(TurnRecords)(records, distance, column_count, columns, block_distance);
}

void cells_of_rows(const std::uint64_t* const* columns, std::size_t width, std::size_t words,
                   std::uint8_t* cells) {
  FSIEVE_DISPATCH(CellsOfRows)(columns, width, words, cells);
}

void count_cells(const std::uint8_t* cells, std::size_t rows, std::size_t cell_count,
                 std::size_t* counts) {
  FSIEVE_DISPATCH(CountCells)(cells, rows, cell_count, counts);
}

void put_rows(const RecordRows& rows, const std::uint32_t* numbers, std::size_t count,
              std::size_t column_count, const ColumnBlocks& to) {
  FSIEVE_DISPATCH(PutRows)(rows, numbers, count, column_count, to);
}

void mask_columns(const std::uint64_t* from, const std::uint64_t* masks, std::size_t words,
                  std::size_t column_count, const ColumnBlocks& to) {
  FSIEVE_DISPATCH(MaskColumns)(from, masks, words, column_count, to);
}

void count_leads(const LeadCells& cells, const LeadBlock& block) {
  FSIEVE_DISPATCH(CountLeads)(cells, block);
}

}  // namespace fsieve::bits
#endif
