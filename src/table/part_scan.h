// A table in parts that lie in different places: every part is looked at where it is, what was
// found is merged, and from then on every part is read in the light of the whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fsieve/io.h"
#include "fsieve/source.h"
#include "table/column_scan.h"
#include "table/column_source.h"
#include "table/held_values.h"
#include "table/table_layout.h"
#include "table/unused_levels.h"

namespace fsieve::io::inline table {

// What was seen of some parts that follow one another.
class PartScan {
 public:
  // Nothing yet. `options` say what is read, and `memory` how much of it may be kept in mind: both
  // must be the same for all parts.
  PartScan(std::string name, ReadOptions options, std::size_t memory = RunContext{}.memory);

  // Looks at a part, whose number is `part`.
  void look(std::size_t part, const std::vector<NamedColumn>& columns);

  // Takes in what was seen of the parts that follow. Throws Error where they have other columns.
  void merge(const PartScan& next);
  void save(std::ostream& out) const;
  void load(std::istream& in);

  // What has been decided once all parts were seen. Throws Error, naming part, column and row, as
  // the scan of a file would.
  struct Settled {
    TableLayout layout;
    std::vector<std::string> warnings;
  };
  [[nodiscard]] Settled settled() const;

  [[nodiscard]] const std::string& name() const { return name_; }
  // Rows of each part, before any is dropped.
  [[nodiscard]] const std::vector<std::uint64_t>& rows() const { return rows_; }

 private:
  [[nodiscard]] std::vector<ChosenColumn> chosen() const;
  void add_scans();
  void check_same_columns(const PartScan& next) const;

  std::string name_;
  ReadOptions options_;
  std::size_t memory_;
  std::shared_ptr<const CellReader> cells_;
  std::size_t first_part_ = 0;
  std::vector<FileColumn> columns_;
  std::vector<ColumnScan> scans_;    // of the chosen columns
  std::vector<std::uint64_t> rows_;  // of each part
};

// A table in parts whose layout is settled.
class PartLayout {
 public:
  explicit PartLayout(PartScan scan);

  // Rows are dropped where values are missing: the parts have to be looked at once more.
  [[nodiscard]] bool counts_needed() const;

  // What is left of some parts that follow one another when incomplete rows are dropped.
  struct Complete {
    explicit Complete(const Schema& schema) : used(schema) {}
    std::vector<std::uint64_t> rows;  // of each part
    UsedLevels used;

    void merge(const Complete& next);
    void save(std::ostream& out) const;
    void load(std::istream& in);
  };
  [[nodiscard]] Complete count(const std::vector<NamedColumn>& columns) const;
  // Levels that no row has any more are none. Throws Error where no row is left.
  void drop(const Complete& complete);

  [[nodiscard]] const Schema& schema() const { return settled_.layout.schema; }
  [[nodiscard]] const std::vector<std::uint64_t>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return settled_.warnings; }

  // The rows of a part, which may be none. `weights` are those of all its rows, or none; rows that
  // are dropped take theirs along.
  [[nodiscard]] std::unique_ptr<MemorySource> open(const std::vector<NamedColumn>& columns,
                                                   std::vector<double> weights = {}) const;

 private:
  [[nodiscard]] HeldValues values(const std::vector<NamedColumn>& columns) const;

  PartScan scan_;  // keeps what the layout points to
  PartScan::Settled settled_;
  std::vector<std::uint64_t> rows_;
};

}  // namespace fsieve::io::table
