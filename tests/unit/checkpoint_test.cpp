// Checkpoints: what is in them, what is refused, and their files.
#include "fsieve/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "bits/number_ranges.h"
#include "bits/tile_walk.h"
#include "data/fingerprint.h"
#include "fsieve/error.h"
#include "fsieve/junta.h"
#include "unit/io_test_util.h"
#include "unit/tables.h"

namespace fsieve {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using testing::Random;

// Ranges of numbers.

TEST(NumberRanges, AreASetOfNumbers) {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    const std::size_t total = 1 + random.below(40);
    NumberRanges ranges;
    std::set<std::size_t> twin;
    for (std::size_t step = random.below(8); step-- > 0;) {
      const std::size_t first = random.below(total);
      const std::size_t end = first + 1 + random.below(total - first);
      ranges.add({first, end});
      for (std::size_t i = first; i < end; ++i) twin.insert(i);
    }
    EXPECT_EQ(ranges.size(), twin.size());
    std::set<std::size_t> all = twin;
    for (const NumberRange& gap : ranges.gaps(total)) {
      for (std::size_t i = gap.first; i < gap.end; ++i) EXPECT_TRUE(all.insert(i).second);
    }
    EXPECT_EQ(all.size(), total);
    for (std::size_t i = 0; i < total; ++i) EXPECT_EQ(ranges.contains(i), twin.count(i) == 1);
    for (std::size_t r = 1; r < ranges.list().size(); ++r) {
      EXPECT_GT(ranges.list()[r].first, ranges.list()[r - 1].end);
    }
  }
}

TEST(TileWalk, VisitsARangeOnceAndInOrder) {
  Random random(5);
  for (int round = 0; round < 300; ++round) {
    const std::size_t size = 2 + random.below(4);
    const std::size_t d = size + random.below(12);
    const std::size_t total = choose_exactly(d, size);
    const std::size_t first = random.below(total);
    const NumberRange range{first, first + random.below(total - first + 1)};
    TileWalk walk(d, static_cast<int>(size), 1 + random.below(4), 1 + random.below(5), range);
    std::uint64_t done = range.first;
    for (;;) {
      EXPECT_EQ(walk.position(), done);
      const std::vector<TileWalk::Tile> tiles = walk.next(1 + random.below(60));
      if (tiles.empty()) break;
      std::set<std::size_t> numbers;
      for (const TileWalk::Tile& tile : tiles) {
        const SubsetTile view = tile.view();
        for (std::size_t b = view.b0; b < view.b1; ++b) {
          for (std::size_t c = view.c0; c < view.last_c(b); ++c) {
            std::vector<std::size_t> subset{c, b};
            subset.insert(subset.end(), view.outer.begin(), view.outer.end());
            EXPECT_LT(subset.back(), d);
            EXPECT_TRUE(numbers.insert(subset_number(subset)).second);
          }
        }
      }
      ASSERT_FALSE(numbers.empty());
      EXPECT_EQ(*numbers.begin(), done);
      done += numbers.size();
      EXPECT_EQ(*numbers.rbegin() + 1, done);
    }
    EXPECT_EQ(done, range.end);
  }
}

// What is in a checkpoint.

class MemoryCheckpoint final : public Checkpoint {
 public:
  explicit MemoryCheckpoint(std::string now = {}) : text(std::move(now)) {}
  std::string text;
  std::size_t saves = 0;
  [[nodiscard]] std::string name() const override { return "memory"; }
  std::string load() override { return text; }
  void save(std::string_view now) override {
    text = now;
    ++saves;
  }
};

std::string with_checksum(const Json& object) {
  std::string text = object.dump(1);
  text.resize(text.size() - 2);
  Fingerprint sum;
  sum.add(text);
  return text + ",\n \"checksum\": \"" + sum.text() + "\"\n}\n";
}

Json without_checksum(const std::string& text) {
  Json object = Json::parse(text);
  object.erase("checksum");
  return object;
}

// A search of all subsets of 3 of 11 features, its answer, and honest checkpoints of it.
class JuntaCheckpointText : public ::testing::Test {
 protected:
  static constexpr std::size_t features = 11;
  static constexpr std::size_t k = 3;

