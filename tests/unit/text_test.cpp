// Texts of others: what is shown, what is near, what is JSON.
#include <gmock/gmock.h>

#include <string>

#include "base/edit_distance.h"
#include "base/json_text.h"
#include "base/nearest.h"
#include "base/shown_text.h"
#include "base/visible.h"
#include "fsieve/error.h"
#include "fsieve/model.h"
#include "fsieve/result.h"

namespace fsieve {
namespace {

using ::testing::HasSubstr;

TEST(Visible, SpellsOutWhatTerminalsActOn) {
  EXPECT_EQ(visible("weight é 重量 👍"), "weight é 重量 👍");
  EXPECT_EQ(visible("a\nb\tc\033[1m\x7f"), "a\\nb\\tc\\x1b[1m\\x7f");
  EXPECT_EQ(visible("a\u0085\u009b2J"), "a\\u0085\\u009b2J");
  EXPECT_EQ(visible("\u202eevil\u2066\u200f\u061c\u2028\ufeff"),
            "\\u202eevil\\u2066\\u200f\\u061c\\u2028\\ufeff");
  EXPECT_EQ(visible("\x9b"
                    "2J\xc3"),
            "\\x9b2J\\xc3");
  EXPECT_EQ(visible(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(visible(visible("\u009b")), visible("\u009b"));
}

TEST(Visible, CutsBetweenCharacters) {
  EXPECT_EQ(visible("abcdef", 6), "abcdef");
  EXPECT_EQ(visible("abcdefg", 6), "abcdef…");
  EXPECT_EQ(visible("abcd重", 6), "abcd…");
  EXPECT_EQ(visible("abc\u009b", 6), "abc…");
  EXPECT_EQ(shown(std::string(200'000, 'x')), std::string(60, 'x') + "…");
}

TEST(Visible, ReportsHoldNothingElse) {
  Report<SffsResult> result;
  result.source = "a\u009b.csv";
  result.label = "y\u202e";
  result.parameters = {{"search", std::string("beam:\033[2J")}, {"depth", std::uint64_t{2}}};
  result.selected = {{0, 1, 1, 0.5, 0.1, "x\u0090", 0}};
  const std::string report = to_report(result, {80, false});
  EXPECT_THAT(report, HasSubstr("a\\u009b.csv"));
  EXPECT_THAT(report, HasSubstr("y\\u202e"));
  EXPECT_THAT(report, HasSubstr("x\\u0090"));
  EXPECT_EQ(report.find('\033'), std::string::npos);
}

TEST(EditDistance, IsBounded) {
  EXPECT_EQ(edit_distance("food", "foot", 3), 1U);
  EXPECT_EQ(edit_distance("food", "fodo", 3), 1U);
  EXPECT_EQ(edit_distance("abc", "xyz", 2), 2U);
  EXPECT_EQ(edit_distance("abc", "abcdef", 3), 3U);
  const std::string large(200'000, 'a');
  EXPECT_EQ(edit_distance(large, large, 7), 7U);
  const std::string_view candidates[] = {"epsilon", "seed"};
  EXPECT_EQ(nearest(large, candidates), "");
  EXPECT_EQ(nearest("epsilom", candidates), "epsilon");
}

// As a known key of a whole object: a reader that only looks at what it knows would meet it.
std::string nested(const std::string& key, std::size_t depth) {
  return R"({"fsieve": "0.1.0", "schema": 1, "command": "reduce", "method": "uffs", "kind": "model", ")" +
         key + "\": " + std::string(depth, '[') + std::string(depth, ']') + "}";
}

TEST(Json, DeepNestingIsRefused) {
  EXPECT_NO_THROW((void)json_in(nested("parameters", deepest_json - 1)));
  EXPECT_THROW((void)json_in(nested("parameters", deepest_json)), Error);
  for (const char* const key : {"parameters", "data", "anything"}) {
    const std::string text = nested(key, 100'000);
    EXPECT_FALSE(is_model(text));
    try {
      (void)result_from_json(text, "r.json");
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("r.json: "));
      EXPECT_THAT(error.what(), HasSubstr("nested too deeply"));
    }
    EXPECT_THROW((void)model_from_json(text, "m.json"), Error);
  }
  // Brackets in a text do not count.
  const std::string quoted = "[\"\\\"" + std::string(1000, '[') + "\"]";
  EXPECT_EQ(json_in(quoted).at(0).get<std::string>().size(), 1001U);
}

}  // namespace
}  // namespace fsieve
