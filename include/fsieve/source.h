// Tables as fsieve sees them: named columns, and rows that come in blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fsieve {

enum class ColumnKind { numeric, categorical };

struct Column {
  std::string name;
  std::size_t index = 0;  // zero-based position in the input
  ColumnKind kind = ColumnKind::numeric;
  std::vector<std::string> levels;  // categorical only: the distinct values in byte order
  // The position of the level that stands for all values that few rows have, if one does.
  std::optional<std::size_t> pooled = std::nullopt;
  // Numeric only: the mean, where it stands for values that are missing.
  std::optional<double> filled = std::nullopt;
};

// In place of the position of a feature where it is not known.
inline constexpr std::size_t unknown_position = SIZE_MAX;

// A column that is in the table, but in no block: nothing can be learned from it.
struct IgnoredColumn {
  enum class Reason {
    identifier,  // it names the rows
    missing,     // over half of its values are missing
    rounded      // whole numbers beyond 2^53 which, as doubles, are all the same
  };
  std::string name;
  std::size_t index = 0;  // zero-based position in the input
  Reason reason = Reason::identifier;
};

// No name is empty, and no two are equal, the label's included.
struct Schema {
  std::vector<Column> features;
  std::optional<Column> label;
  std::vector<IgnoredColumn> ignored = {};  // in input order

  // Columns in a block: the features in input order, then the label if there is one.
  [[nodiscard]] std::size_t columns() const { return features.size() + (label ? 1 : 0); }
};

// Rows in every block but the last, as the methods read them. Depends on the number of columns
// alone, so sums over rows are formed in the same order whatever the source and the number of
// threads.
[[nodiscard]] constexpr std::size_t block_rows(std::size_t columns) {
  constexpr std::size_t values = std::size_t{1} << 20U;
  const std::size_t rows = values / std::max<std::size_t>(columns, 1);
  return std::clamp<std::size_t>(rows / 64 * 64, 256, 4096);
}

// Consecutive rows, column by column. Numeric columns hold their numbers in original units,
// categorical ones the position of the level as a whole number. No missing values, all finite.
struct Block {
  Block() = default;
  ~Block() = default;
  // A copy of values in `storage` has its own; borrowed values are borrowed by both.
  Block(const Block& other);
  Block& operator=(const Block& other);
  Block(Block&& other) noexcept;
  Block& operator=(Block&& other) noexcept;

  std::size_t first_row = 0;  // zero-based: how many rows came before
  std::size_t rows = 0;
  std::size_t stride = 0;          // distance between the starts of two columns
  const double* values = nullptr;  // borrowed, or the start of `storage`
  std::vector<double> storage;
  std::span<const double> weights;  // of the rows; empty: all 1
  // One column may lie apart from the others, as a label does that is an array of its own: which,
  // and its values; null: none does.
  std::size_t apart = 0;
  const double* apart_values = nullptr;

  [[nodiscard]] std::span<const double> column(std::size_t j) const {
    if (apart_values != nullptr && j == apart) return {apart_values, rows};
    return {values + j * stride, rows};
  }
};

// One pass over the rows, from the first to the last.
class BlockReader {
 public:
  virtual ~BlockReader() = default;

  // Fills `block` with the next rows; false after the last one. May reuse `block.storage`. What the
  // block shows lives until next() is called again, or until the reader goes: who needs it longer
  // copies the values.
  virtual bool next(Block& block) = 0;
};

// A table that can be read any number of times, always with the same rows.
//
// Sources of your own: every function of fsieve that takes one checks what it says and what its
// blocks hold (names, levels, rows, numbers, weights), and throws Error at the first thing that is
// not as it is written here. Blocks may have any number of rows, and borrow from a buffer that is
// used again: the values are copied.
class Source {
 public:
  virtual ~Source() = default;
  [[nodiscard]] virtual const Schema& schema() const = 0;
  [[nodiscard]] virtual std::size_t rows() const = 0;
  [[nodiscard]] virtual std::unique_ptr<BlockReader> open() const = 0;

  // The whole table, column by column (stride: rows()), where it is in memory; else empty. Where it
  // is not empty, open() need not be called.
  [[nodiscard]] virtual std::span<const double> in_memory() const { return {}; }

  // How many rows each row stands for, not always a whole number; empty: each for itself. A weight
  // w counts as w equal rows: <f,g> = Σ w f(x) g(x) / Σ w, and Σ w is the n of every formula. A row
  // of weight 0 is as good as absent.
  [[nodiscard]] virtual std::span<const double> weights() const { return {}; }
};

// A table held in memory, column by column.
class MemorySource final : public Source {
 public:
  // `values` has rows * schema.columns() numbers, `weights` one per row or none. Throws Error where
  // they do not, where a number is not finite or not the position of a level, where names or levels
  // are not as they must be, or where a weight is negative or not finite, or all are 0.
  MemorySource(Schema schema, std::vector<double> values, std::size_t rows,
               std::vector<double> weights = {});

  // Reads a whole source into memory.
  static std::unique_ptr<MemorySource> load(const Source& given);

  [[nodiscard]] const Schema& schema() const override { return schema_; }
  [[nodiscard]] std::size_t rows() const override { return rows_; }
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override;
  [[nodiscard]] std::span<const double> in_memory() const override { return values_; }
  [[nodiscard]] std::span<const double> weights() const override { return weights_; }

 private:
  friend std::unique_ptr<MemorySource> known_table(Schema schema, std::vector<double> values,
                                                   std::size_t rows, std::vector<double> weights);

  struct Checked {};  // what is known to be right is not looked at again
  MemorySource(Checked known, Schema schema, std::vector<double> values, std::size_t rows,
               std::vector<double> weights);

  Schema schema_;
  std::vector<double> values_;
  std::size_t rows_;
  std::vector<double> weights_;
};

// Another source, its rows weighted. Nothing is copied: `source` must outlive it.
class WeightedSource final : public Source {
 public:
  // Throws Error unless there is one weight per row, finite and not negative, and not all are 0.
  WeightedSource(const Source& source, std::vector<double> weights);

  [[nodiscard]] const Schema& schema() const override { return source_.schema(); }
  [[nodiscard]] std::size_t rows() const override { return source_.rows(); }
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override;
  [[nodiscard]] std::span<const double> in_memory() const override { return source_.in_memory(); }
  [[nodiscard]] std::span<const double> weights() const override { return weights_; }

 private:
  friend bool is_trusted(const Source& source);

  const Source& source_;
  std::vector<double> weights_;
};

}  // namespace fsieve
