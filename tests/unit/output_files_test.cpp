// Files that appear together, and the names they go by.
#include "fsieve/output_files.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/file_identity.h"
#include "base/name_beside.h"
#include "io_test_util.h"

namespace fsieve::io_test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class OutputFilesTest : public IoTest {
 protected:
  [[nodiscard]] bool needs_arrow() const override { return false; }

  [[nodiscard]] std::vector<std::string> listing() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  // A folder with something in it cannot be replaced by a file.
  void block(const std::string& name) const {
    fs::remove(path(name));
    fs::create_directories(path(name) + "/inside");
  }
};

TEST_F(OutputFilesTest, AllAppearAtTheEnd) {
  file("a", "old");
  OutputFiles outputs;
  outputs.text(path("a"), "new a");
  outputs.text(path("b"), "new b");
  EXPECT_EQ(contents(path("a")), "old");
  EXPECT_FALSE(fs::exists(path("b")));
  outputs.commit();
  EXPECT_EQ(contents(path("a")), "new a");
  EXPECT_EQ(contents(path("b")), "new b");
  EXPECT_THAT(listing(), ElementsAre("a", "b"));
}

TEST_F(OutputFilesTest, WithoutCommitNothingIsLeft) {
  {
    OutputFiles outputs;
    outputs.text(path("a"), "new");
    EXPECT_EQ(listing().size(), 1U);
  }
  EXPECT_THAT(listing(), IsEmpty());
}

TEST_F(OutputFilesTest, ARenameThatFailsPutsTheOthersBack) {
  file("a", "old a");
  {
    OutputFiles outputs;
    outputs.text(path("a"), "new a");
    outputs.text(path("b"), "new b");
    outputs.text(path("c"), "new c");
    block("c");
    EXPECT_THAT(message([&] { outputs.commit(); }), HasSubstr("c: cannot be written"));
  }
  EXPECT_EQ(contents(path("a")), "old a");
  EXPECT_THAT(listing(), ElementsAre("a", "c"));
}

TEST_F(OutputFilesTest, WhatAnotherProgramPutThereIsNotTakenAway) {
  AtomicFile ours(path("a"));
  ours.write("ours");
  ours.stage();
  ours.replace();
  fs::rename(file("b", "theirs"), path("a"));
  EXPECT_TRUE(ours.put_back());
  EXPECT_EQ(contents(path("a")), "theirs");
}

TEST_F(OutputFilesTest, ATemporaryNameInUseBySomethingElseIsLeftAlone) {
  ASSERT_EQ(::mkfifo(path("c.part").c_str(), 0600), 0);
  EXPECT_THAT(message([&] { const AtomicFile refused(path("c"), ".part"); }),
              HasSubstr("c: cannot be written"));
  EXPECT_THAT(listing(), ElementsAre("c.part"));
}

TEST_F(OutputFilesTest, LongNamesKeepTheirTemporariesApart) {
  const std::string stem(250, 'n');
  AtomicFile first(path(stem + "1"), ".fsieve-part");
  AtomicFile second(path(stem + "2"), ".fsieve-part");
  EXPECT_EQ(listing().size(), 2U);
  first.write("1");
  second.write("2");
  first.commit(true);
  second.commit(true);
  EXPECT_EQ(contents(path(stem + "1")), "1");
  EXPECT_EQ(contents(path(stem + "2")), "2");
  EXPECT_EQ(listing().size(), 2U);
}

TEST(NameBeside, IsOneForEveryProcess) {
  EXPECT_EQ(name_beside("d/a", ".lock"), "d/a.lock");
  const std::string shortest(251, 'n');
  EXPECT_EQ(name_beside("/d/" + shortest.substr(1), ".lock"), "/d/" + shortest.substr(1) + ".lock");
  const std::string cut = name_beside(shortest, ".lock");
  EXPECT_EQ(cut.size(), 255U);
  EXPECT_EQ(name_beside("d/" + shortest, ".lock"), "d/" + cut);
  EXPECT_EQ(name_beside("/somewhere/d/" + shortest, ".lock"), "/somewhere/d/" + cut);
  EXPECT_NE(name_beside(shortest + "1", ".lock"), name_beside(shortest + "2", ".lock"));
}

TEST_F(OutputFilesTest, SameFile) {
  file("a", "");
  fs::create_symlink("a", path("link"));
  fs::create_hard_link(path("a"), path("hard"));
  fs::create_directory(path("d"));
  fs::create_symlink("../new", path("d/dangling"));
  for (const auto& [x, y] : {std::pair{"a", "a"},
                             {"a", "./a"},
                             {"a", "d/../a"},
                             {"a", "link"},
                             {"a", "hard"},
                             {"new", "./new"},
                             {"new", "d/../new"},
                             {"new", "d/dangling"}}) {
    EXPECT_TRUE(same_file(path(x), path(y))) << x << ' ' << y;
    EXPECT_TRUE(same_file(path(y), path(x))) << x << ' ' << y;
  }
  for (const auto& [x, y] :
       {std::pair{"a", "new"}, {"new", "newer"}, {"new", "d/new"}, {"no/new", "no/new"}}) {
    EXPECT_FALSE(same_file(path(x), path(y))) << x << ' ' << y;
  }
}

}  // namespace
}  // namespace fsieve::io_test
