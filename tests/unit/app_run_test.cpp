// One run from options to a result, as every front end does it.
#include "app/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/command_text.h"
#include "app/data_options.h"
#include "app/report_run.h"
#include "fsieve/error.h"
#include "tables.h"

namespace fsieve {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Two columns of noise, their sum, and a label of two classes that is the sign of the first.
MemorySource labelled_sum() {
  testing::Random random(3);
  testing::Columns columns{random.normals(200), random.normals(200)};
  columns.push_back(testing::sum(1, columns[0], 1, columns[1]));
  std::vector<double> label;
  for (const double value : columns[0]) label.push_back(value > 0 ? 1 : 0);
  columns.push_back(label);
  const MemorySource all = testing::table(columns);
  Schema schema = all.schema();
  schema.label = schema.features.back();
  schema.features.pop_back();
  return {std::move(schema), {all.in_memory().begin(), all.in_memory().end()}, all.rows()};
}

OptionValues labelled(Command command) {
  OptionValues values(command);
  values.set("label", "x4");
  return values;
}

TEST(AppRun, PutsNamesWarningsAndParametersToWhatAMethodFinds) {
  const MemorySource source = labelled_sum();
  NoProgress quiet;
  RunRecord record("table.csv", quiet);
  record.warnings = {"said when it was opened"};
  AnyReport report = run(Request(labelled(Command::reduce)), source, record);
  const auto& result = std::get<Report<UffsResult>>(report.result);
  EXPECT_EQ(result.source, "table.csv");
  EXPECT_THAT(report.warnings().front(), "said when it was opened");
  EXPECT_THAT(report.columns(), ElementsAre(0, 1));
  ASSERT_EQ(result.removed.size(), 1);
  EXPECT_EQ(result.removed[0].name, "x3");
  EXPECT_EQ(report.summary(), "2 of 3 features kept");
  EXPECT_FALSE(result.timing);
  add_timing(report, record);
  ASSERT_TRUE(result.timing);
  EXPECT_GE(result.timing->total_s, result.timing->fit_s);
  EXPECT_THAT(to_json(report), HasSubstr("\"label\": \"x4\""));
}

TEST(AppRun, EveryMethodOfReduceIsTheOneAskedFor) {
  const MemorySource source = labelled_sum();
  NoProgress quiet;
  for (const char* method : {"gfs", "gfa"}) {
    OptionValues values = labelled(Command::reduce);
    values.set("method", method);
    RunRecord record("", quiet);
    const AnyReport report = run(Request(values), source, record);
    EXPECT_EQ(std::get<Report<GreedyChoice>>(report.result).method, method);
  }
}

TEST(AppRun, WrongOptionsAreRefusedBeforeATableIsThere) {
  OptionValues values = labelled(Command::select);
  values.set("k", "2");
  values.set("alpha", "2");
  EXPECT_THROW((void)Request(values), Error);
  values.set("alpha", "0.01");
  values.set("rows", "some");  // how the table is read
  EXPECT_THROW((void)Request(values), Error);
  values.set("memory", "much");
  NoProgress quiet;
  EXPECT_THROW((void)run_context(values, quiet), Error);
}

TEST(AppRun, AReportOfTwoClassesHasThreeParts) {
  const MemorySource source = labelled_sum();
  NoProgress quiet;
  RunRecord record("table.csv", quiet);
  record.warnings = {"said once"};
  ReportRun report(labelled(Command::report), command_text, false);
  report.run(source, record);
  EXPECT_THAT(report.parts().reduce, HasSubstr("\"x3\""));
  EXPECT_THAT(report.parts().select, HasSubstr("\"command\": \"select\""));
  EXPECT_THAT(report.parts().learn, HasSubstr("\"command\": \"learn\""));
  EXPECT_EQ(std::count(report.warnings().begin(), report.warnings().end(), "said once"), 1);
  const std::string page = report.page(source, {}, record);
  EXPECT_EQ(page, report.page(source, {}, record));  // nothing of the time is in it
}

TEST(AppRun, AReportWithoutALabelIsAboutTheTableAlone) {
  const MemorySource source = testing::table({{1, 2, 3, 4, 5, 6}, {2, 4, 6, 8, 10, 12}});
  NoProgress quiet;
  RunRecord record("table.csv", quiet);
  ReportRun report(OptionValues(Command::report), command_text, false);
  report.run(source, record);
  EXPECT_THAT(report.parts().reduce, HasSubstr("\"x2\""));
  EXPECT_THAT(report.parts().select, IsEmpty());
  EXPECT_THAT(report.parts().learn, IsEmpty());
}

}  // namespace
}  // namespace fsieve
