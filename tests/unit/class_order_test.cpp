// select and learn name the same class first.
#include "data/class_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>

#include "data/label.h"
#include "methods/junta/sign_features.h"
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
  for (const char* const locale : {"C", "de_DE.UTF-8"}) {
    std::setlocale(LC_ALL, locale);  // where there is one
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
  std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace fsieve
