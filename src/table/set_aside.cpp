#include "table/set_aside.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/shell_word.h"
#include "base/shown_text.h"
#include "fsieve/error.h"
#include "table/cell_text.h"
#include "table/decimal_comma.h"
#include "table/signed_number.h"

namespace fsieve::io::inline table {
namespace {

using Reason = IgnoredColumn::Reason;

// Someone who ranks the values of his columns gives all of them the numbers 1 to n.
bool are_ranks(const std::vector<ChosenColumn>& chosen, const std::vector<ColumnLook>& looks,
               const std::vector<ColumnLook>& beside) {
  std::size_t numbers = 0;
  std::size_t counts = 0;
  const auto add = [&](const ColumnLook& look) {
    numbers += look.number ? 1 : 0;
    counts += look.counts_rows ? 1 : 0;
  };
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    if (!chosen[j].is_label) add(looks[j]);
  }
  for (const ColumnLook& look : beside) add(look);
  return 2 * counts > numbers;
}

std::string_view words(Reason reason) {
  switch (reason) {
    case Reason::identifier:
      return "names the rows";
    case Reason::missing:
      return "is mostly missing";
    case Reason::rounded:
      break;
  }
  return "has whole numbers beyond 2^53 that are all the same when rounded";
}

constexpr std::string_view kBlanks = "; if blanks separate the fields: --delimiter ' '";

std::string way_to_use(const IgnoredColumn& column, std::string_view or_else = "") {
  if (column.reason == Reason::rounded) return "";
  return fmt::format(" (to use it: --use {}{})", typed_name(column.name), or_else);
}

}  // namespace

std::vector<std::optional<Reason>> reasons_to_set_aside(const std::vector<ChosenColumn>& chosen,
                                                        const std::vector<ColumnLook>& looks,
                                                        const std::vector<ColumnLook>& beside) {
  const bool ranks = are_ranks(chosen, looks, beside);
  std::vector<std::optional<Reason>> reasons(chosen.size());
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    const ChosenColumn& column = chosen[j];
    if (column.is_label || column.passenger) continue;
    if (looks[j].rounds_to_one) {
      reasons[j] = Reason::rounded;
    } else if (column.as_levels || column.wanted) {
      continue;
    } else if (looks[j].mostly_missing) {
      reasons[j] = Reason::missing;
    } else if (looks[j].names_rows || (looks[j].counts_rows && !ranks)) {
      reasons[j] = Reason::identifier;
    }
  }
  return reasons;
}

std::vector<std::string> set_aside_warnings(std::string_view table_name,
                                            const std::vector<IgnoredColumn>& ignored) {
  std::vector<std::string> warnings;
  warnings.reserve(ignored.size());
  for (const IgnoredColumn& column : ignored) {
    warnings.push_back(fmt::format("{}: column \"{}\" {} and is set aside{}", table_name,
                                   shown(column.name), words(column.reason), way_to_use(column)));
  }
  return warnings;
}

std::string rounded_warning(std::string_view table_name, std::string_view column) {
  return fmt::format(
      "{}: column \"{}\" has whole numbers beyond 2^53, which are rounded in all that is computed "
      "(if they are ids: --exclude {})",
      table_name, shown(column), typed_name(column));
}

std::string mark_warning(std::string_view table_name, std::string_view column,
                         std::string_view mark, std::uint64_t count) {
  return fmt::format(
      "{}: column \"{}\" is a category of numbers and {} times \"{}\" (if that marks missing "
      "values: "
      "--na {})",
      table_name, shown(column), count, mark, typed_name(mark));
}

std::string unlabelled_warning(std::string_view table_name, std::string_view label,
                               std::uint64_t count, std::uint64_t rows) {
  return fmt::format("{}: {} of {} rows have no label \"{}\" and are left out", table_name, count,
                     rows, shown(label));
}

std::string two_styles_warning(std::string_view table_name, std::string_view column,
                               std::string_view text) {
  return fmt::format(
      "{}: column \"{}\" is text: the dates in it may be read with the day or with the month first "
      "(\"{}\"; 2024-05-31 can only be read one way)",
      table_name, shown(column), shown(text));
}

std::string not_a_number_warning(std::string_view table_name, std::string_view column,
                                 std::string_view text, std::string_view hint) {
  return fmt::format(R"({}: column "{}" is text: "{}" is not a number{})", table_name,
                     shown(column), shown(text), hint);
}

std::string number_hint(std::string_view text, bool decimal_comma, bool in_file) {
  if (const std::string_view sign = sign_beside_number(text); !sign.empty()) {
    return fmt::format(" (write the numbers without {})", sign);
  }
  const CommaNumber kind = comma_number(text);
  double value = 0;
  if (kind == CommaNumber::separated) {
    return " (write the numbers without separators of thousands)";
  }
  if (decimal_comma) {
    return parse_number(text, value) ? " (if its decimals stand behind a point: --decimal .)" : "";
  }
  if (kind == CommaNumber::none) return "";
  if (!in_file) return " (if its decimals stand behind a comma: make it one)";
  return kind == CommaNumber::decimal
             ? " (its decimals stand behind a comma: --decimal ,)"
             : " (if its decimals stand behind the comma: --decimal , and if it separates "
               "thousands: write the numbers without)";
}

void check_some_left(std::string_view table_name, std::size_t features,
                     const std::vector<IgnoredColumn>& ignored, bool in_text) {
  if (features > 0 || ignored.empty()) return;
  const IgnoredColumn& first = ignored[0];
  const bool words_of_a_row =
      in_text && ignored.size() == 1 && first.name.find(' ') != std::string::npos;
  throw Error(fmt::format("{}: no feature columns are left: \"{}\" {}{}{}", table_name,
                          shown(first.name), words(first.reason),
                          ignored.size() > 1 ? ", and the others are no better" : "",
                          way_to_use(first, words_of_a_row ? kBlanks : "")));
}

}  // namespace fsieve::io::table
