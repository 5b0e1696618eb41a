// select and learn name the same class first.
#include "data/class_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "data/label.h"
#include "methods/junta/sign_features.h"
#include "unit/comma_locale.h"
#include "unit/tables.h"

namespace fsieve {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

MemorySource labelled(const std::vector<std::string>& levels) {
  Schema schema;
  schema.features.push_back({"x", 0, ColumnKind::numeric, {}});
  schema.label = Column{"y", 1, ColumnKind::categorical, levels};
  return {schema, {1, 2, 3, 4, 1, 0, 0, 1}, 4};
}

TEST(ClassOrder, IsByNumberWhereAllAreNumbers) {
  EXPECT_THAT(class_order({"10", "9", "-1", "9.0"}), ElementsAre(2, 1, 3, 0));
  EXPECT_THAT(class_order({"10", "9", "x"}), ElementsAre(0, 1, 2));
  EXPECT_THAT(class_order({"nan", "9", "10"}), ElementsAre(2, 1, 0));  // nan is a word
  EXPECT_THAT(class_order({"0x10", "9"}), ElementsAre(0, 1));          // and so is this
}

TEST(ClassOrder, IsOneForSelectAndLearn) {
  // Texts on which readers of numbers like to differ.
  const std::vector<std::string> texts{
      "9", "10",  "-1",  "+1",  " 1", "1 ", "1e1",    "1e400", "0x1F", "nan", "inf",     "-0",
      "0", "0.0", "1,5", "1.5", ".5", "5.", "1e-400", "yes",   "no",   "١",   "Infinity"};
  NoProgress quiet;
  for (const std::string& a : texts) {
    for (const std::string& b : texts) {
      if (!(a < b)) continue;
      const MemorySource source = labelled({a, b});
      const SignLabel learned = read_sign_label(source, quiet);
      const Label selected = read_label(source, Task::automatic);
      EXPECT_THAT(selected.classes, ElementsAre(learned.classes[0], learned.classes[1]));
      EXPECT_THAT(selected.codes, ElementsAreArray(learned.codes));
    }
  }
}

// Read up to its point, 10.5 is not above 10.25.
TEST(ClassOrder, IsTheSameInEveryLocale) {
  const CommaLocale comma;
  if (!comma.set()) GTEST_SKIP() << kNoCommaLocale;
  EXPECT_THAT(class_order({"10.5", "10.25", "9.75"}), ElementsAre(2, 1, 0));
  EXPECT_THAT(class_order({"10,5", "9,75"}), ElementsAre(0, 1));  // words, here as elsewhere
  NoProgress quiet;
  const MemorySource source = labelled({"10.5", "9.75"});
  EXPECT_THAT(read_sign_label(source, quiet).classes, ElementsAre("9.75", "10.5"));
  EXPECT_THAT(read_label(source, Task::automatic).classes, ElementsAre("9.75", "10.5"));
}

}  // namespace
}  // namespace fsieve
