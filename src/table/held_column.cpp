#include "table/held_column.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "table/missing_cells.h"
#include "table/whole_number.h"

namespace fsieve::io::inline table {
namespace {

bool is_valid(const NumberPiece& piece, std::size_t row) {
  const std::size_t bit = piece.first_valid + row;
  return (piece.valid[bit / 8] >> (bit % 8) & 1U) != 0;
}

std::size_t stored_row(const NumberPiece& piece, std::size_t k) {
  if (piece.stored_rows_size == sizeof(std::int32_t)) {
    return static_cast<std::size_t>(reinterpret_cast<const std::int32_t*>(piece.stored_rows)[k]);
  }
  return static_cast<std::size_t>(reinterpret_cast<const std::int64_t*>(piece.stored_rows)[k]);
}

// The first stored value of a row that is `row` or comes after it.
std::size_t stored_from(const NumberPiece& piece, std::size_t row) {
  std::size_t low = 0;
  std::size_t high = piece.stored;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (stored_row(piece, middle) < row) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void sparse_values(const NumberPiece& piece, std::size_t first, std::size_t count, double* out) {
  std::fill_n(out, count, 0.0);
  const auto convert = number_converter(piece.kind, piece.item_size);
  for (std::size_t k = stored_from(piece, first); k < piece.stored; ++k) {
    const std::size_t row = stored_row(piece, k);
    if (row >= first + count) return;
    convert(piece.first + static_cast<std::ptrdiff_t>(k) * piece.step, piece.step, piece.swapped,
            out + (row - first), 1);
  }
}

void piece_values(const NumberPiece& piece, std::size_t first, std::size_t count, double* out) {
  if (piece.stored_rows != nullptr) return sparse_values(piece, first, count, out);
  const char* const from = piece.first + static_cast<std::ptrdiff_t>(first) * piece.step;
  number_converter(piece.kind, piece.item_size)(from, piece.step, piece.swapped, out, count);
  if (piece.valid == nullptr) return;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_valid(piece, first + i)) out[i] = missing_value;
  }
}

// Infinities and NaN are the numbers whose exponent is all ones; adding one to it then reaches the
// sign bit. Written this way it runs at the speed of memory.
bool all_finite(const double* values, std::size_t count) {
  constexpr std::uint64_t exponent = 0x7FF0000000000000U;
  constexpr std::uint64_t one = 0x0010000000000000U;
  std::uint64_t carried = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, values + i, sizeof bits);
    carried |= (bits & exponent) + one;
  }
  return (carried >> 63U) == 0;
}

bool has_doubles(const NumberPiece& piece) {
  return piece.stored_rows == nullptr && piece.kind == 'f' && piece.item_size == sizeof(double) &&
         !piece.swapped && reinterpret_cast<std::uintptr_t>(piece.first) % alignof(double) == 0;
}

bool is_plain(const NumberPiece& piece) {
  return has_doubles(piece) && piece.step == static_cast<std::ptrdiff_t>(sizeof(double));
}

bool sparse_finite(const NumberPiece& piece, std::size_t first, std::size_t count) {
  const auto convert = number_converter(piece.kind, piece.item_size);
  const std::size_t end = stored_from(piece, first + count);
  for (std::size_t k = stored_from(piece, first); k < end; ++k) {
    double value = 0;
    convert(piece.first + static_cast<std::ptrdiff_t>(k) * piece.step, piece.step, piece.swapped,
            &value, 1);
    if (!std::isfinite(value)) return false;
  }
  return true;
}

bool piece_finite(const NumberPiece& piece, std::size_t first, std::size_t count) {
  if (piece.kind != 'f' && piece.valid == nullptr) return true;
  if (piece.stored_rows != nullptr) return sparse_finite(piece, first, count);
  if (is_plain(piece) && piece.valid == nullptr) {
    return all_finite(reinterpret_cast<const double*>(piece.first) + first, count);
  }
  std::array<double, 1024> some;
  for (std::size_t done = 0; done < count; done += some.size()) {
    const std::size_t rows = std::min(some.size(), count - done);
    piece_values(piece, first + done, rows, some.data());
    if (!all_finite(some.data(), rows)) return false;
  }
  return true;
}

}  // namespace

NumberColumn::NumberColumn(std::vector<NumberPiece> pieces, std::shared_ptr<const void> owner)
    : pieces_(std::move(pieces)), owner_(std::move(owner)) {
  for (const NumberPiece& piece : pieces_) {
    rows_ += piece.rows;
    wide_whole_ = wide_whole_ || (piece.kind != 'f' && piece.item_size == sizeof(double));
  }
}

