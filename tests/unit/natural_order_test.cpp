// x2 comes before x10, in lists and in equations.
#include "base/natural_order.h"

#include <gtest/gtest.h>

#include "fsieve/uffs.h"

namespace fsieve {
namespace {

TEST(NaturalOrder, CountsAsPeopleDo) {
  EXPECT_TRUE(naturally_before("x2", "x10"));
  EXPECT_FALSE(naturally_before("x10", "x2"));
  EXPECT_TRUE(naturally_before("x1", "x1a"));
  EXPECT_TRUE(naturally_before("a9b2", "a09b10"));
  EXPECT_TRUE(naturally_before("x01", "x1"));
  EXPECT_FALSE(naturally_before("x1", "x1"));
  Equation equation{
      "y",
      {{1, {"x10", "x2"}, {}}, {2, {}, {}}, {3, {"x11"}, {}}, {4, {"x9", "x10"}, {0.5, 2}}},
      1,
      1};
  order_naturally(equation);
  EXPECT_EQ(to_text(equation), "y = 3.00·x11 + x2·x10 + 4.00·√x9·x10² + 2.00");
}

}  // namespace
}  // namespace fsieve
