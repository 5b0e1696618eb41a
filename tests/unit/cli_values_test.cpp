// The values of options as text, and the guesses at misspelt ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/data_options.h"
#include "app/method_options.h"
#include "app/option_table.h"
#include "app/value_text.h"
#include "base/nearest.h"
#include "fsieve/error.h"

namespace fsieve {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

template <typename Function>
void expect_usage_error(Function&& function, const std::string& says) {
  try {
    function();
    ADD_FAILURE() << "nothing was thrown, expected: " << says;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    EXPECT_THAT(error.what(), HasSubstr(says));
  }
}

TEST(Values, Numbers) {
  EXPECT_EQ(parse_number("--x", "1e-3"), 1e-3);
  EXPECT_EQ(parse_number("--x", "+.5"), 0.5);
  EXPECT_THAT(parse_numbers("--x", "1,2.5"), ElementsAre(1, 2.5));
  EXPECT_EQ(parse_whole("--x", "18446744073709551615"), UINT64_MAX);
  for (const char* text : {"", "x", "1 ", " 1", "0x10", "inf", "nan", "1,2", "--1", "+-1"}) {
    expect_usage_error([&] { (void)parse_number("--x", text); }, "is not a number");
  }
  for (const char* text : {"", "-1", "1.0", "1e3", "18446744073709551616"}) {
    expect_usage_error([&] { (void)parse_whole("--x", text); }, "whole number");
  }
}

TEST(Values, Lists) {
  EXPECT_THAT(parse_list("--x", "a,b c"), ElementsAre("a", "b c"));
  EXPECT_THAT(parse_list("--x", R"(a\,b,c\d)"), ElementsAre("a,b", "c\\d"));
  expect_usage_error([] { (void)parse_list("--x", "a,"); }, "empty part");
}

TEST(Values, StagesThereAndBack) {
  EXPECT_THAT(parse_stages("--stages", "auto"), IsEmpty());
  for (const char* text : {"1", "1,2:50,3:30", "6:2", "auto", "2,2,2"}) {
    EXPECT_EQ(stages_text(parse_stages("--stages", text)), text);
  }
  for (const char* text : {"", "0", "7", "2:1", "2:x", ":3", "1:2:3", "1,", "-1"}) {
    expect_usage_error([&] { (void)parse_stages("--stages", text); }, "--stages");
  }
}

TEST(Values, RulesThereAndBack) {
  for (const char* text : {"adjusted", "paper", "cumulative:0.9", "cumulative:0.9,1"}) {
    EXPECT_EQ(rule_text(parse_rule("--rule", text)), text);
  }
  expect_usage_error([] { (void)parse_rule("--rule", "cumulative"); }, "share");
  expect_usage_error([] { (void)parse_rule("--rule", "cumulative:0"); }, "share");
}

TEST(Values, SearchesThereAndBack) {
  for (const char* text : {"forward", "union", "beam:1", "beam:12"}) {
    EXPECT_EQ(search_text(parse_search("--search", text)), text);
  }
  EXPECT_EQ(parse_search("--search", "beam:7").beam, 7U);
  expect_usage_error([] { (void)parse_search("--search", "beam"); }, "beam:4");
  for (const char* text : {"beam:", "beam:0", "beam:x", "beam:-1", "beam:1.5"}) {
    expect_usage_error([&] { (void)parse_search("--search", text); }, "1 or more");
  }
  expect_usage_error([] { (void)parse_search("--search", "unoin"); }, "did you mean union?");
}

TEST(Values, Counts) {
  EXPECT_EQ(parse_count("-k", "3"), 3U);
  EXPECT_EQ(parse_count("-k", "auto"), std::nullopt);
  for (const char* text : {"", "0", "-1", "1.5", "Auto", "many"}) {
    expect_usage_error([&] { (void)parse_count("-k", text); }, "above 0");
  }
}

TEST(Values, Rows) {
  EXPECT_EQ(rows_text(parse_rows("--rows", "2:5")), "2:5");
  EXPECT_EQ(parse_rows("--rows", ":5").first, 1U);
  EXPECT_EQ(parse_rows("--rows", "3:").last, UINT64_MAX);
  EXPECT_EQ(rows_text(parse_rows("--rows", ":")), "1:");
  expect_usage_error([] { (void)parse_rows("--rows", "5:4"); }, "after");
}

TEST(Values, CharactersAndSizes) {
  EXPECT_EQ(parse_character("--delimiter", "\\t"), '\t');
  EXPECT_EQ(parse_character("--delimiter", "tab"), '\t');
  EXPECT_EQ(parse_character("--delimiter", ";"), ';');
  EXPECT_EQ(parse_size("--memory", "4096"), 4096U);
  EXPECT_EQ(parse_size("--memory", "1.5K"), 1536U);
  EXPECT_EQ(parse_size("--memory", "512M"), std::size_t{512} << 20U);
  EXPECT_EQ(parse_size("--memory", "2GiB"), std::size_t{2} << 30U);
  EXPECT_EQ(parse_size("--memory", "1tb"), std::size_t{1} << 40U);
  for (const char* text : {"", "M", "-1M", "0", "1X", "1e30", "B"}) {
    expect_usage_error([&] { (void)parse_size("--memory", text); }, "is not a size");
  }
}

TEST(Nearest, FindsSlipsOnly) {
  const std::vector<std::string_view> names{"epsilon", "engine", "rows", "rule"};
  EXPECT_EQ(nearest("epslion", names), "epsilon");
  EXPECT_EQ(nearest("eps", names), "epsilon");
  EXPECT_EQ(nearest("rwos", names), "rows");
  EXPECT_EQ(nearest("frobnicate", names), "");
  EXPECT_EQ(did_you_mean("rul", "--", names), " (did you mean --rule?)");
  EXPECT_EQ(did_you_mean("elbat", "--", std::vector<std::string_view>{"table"}), "");
  const std::vector<std::string_view> alike{"table", "label", "cable"};
  EXPECT_EQ(did_you_mean("lable", "--", alike), " (did you mean --label?)");
  EXPECT_EQ(did_you_mean("tabel", "--", alike), " (did you mean --table?)");
}

TEST(OptionTable, IsSound) {
  for (const CommandSpec& command : command_table()) {
    for (const OptionSpec& option : option_table()) {
      if (!belongs_to(option, command.command)) continue;
      const std::string_view name = option.positional ? option.key : option.name;
      EXPECT_EQ(find_option(command.command, name), &option) << command.name << " " << name;
      EXPECT_FALSE(option.help.empty()) << name;
      EXPECT_FALSE(option.group.empty()) << name;
      EXPECT_EQ(option.type == OptionType::flag, option.value.empty()) << name;
      EXPECT_EQ(option.type == OptionType::choice, !option.choices.empty()) << name;
    }
  }
}

TEST(OptionTable, DefaultsAreThoseOfTheLibrary) {
  const OptionValues values(Command::reduce);
  const UffsOptions method = uffs_options(values);
  const UffsOptions plain;
  EXPECT_EQ(method.stages.size(), plain.stages.size());
  EXPECT_EQ(method.epsilon, plain.epsilon);
  EXPECT_EQ(method.rule, plain.rule);
  EXPECT_EQ(method.order, plain.order);
  EXPECT_EQ(method.groups, plain.groups);
  EXPECT_EQ(method.engine, plain.engine);
  EXPECT_EQ(method.equations, plain.equations);
  EXPECT_EQ(method.seed, plain.seed);
  const ReadOptions data = read_options(values);
  EXPECT_EQ(data.missing, ReadOptions{}.missing);
  NoProgress quiet;
  EXPECT_EQ(run_context(values, quiet).memory, RunContext{}.memory);
  EXPECT_EQ(data.last_row, ReadOptions{}.last_row);
}

TEST(OptionTable, DefaultsOfSelectAreThoseOfTheLibrary) {
  OptionValues values(Command::select);
  values.set("k", "auto");
  const SffsOptions method = sffs_options(values);
  const SffsOptions plain;
  EXPECT_EQ(method.k, plain.k);
  EXPECT_EQ(method.depth, plain.depth);
  EXPECT_EQ(method.search, plain.search);
  EXPECT_EQ(method.beam, plain.beam);
  EXPECT_EQ(method.score, plain.score);
  EXPECT_EQ(method.reduce.has_value(), plain.reduce.has_value());
  EXPECT_EQ(method.bins, plain.bins);
  EXPECT_EQ(method.task, plain.task);
  EXPECT_EQ(method.top, plain.top);
  EXPECT_EQ(method.alpha, plain.alpha);
  EXPECT_EQ(method.permutations, plain.permutations);
  EXPECT_EQ(method.scan_limit, plain.scan_limit);
  EXPECT_EQ(method.delta, plain.delta);
  EXPECT_EQ(method.seed, plain.seed);
}

TEST(OptionTable, UnionIsReducedFirst) {
  OptionValues values(Command::select);
  values.set("k", "2");
  values.set("search", "union");
  SffsOptions method = sffs_options(values);
  ASSERT_TRUE(method.reduce.has_value());
  EXPECT_EQ(stages_text(*method.reduce), "1");
  values.set("reduce", "none");
  EXPECT_FALSE(sffs_options(values).reduce.has_value());
}

}  // namespace
}  // namespace fsieve
