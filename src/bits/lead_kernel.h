// The loops of lead_counts.h. Chosen at run time for this CPU.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fsieve::inline bits {

// Words of a record: bit j of word k is column 8 j + k.
inline constexpr std::size_t record_words = 8;
inline constexpr std::size_t record_columns = 64 * record_words;

// 64 records, `distance` words apart, to columns: a word per column, a bit per record; the words of
// columns 8 j to 8 j + 7 begin at columns[j * block_distance]. The same way columns become records.
void turn_records(const std::uint64_t* records, std::size_t distance, std::size_t column_count,
                  std::uint64_t* columns, std::size_t block_distance);

// Which of `width` columns of bits (4 at most) every row has: a byte for each of the 64 rows of
// every word.
void cells_of_rows(const std::uint64_t* const* columns, std::size_t width, std::size_t words,
                   std::uint8_t* cells);

// How many of the rows are in each cell but 0. `rows` is a multiple of 64.
void count_cells(const std::uint8_t* cells, std::size_t rows, std::size_t cell_count,
                 std::size_t* counts);

// Columns of bits in blocks of eight, whose words lie side by side: word w of column c is
// words[c / 8 * distance + 8 w + c % 8].
struct ColumnBlocks {
  std::uint64_t* words;
  std::size_t distance;
};

// The records of rows, one after another.
struct RecordRows {
  const std::uint64_t* records;
  std::size_t size;  // words of each
};

// The first `column_count` columns of `count` rows with these numbers, a word for every 64 of them
// begun.
void put_rows(const RecordRows& rows, const std::uint32_t* numbers, std::size_t count,
              std::size_t column_count, const ColumnBlocks& to);

// What masks leave of the first columns, a mask for every word. `from`: laid out as `to` is.
void mask_columns(const std::uint64_t* from, const std::uint64_t* masks, std::size_t words,
                  std::size_t column_count, const ColumnBlocks& to);

// Rows in cells: cell p has words [first[p], first[p + 1]) of every column, and the rows where the
// features of mask p, and no others of the `width` first ones, are set. Cell 0 has none.
struct LeadCells {
  std::size_t width;  // 1, 2 or 4
  ColumnBlocks columns;
  const std::uint64_t* labels;  // per word: the rows of the second class
  const std::uint32_t* first;
};

// For each of the `width` features q and columns c < b of [b0, b1), which are all in one block of
// columns: how often q, b and c are set
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