  JuntaCheckpointText() : source_(made()) {
    options_.k = k;
    options_.top = 6;
    answer_ = run(nullptr);
    MemoryCheckpoint checkpoint;
    (void)run(&checkpoint);
    done_ = checkpoint.text;
    JuntaOptions all = options_;
    all.top = 1000;
    all.checkpoint = nullptr;
    NoProgress quiet;
    for (const Candidate& subset : learn(source_, all, quiet).candidates) {
      std::vector<std::size_t> positions;
      for (const std::string& name : subset.features) positions.push_back(std::stoul(name) - 1);
      scores_.push_back({positions, *subset.score});
    }
  }

  std::string run(Checkpoint* checkpoint) {
    options_.checkpoint = checkpoint;
    NoProgress quiet;
    return to_json(learn(source_, options_, quiet));
  }

  // As if searchers had done some ranges of the subsets.
  [[nodiscard]] Json partial(Random& random) const {
    Json object = without_checksum(done_);
    NumberRanges ranges;
    for (std::size_t count = 1 + random.below(5); count-- > 0;) {
      const std::size_t first = random.below(scores_.size());
      ranges.add({first, first + 1 + random.below(scores_.size() - first)});
    }
    object["done"] = Json::array();
    for (const NumberRange& range : ranges.list()) {
      object["done"].push_back({range.first, range.end});
    }
    object["best"] = Json::array();
    for (const auto& [subset, score] : scores_) {
      if (object["best"].size() == options_.top) break;
      if (!ranges.contains(subset_number(subset))) continue;
      object["best"].push_back({{"features", subset}, {"score", score}});
    }
    return object;
  }

  // The error, or nothing where the answer is that of an undisturbed run. What is refused is left
  // alone.
  std::string refusal(const std::string& text) {
    MemoryCheckpoint checkpoint(text);
    try {
      EXPECT_EQ(run(&checkpoint), answer_) << text;
      return {};
    } catch (const Error& error) {
      EXPECT_EQ(checkpoint.saves, 0U);
      EXPECT_THAT(error.what(), HasSubstr("memory"));
      return error.what();
    }
  }

  std::string refusal(const Json& object) { return refusal(with_checksum(object)); }

  MemorySource source_;
  JuntaOptions options_;
  std::string answer_;
  std::string done_;
  std::vector<std::pair<std::vector<std::size_t>, double>> scores_;

 private:
  static MemorySource made() {
    Random random(11);
    Schema schema;
    std::vector<double> values;
    std::vector<double> sum(150);
    for (std::size_t j = 0; j <= features; ++j) {
      std::vector<double> column = random.signs(sum.size(), 0.3 + 0.04 * static_cast<double>(j));
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += j < 4 ? column[i] : 0;
      if (j == features) {
        for (std::size_t i = 0; i < sum.size(); ++i) column[i] = sum[i] + column[i] > 0 ? 1 : 0;
        schema.label = Column{"y", j, ColumnKind::numeric, {}};
      } else {
        schema.features.push_back({fmt::format("{}", j + 1), j, ColumnKind::numeric, {}});
      }
      values.insert(values.end(), column.begin(), column.end());
    }
    return {schema, values, sum.size()};
  }
};

TEST_F(JuntaCheckpointText, MayHaveAnyRangesDone) {
  Random random(1);
  ASSERT_EQ(scores_.size(), 165U);
  EXPECT_EQ(refusal(done_), "");
  for (int round = 0; round < 100; ++round) EXPECT_EQ(refusal(partial(random)), "");
}

TEST_F(JuntaCheckpointText, DamagedInAnyByteIsRefused) {
  Random random(2);
  const std::string text = with_checksum(partial(random));
  ASSERT_EQ(refusal(text), "");
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string flipped = text;
    flipped[i] = static_cast<char>(flipped[i] ^ 1 << random.below(8));
    EXPECT_NE(refusal(flipped), "") << i;
    if (i > 0) {
      EXPECT_NE(refusal(text.substr(0, i)), "") << i;
    }
  }
  EXPECT_NE(refusal(text + "\n"), "");
  EXPECT_NE(refusal(text + text), "");
}

