// The choice of an instruction set is obeyed or refused; bit_kernels_test.cpp and
// real_kernels_test.cpp compare what the kernels give with each.
#include "base/instruction_set.h"

#include <gmock/gmock.h>

#include "fsieve/error.h"
#include "fsieve/version.h"
#include "unit/instruction_sets.h"

namespace fsieve {
namespace {

using ::testing::HasSubstr;

using InstructionSetTest = InstructionSets;

TEST_F(InstructionSetTest, EveryMachineHasThePortableSet) {
  EXPECT_EQ(simd::available().back(), "portable");
}
TEST_F(InstructionSetTest, BuildInfoNamesIt) {
  simd::choose("portable");
  EXPECT_THAT(build_info(), HasSubstr("SIMD: portable"));
}

TEST_F(InstructionSetTest, AnUnknownSetIsRefused) {
  try {
    simd::choose("mmx");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    EXPECT_THAT(error.what(), HasSubstr("FSIEVE_SIMD is mmx"));
    EXPECT_THAT(error.what(), HasSubstr("portable"));
  }
}

}  // namespace
}  // namespace fsieve
