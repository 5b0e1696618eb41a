// The loops of lead_counts.h. Chosen at run time for this CPU.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fsieve::inline bits {

// Words of a record: bit j of word k is column 8 j + k.
inline constexpr std::size_t record_words = 8;
inline constexpr std::size_t record_columns = 64 * record_words;

// 64 records, `distance` words apart, to columns: word c of `columns` has column c, a bit per
// record. The same way columns become records.
void turn_records(const std::uint64_t* records, std::size_t distance, std::size_t column_count,
                  std::uint64_t* columns);

// The records of rows, one after another.
struct RecordRows {
  const std::uint64_t* records;
  std::size_t size;  // words of each
  std::size_t rows;
};

// Which of `width` neighbouring columns (1, 2 or 4; the first a multiple of it) every row has.
void cells_of_rows(const RecordRows& rows, std::size_t column, std::size_t width,
                   std::uint8_t* cells);

// The columns of the rows of every cell but 0, a word for every 64 of them begun: word w of column
// c goes to words[w * stride + c], and cell p begins at word first[p].
void put_in_cells(const RecordRows& rows, const std::uint8_t* cells, const std::uint32_t* first,
                  std::size_t cell_count, std::size_t column_count, std::uint64_t* words,
                  std::size_t stride);

// Rows in cells: cell p has words [first[p], first[p + 1]) of every column, and the rows where the
// features of mask p, and no others of the `width` first ones, are set. Cell 0 has none.
struct LeadCells {
  std::size_t width;            // 1, 2 or 4
  const std::uint64_t* words;   // word w of column c: words[w * stride + c]
  std::size_t stride;           // vectors of columns past the last one can be read
  const std::uint64_t* labels;  // per word: the rows of the second class
  const std::uint32_t* first;
};

// For each of the `width` features q and columns c < b of [b0, b1): how often q, b and c are set
// together in the second class, less how often in the first.
struct LeadBlock {
  std::size_t b0, b1;
  const std::int32_t* const* with_q;  // of q and c, for every c; readable past the end
  const std::int32_t* with_b;         // of q and b, less the rows of the second class with q:
                                      // with_b[k * (b1 − b0) + b − b0]
  std::int32_t* leads;  // of feature k, b and c: at [(k (b1 − b0) + b − b0) width + c]
  std::size_t width;
};

void count_leads(const LeadCells& cells, const LeadBlock& block);

}  // namespace fsieve::bits