// Every place of an object where a value can be.
void collect(Json& value, std::vector<Json*>& places) {
  places.push_back(&value);
  if (!value.is_structured()) return;
  for (Json& inner : value) collect(inner, places);
}

Json strange(Random& random) {
  static const std::vector<Json> values{nullptr,
                                        true,
                                        "",
                                        "x",
                                        -1,
                                        0,
                                        1,
                                        3,
                                        10,
                                        165,
                                        166,
                                        999999,
                                        1000000,
                                        UINT64_MAX,
                                        0.5,
                                        1e300,
                                        2.0,
                                        -0.25,
                                        1e-300,
                                        Json::object(),
                                        Json::array(),
                                        {1, 2, 3},
                                        {{"features", {0, 1, 2}}, {"score", 9.5}}};
  return values[random.below(values.size())];
}

NumberRanges ranges_of(const Json& object) {
  NumberRanges ranges;
  for (const Json& pair : object.at("done")) {
    const auto bound = [&](std::size_t side) {
      const Json& value = pair.at(side);
      if (!value.is_number_unsigned()) throw std::invalid_argument("not a count");
      return value.get<std::uint64_t>();
    };
    ranges.add({bound(0), bound(1)});
  }
  return ranges;
}

// Does the object claim that more is done than was? No reader can know that it is not true.
bool claims_more(const Json& object, const NumberRanges& honest) {
  try {
    NumberRanges all = honest;
    const NumberRanges claimed = ranges_of(Json::parse(object.dump()));  // as a reader sees it
    for (const NumberRange& range : claimed.list()) {
      if (range.first < range.end) all.add(range);
    }
    return all.size() > honest.size();
  } catch (const std::exception&) {
    return false;
  }
}

TEST_F(JuntaCheckpointText, EditedWithARightChecksumDoesNotChangeTheAnswer) {
  Random random(7);
  std::size_t refused = 0;
  std::size_t tried = 0;
  for (int round = 0; round < 3000; ++round) {
    Json object = partial(random);
    const NumberRanges honest = ranges_of(object);
    for (std::size_t edits = 1 + random.below(2); edits-- > 0;) {
      std::vector<Json*> places;
      collect(object, places);
      Json& place = *places[random.below(places.size())];
      const std::size_t how = random.below(4);
      if (how == 0 && place.is_array() && !place.empty()) {
        place.erase(random.below(place.size()));
      } else if (how == 1 && place.is_array() && !place.empty()) {
        place.push_back(place[random.below(place.size())]);
      } else if (how == 2 && place.is_number_unsigned()) {
        place = place.get<std::uint64_t>() + 1 - 2 * random.below(2);
      } else {
        place = strange(random);
      }
      if (!object.is_object()) break;
    }
    if (!object.is_object() || claims_more(object, honest)) continue;
    ++tried;
    if (!refusal(object).empty()) ++refused;
  }
  EXPECT_GT(tried, 2000U);
  EXPECT_GT(refused, 1500U);
}

