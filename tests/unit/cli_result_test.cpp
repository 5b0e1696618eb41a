// Results as JSON, back again, and as text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "fsieve/error.h"
#include "fsieve/result.h"
#include "report/text_table.h"

namespace fsieve {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Report<UffsResult> sample() {
  Report<UffsResult> result;
  result.version = "0.1.0";
  result.source = "cars.csv";
  result.rows = 398;
  result.features = 4;
  result.label = "price";
  result.parameters = {{"stages", std::string("1,2:50")},
                       {"epsilon", std::vector<double>{0.1, 0.2}},
                       {"prune", false},
                       {"seed", std::uint64_t{18446744073709551615U}},
                       {"na", std::vector<std::string>{"?"}},
                       {"rows", std::monostate{}}};
  result.method = "uffs";
  result.selected = {{0, 0.7, 0.71, false, "weight", 0}, {2, 0.9, std::nullopt, true, "colour", 3}};
  Equation equation{"litres", {{0.0164, {"weight"}}, {1.0 / 3, {}}}, 0.9998};
  result.removed = {
      {1, 0.012, 0.0121, 1, Reason::redundant, {equation}, "litres", 1},
      {2, 0.0, 0.0, 2, Reason::saturated, {}, "make", 2, true},
  };
  result.stages = {{{1, 0}, 0.1, Engine::gram, 4, 3, 1, 4},
                   {{2, 50}, 0.2, Engine::sample, 3, 2, 1, 7}};
  result.warnings = {"a warning"};
  result.timing = Timing{0.5, 0.25, 0.75};
  return result;
}

Report<SffsResult> selection() {
  Report<SffsResult> result;
  result.version = "0.1.0";
  result.source = "mail.csv";
  result.rows = 500;
  result.features = 9;
  result.label = "spam";
  result.method = "sffs";
  result.classes = {"no", "yes"};
  result.parameters = {{"k", std::uint64_t{3}},
                       {"depth", std::uint64_t{2}},
                       {"search", std::string("forward")},
                       {"reduce", std::string("1")},
                       {"alpha", 0.01}};
  result.selected = {{4, 1, 1, 0.5, 1e-9, "links", 4},
                     {2, 2, 1, 0.625, 0.0, "capitals", 2},
                     {7, 3, 2, 0.25, std::nullopt, "length", 7}};
  result.subsets = {{{{4, 2}, 0.625}, {"links", "capitals"}}, {{{7}, 0.25}, {"length"}}};
  result.ranking = {{4, 1, 0.25, 1e-9, 1e-8, 0.75, "heads", "links", 4},
                    {2, 2, 0.125, 0.5, 0.5, std::nullopt, "", "capitals", 2},
                    {3, 3, 0, std::nullopt, std::nullopt, 0.0, "", "still", 3}};
  result.substitutes = {{3, 4, -0.5, "still", "links"}};
  result.stability = StabilityReport{20, 2.5, {{0.75, 1, 0.125}}};
  result.accuracy_estimate = 0.8125;
  result.bound = LossBound{0.05, 0.12, false};
  result.reduced.emplace().removed = sample().removed;
  result.warnings = {"a warning"};
  return result;
}

TEST(ResultJson, ReadsBackTheSame) {
  const std::string text = to_json(sample());
  EXPECT_EQ(to_json(result_from_json(text, "r.json")), text);
}

TEST(ResultJson, SelectionsReadBackTheSame) {
  Report<SffsResult> result = selection();
  std::string text = to_json(result);
  EXPECT_EQ(to_json(result_from_json(text, "r.json")), text);
  result.measure = Measure::q2;
  result.classes.reset();
  result.accuracy_estimate.reset();
  result.bound.reset();
  result.reduced.reset();
  result.selected[0].score = std::nan("");
  result.timing = Timing{0.5, 0.25, 0.75};
  text = to_json(result);
  EXPECT_EQ(to_json(result_from_json(text, "r.json")), text);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["measure"], "q2");
  EXPECT_FALSE(json["data"].contains("classes"));
  EXPECT_TRUE(json["bound"].is_null());
  EXPECT_TRUE(json["selected"][0]["score"].is_null());
  EXPECT_TRUE(json["reduced"]["removed"].empty());
}

