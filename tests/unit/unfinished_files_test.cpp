// Files that are being made when the program ends.
#include "base/unfinished_files.h"

#include <gtest/gtest.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>

namespace fsieve {
namespace {

TEST(UnfinishedFiles, TheEndWaitsForOneThatIsBeingMade) {
  const auto ends = [] {
    bool early = false;
    {
      const MakingFile making;
      early = stop_making_files();
    }
    ::_exit(!early && stop_making_files() ? 0 : 1);
  };
  EXPECT_EXIT(ends(), ::testing::ExitedWithCode(0), "");
}

TEST(UnfinishedFiles, NoneIsMadeOnceTheEndHasBegun) {
  const auto ends = [] {
    constexpr int patience_ended = 7;
    std::signal(SIGALRM, [](int) { ::_exit(patience_ended); });
    itimerval soon{};
    soon.it_value.tv_usec = 50000;
    setitimer(ITIMER_REAL, &soon, nullptr);
    stop_making_files();
    const MakingFile making;
    ::_exit(0);
  };
  EXPECT_EXIT(ends(), ::testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace fsieve