template <typename Work>
void NumberColumn::for_rows(std::size_t first, std::size_t count, const Work& work) const {
  for (const NumberPiece& piece : pieces_) {
    if (count == 0) return;
    if (first >= piece.rows) {
      first -= piece.rows;
      continue;
    }
    const std::size_t here = std::min(count, piece.rows - first);
    work(piece, first, here);
    count -= here;
    first = 0;
  }
}

void NumberColumn::read(std::size_t first, std::size_t count, Cells& cells) const {
  cells.is_text = false;
  cells.numbers.resize(count);
  values(first, count, cells.numbers.data());
  cells.beyond_exact =
      wide_whole_ && std::any_of(cells.numbers.begin(), cells.numbers.end(), is_beyond_exact);
}

void NumberColumn::values(std::size_t first, std::size_t count, double* out) const {
  for_rows(first, count, [&](const NumberPiece& piece, std::size_t row, std::size_t rows) {
    piece_values(piece, row, rows, out);
    out += rows;
  });
}

void NumberColumn::values(std::span<const std::size_t> rows, double* out) const {
  if (rows.empty()) return;
  std::vector<double> all(rows.back() - rows.front() + 1);
  values(rows.front(), all.size(), all.data());
  for (std::size_t i = 0; i < rows.size(); ++i) out[i] = all[rows[i] - rows.front()];
}

bool NumberColumn::finite(std::size_t first, std::size_t count) const {
  bool all = true;
  for_rows(first, count, [&](const NumberPiece& piece, std::size_t row, std::size_t rows) {
    all = all && piece_finite(piece, row, rows);
  });
  return all;
}

bool NumberColumn::beyond_exact() const {
  if (!wide_whole_) return false;
  constexpr std::size_t step = 4096;
  Cells cells;
  for (std::size_t row = 0; row < rows_; row += step) {
    read(row, std::min(step, rows_ - row), cells);
    if (cells.beyond_exact) return true;
  }
  return false;
}

bool NumberColumn::rounds_to_one() const {
  if (!wide_whole_ || rows_ == 0) return false;
  std::array<double, 1024> some;
  values(0, 1, some.data());
  const double first = some[0];
  if (!is_beyond_exact(first)) return false;
  for (std::size_t row = 0; row < rows_; row += some.size()) {
    const std::size_t count = std::min(some.size(), rows_ - row);
    values(row, count, some.data());
    if (std::any_of(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count),
                    [&](double value) { return value != first; })) {
      return false;
    }
  }
  return true;
}

const double* NumberColumn::plain() const {
  const bool one = pieces_.size() == 1 && is_plain(pieces_[0]) && pieces_[0].valid == nullptr;
  return one ? reinterpret_cast<const double*>(pieces_[0].first) : nullptr;
}

NumberColumn::Spaced NumberColumn::spaced() const {
  if (pieces_.size() != 1 || !has_doubles(pieces_[0]) || pieces_[0].valid != nullptr) return {};
  const std::ptrdiff_t step = pieces_[0].step;
  if (step <= 0 || step % static_cast<std::ptrdiff_t>(sizeof(double)) != 0) return {};
  return {reinterpret_cast<const double*>(pieces_[0].first),
          static_cast<std::size_t>(step) / sizeof(double)};
}

bool NumberColumn::interleaved() const {
  return std::any_of(pieces_.begin(), pieces_.end(), [](const NumberPiece& piece) {
    return piece.step != static_cast<std::ptrdiff_t>(piece.item_size);
  });
}

TextColumn::TextColumn(std::vector<std::int32_t> codes, std::vector<std::string> texts)
    : codes_(std::move(codes)) {
  constexpr std::int32_t unused = -1;
  std::vector<std::int32_t> positions(texts.size(), unused);
  for (std::int32_t& code : codes_) {
    if (code == Cells::kNull) continue;
    std::int32_t& position = positions[static_cast<std::size_t>(code)];
    if (position == unused) {
      position = static_cast<std::int32_t>(texts_.size());
      texts_.push_back(std::move(texts[static_cast<std::size_t>(code)]));
    }
    code = position;
  }
}

void TextColumn::read(std::size_t first, std::size_t count, Cells& cells) const {
  cells.is_text = true;
  const auto begin = codes_.begin() + static_cast<std::ptrdiff_t>(first);
  cells.codes.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
  cells.texts = texts_;
}

}  // namespace fsieve::io::table
