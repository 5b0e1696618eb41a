// Columns that nothing can be learned from: those that name the rows, those that are mostly
// missing, and those whose numbers cannot be told apart.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fsieve/source.h"
#include "table/column_choice.h"

namespace fsieve::io::inline table {

// In fewer rows every text may well be another one, and every number too.
constexpr std::uint64_t kFewestNamedRows = 20;
// Of values that name rows so many are different, at least.
constexpr double kShareDistinct = 0.9;

// What a column looks like.
struct ColumnLook {
  bool mostly_missing = false;
  bool names_rows = false;  // text, hardly a value twice
  bool number = false;
  bool counts_rows = false;    // whole numbers like 1, 2, 3, …
  bool rounds_to_one = false;  // whole numbers beyond 2^53 that are one double
};

// Which of the features are set aside; the label never is. Where most columns of numbers count the
// rows they are ranks, and stay; `beside` are other features of the same table. What rounds to one
// number goes even where it is wanted: it would count as a constant, which it need not be.
[[nodiscard]] std::vector<std::optional<IgnoredColumn::Reason>> reasons_to_set_aside(
    const std::vector<ChosenColumn>& chosen, const std::vector<ColumnLook>& looks,
    const std::vector<ColumnLook>& beside = {});

// One warning per column, with the way to use it all the same where there is one.
[[nodiscard]] std::vector<std::string> set_aside_warnings(
    std::string_view table_name, const std::vector<IgnoredColumn>& ignored);

// Of a column of ids as numbers: what is computed with is not what stands in the table.
[[nodiscard]] std::string rounded_warning(std::string_view table_name, std::string_view column);

// Of numbers that one text has made a category: it may have been meant as a gap.
[[nodiscard]] std::string mark_warning(std::string_view table_name, std::string_view column,
                                       std::string_view mark, std::uint64_t count);

// Of a label that some rows do not have where missing values are filled.
[[nodiscard]] std::string unlabelled_warning(std::string_view table_name, std::string_view label,
                                             std::uint64_t count, std::uint64_t rows);

// Of a column of text whose dates can be read in two ways.
[[nodiscard]] std::string two_styles_warning(std::string_view table_name, std::string_view column,
                                             std::string_view text);

// Of numbers that are text for their commas or signs.
[[nodiscard]] std::string not_a_number_warning(std::string_view table_name, std::string_view column,
                                               std::string_view text, std::string_view hint);

// What to do about a text that has the wrong decimals or a sign, in brackets behind what is wrong;
// empty where that is not it. `in_file`: of a text file, for which there is an option.
[[nodiscard]] std::string number_hint(std::string_view text, bool decimal_comma, bool in_file);

// Throws Error when nothing is left of the features. `in_text`: of a text file, whose fields may be
// separated by something else.
void check_some_left(std::string_view table_name, std::size_t features,
                     const std::vector<IgnoredColumn>& ignored, bool in_text = false);

}  // namespace fsieve::io::table