TEST_F(JuntaCheckpointText, SaysWhatIsWrong) {
  const auto edited = [&](const std::function<void(Json&)>& edit) {
    Json object = without_checksum(done_);
    edit(object);
    return refusal(object);
  };
  EXPECT_THAT(edited([](Json& o) { o["best"][0]["features"][2] = 999999; }),
              HasSubstr("999999 in \"best\" is no feature"));
  EXPECT_THAT(edited([](Json& o) { o["best"] = Json::array(); }),
              HasSubstr("\"best\" has 0 subsets and not 6"));
  EXPECT_THAT(edited([](Json& o) {
                o["done"] = {{0, 1000000}};
              }),
              HasSubstr("0 to 1000000 in \"done\""));
  EXPECT_THAT(edited([](Json& o) { o["best"][0]["features"] = {0, 1, 2, 3, 4, 5, 6}; }),
              HasSubstr("has not 3 features"));
  EXPECT_THAT(edited([](Json& o) { o["best"][0]["score"] = 0.875; }),
              HasSubstr("scores are not those of the data"));
  EXPECT_THAT(edited([](Json& o) { std::swap(o["best"][0], o["best"][1]); }),
              HasSubstr("\"best\" is not in its order"));
  EXPECT_THAT(edited([](Json& o) { o.erase("done"); }), HasSubstr("\"done\" is missing"));
  EXPECT_THAT(edited([](Json& o) { o["version"] = 3; }), HasSubstr("is of format 3"));
  EXPECT_THAT(edited([](Json& o) { o["search"]["k"] = 4; }), HasSubstr("k is 4 there and 3 here"));
  EXPECT_THAT(edited([](Json& o) { o["search"]["learner"] = "erm"; }),
              HasSubstr("learner is \"erm\" there and \"fourier\" here"));
  EXPECT_THAT(edited([](Json& o) { o["search"]["data"] = "0"; }), HasSubstr("its data are others"));
  EXPECT_THAT(edited([](Json& o) { o["format"] = "notes"; }), HasSubstr("is not a checkpoint"));
  EXPECT_THAT(refusal(std::string(200000, '[')), HasSubstr("is not a checkpoint"));
  std::string text = done_;
  text[text.find("\"k\": 3") + 5] = '2';
  EXPECT_THAT(refusal(text), HasSubstr("checksum"));
}

// Files.

class CheckpointFiles : public io_test::IoTest {
 protected:
  [[nodiscard]] bool needs_arrow() const override { return false; }

  static std::string refusal(const std::string& path) {
    try {
      (void)checkpoint_file(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path("."))) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
};

TEST_F(CheckpointFiles, OnlyRegularFiles) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::filesystem::create_directory(path("folder"));
  std::filesystem::create_symlink("pipe", path("link"));
  for (const char* const name : {"pipe", "folder", "link"}) {
    EXPECT_THAT(refusal(path(name)), HasSubstr("is not a regular file"));
  }
  EXPECT_EQ(files(), (std::vector<std::string>{"folder", "link", "pipe"}));
}

TEST_F(CheckpointFiles, OneProcessAtATime) {
  const std::string name = path("run");
  auto first = checkpoint_file(name);
  first->save("a");
  EXPECT_THAT(refusal(name), HasSubstr(fmt::format("is in use by process {};", ::getpid())));
  std::filesystem::create_symlink("run", path("link"));
  EXPECT_THAT(refusal(path("link")), HasSubstr("is in use"));
  first->save("b");  // another file by now
  EXPECT_THAT(refusal(name), HasSubstr("is in use"));
  first.reset();
  EXPECT_EQ(files(), (std::vector<std::string>{"link", "run"}));
  (void)file("run.fsieve-lock", "fsieve lock: process 1 nowhere\n");  // left by a killed one
  EXPECT_EQ(checkpoint_file(name)->load(), "b");
  EXPECT_EQ(files(), (std::vector<std::string>{"link", "run"}));
  (void)file("run.fsieve-lock", "precious");
  EXPECT_THAT(refusal(name), HasSubstr("no lock of fsieve"));
  EXPECT_EQ(contents(path("run.fsieve-lock")), "precious");
}

TEST_F(CheckpointFiles, AreRemovedOnlyWhereThisRunHadThem) {
  const std::string name = file("run", "old");
  checkpoint_file(name)->save({});
  EXPECT_EQ(contents(name), "old");
  {
    const auto resumed = checkpoint_file(name);
    EXPECT_EQ(resumed->load(), "old");
    resumed->save({});
  }
  EXPECT_TRUE(files().empty());
  {
    const auto made = checkpoint_file(name);
    EXPECT_EQ(made->load(), "");
    made->save("new");
    std::filesystem::remove(name);
    ASSERT_EQ(::mkfifo(name.c_str(), 0600), 0);  // put there by somebody else
    made->save({});
  }
  EXPECT_EQ(files(), std::vector<std::string>{"run"});
}

}  // namespace
}  // namespace fsieve