TEST(ResultJson, NumbersAreExactOrNull) {
  Report<UffsResult> result = sample();
  result.selected[0].norm = std::nextafter(0.1, 1.0);
  result.selected[1].norm = std::numeric_limits<double>::infinity();
  result.removed[0].equations[0].r2 = std::nan("");
  const auto json = nlohmann::json::parse(to_json(result));
  EXPECT_EQ(json["selected"][0]["norm"].get<double>(), std::nextafter(0.1, 1.0));
  EXPECT_TRUE(json["selected"][1]["norm"].is_null());
  EXPECT_TRUE(json["removed"][0]["equation"]["r2"].is_null());
  EXPECT_EQ(json["parameters"]["seed"].get<std::uint64_t>(), UINT64_MAX);
}

TEST(ResultJson, IsUtf8WhateverTheNames) {
  Report<UffsResult> result = sample();
  result.selected[0].name = "caf\xe9";
  const auto json = nlohmann::json::parse(to_json(result));
  EXPECT_EQ(json["selected"][0]["name"], "caf\xef\xbf\xbd");
}

TEST(ResultJson, ErrorsNameTheFile) {
  for (const char* text : {"", "{", "[]", "{\"schema\":1}", "{\"schema\":7,\"fsieve\":\"9\"}"}) {
    try {
      (void)result_from_json(text, "r.json");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::data);
      EXPECT_THAT(error.what(), ::testing::StartsWith("r.json: "));
    }
  }
}

TEST(ResultText, SaysEverythingAtAnyWidth) {
  for (const std::size_t width : {40, 80, 200}) {
    const std::string report = to_report(sample(), {width, false});
    EXPECT_THAT(report, HasSubstr("2 of 4 features kept, 2 removed"));
    EXPECT_THAT(report, HasSubstr("undecided"));
    EXPECT_THAT(report, HasSubstr("litres = 0.0164·weight"));
    EXPECT_THAT(report, HasSubstr("saturated"));
    EXPECT_THAT(report, Not(HasSubstr("\033")));
  }
  EXPECT_THAT(to_report(sample(), {80, true}), HasSubstr("\033[1m"));
}

TEST(ResultText, SelectionSaysEverythingAtAnyWidth) {
  for (const std::size_t width : {40, 80, 200}) {
    const std::string report = to_report(selection(), {width, false});
    EXPECT_THAT(report, HasSubstr("3 of 9 features selected for spam"));
    EXPECT_THAT(report, HasSubstr("2 classes (no, yes)"));
    EXPECT_THAT(report, HasSubstr("< 1e-300"));
    EXPECT_THAT(report, HasSubstr("links, capitals"));
    EXPECT_THAT(report, HasSubstr("2 of 9 features removed"));
    EXPECT_THAT(report, HasSubstr("M_n"));
    EXPECT_THAT(report, HasSubstr("81.2 %"));
    EXPECT_THAT(report, HasSubstr("95 %"));
    EXPECT_THAT(report, Not(HasSubstr("\033")));
  }
  EXPECT_THAT(to_report(selection(), {80, true}), HasSubstr("\033[1m"));
}

TEST(ResultText, AnEmptyBoundIsCalledOne) {
  Report<SffsResult> result = selection();
  result.bound = LossBound{0.05, 3.4, true};
  EXPECT_THAT(to_report(result, {200, false}), HasSubstr("Guarantee: none"));
  result.bound->excess_loss = std::numeric_limits<double>::infinity();
  EXPECT_THAT(to_report(result, {200, false}), Not(HasSubstr("inf")));
  result.bound.reset();
  EXPECT_THAT(to_report(result, {200, false}), Not(HasSubstr("Guarantee")));
  result.selected.clear();
  EXPECT_THAT(to_report(result, {200, false}), HasSubstr("No feature convinces at level 0.01."));
}

TEST(TextTable, WidthsAreThoseOfATerminal) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("é·…"), 3U);
  EXPECT_EQ(display_width("重量"), 4U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("\xff\xc3"), 2U);
  EXPECT_EQ(fitting_part("重量", 3), "重");
  EXPECT_EQ(shortened("displacement", 6), "displ…");
}

TEST(TextTable, Aligns) {
  TextTable table({{"name", Align::left}, {"n", Align::right}});
  table.add({"é", "10"});
  table.add({"long name", "5"});
  EXPECT_EQ(table.text("", ""), "  name        n\n  é          10\n  long name   5\n");
  EXPECT_EQ(wrapped({"aa", "bb", "cc"}, 8), "  aa  bb\n  cc\n");
  EXPECT_EQ(filled("aa bb cc dd", 5, 2), "aa bb\n  cc\n  dd");
}

}  // namespace
}  // namespace fsieve
