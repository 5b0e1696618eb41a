// The values of options as text: read with care, refused in one sentence that says what is right.
// Every function throws Error(usage); `option` is how the message calls the option ("--epsilon").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fsieve/gfs.h"
#include "fsieve/sffs.h"
#include "fsieve/uffs.h"

namespace fsieve::inline app {

[[noreturn]] void refuse(const std::string& message);

[[nodiscard]] double parse_number(std::string_view option, std::string_view text);
[[nodiscard]] std::uint64_t parse_whole(std::string_view option, std::string_view text);
[[nodiscard]] std::vector<double> parse_numbers(std::string_view option, std::string_view text);

// Parts between commas; "\," is a comma within a part. No part may be empty.
[[nodiscard]] std::vector<std::string> parse_list(std::string_view option, std::string_view text);

struct NamedNumber {
  std::string name;
  double number = 0;
};

// "NAME=NUMBER,NAME=NUMBER", numbers above 0; `example` is one of them.
[[nodiscard]] std::vector<NamedNumber> parse_named_numbers(std::string_view option,
                                                           std::string_view text,
                                                           std::string_view example);

// The text itself when it is one of the `choices` (separated by '|').
[[nodiscard]] std::string parse_choice(std::string_view option, std::string_view text,
                                       std::string_view choices);

// "1,2:50,3:30"; "auto" gives no stages.
[[nodiscard]] std::vector<Stage> parse_stages(std::string_view option, std::string_view text);
[[nodiscard]] std::string stages_text(const std::vector<Stage>& stages);

struct RuleChoice {
  Rule rule = Rule::adjusted;
  std::vector<double> share;  // cumulative only
};

// "adjusted", "paper" or "cumulative:0.9,0.8".
[[nodiscard]] RuleChoice parse_rule(std::string_view option, std::string_view text);
[[nodiscard]] std::string rule_text(const RuleChoice& choice);

struct SearchChoice {
  Search search = Search::forward;
  std::size_t beam = 1;
};

// "forward", "union" or "beam:W", W at least 1.
[[nodiscard]] SearchChoice parse_search(std::string_view option, std::string_view text);
[[nodiscard]] std::string search_text(SearchChoice choice);

// "multilinear:T", "multilinear+squares:T", "polynomial:T" or "functions".
[[nodiscard]] Family parse_family(std::string_view option, std::string_view text);
[[nodiscard]] std::string family_text(const Family& family);

// Expressions of a and b, one per line.
[[nodiscard]] std::vector<UserFunction> parse_functions(std::string_view option,
                                                        std::string_view text);

// A whole number above 0; "auto" gives none.
[[nodiscard]] std::optional<std::size_t> parse_count(std::string_view option,
                                                     std::string_view text);

// A number of rows, or "all" (fsieve/sample.h).
[[nodiscard]] std::size_t parse_sample(std::string_view option, std::string_view text);

struct RowRange {
  std::uint64_t first = 1;
  std::uint64_t last = UINT64_MAX;
};

// "A:B", "A:", ":B" or ":"; rows count from 1, both ends are in.
[[nodiscard]] RowRange parse_rows(std::string_view option, std::string_view text);
[[nodiscard]] std::string rows_text(RowRange range);

// One byte; "\t" and "tab" are the tabulator.
[[nodiscard]] char parse_character(std::string_view option, std::string_view text);

// "512M", "2GiB", "1.5g", "4096".
[[nodiscard]] std::size_t parse_size(std::string_view option, std::string_view text);

}  // namespace fsieve::app
