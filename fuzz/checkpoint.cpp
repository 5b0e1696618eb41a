// Checkpoints of learn. The checksum is put right, so that what it guards is reached; the word
// SEARCH stands for the identity of the search that the target runs.
#include "fsieve/checkpoint.h"

#include <vector>

#include "data/fingerprint.h"
#include "fsieve/junta.h"
#include "fuzz_target.h"

namespace fsieve::fuzz {
namespace {

class GivenCheckpoint final : public Checkpoint {
 public:
  explicit GivenCheckpoint(std::string text) : text_(std::move(text)) {}
  [[nodiscard]] std::string name() const override { return "run.state"; }
  std::string load() override { return text_; }
  void save(std::string_view text) override { text_ = text; }

 private:
  std::string text_;
};

// Six two-valued features, none of them constant; the label is a function of two of them, with
// errors. make_seeds.py has the same table.
MemorySource small_table() {
  constexpr std::size_t rows = 48;
  constexpr std::size_t features = 6;
  Schema schema;
  std::vector<double> values(rows * (features + 1));
  for (std::size_t j = 0; j <= features; ++j) {
    schema.features.push_back({std::string(1, static_cast<char>('a' + j)), j, {}, {}});
    for (std::size_t i = 0; i < rows; ++i) {
      values[j * rows + i] = static_cast<double>(i * (j + 1) % 7 % 2);
    }
  }
  schema.label = schema.features.back();
  schema.features.pop_back();
  for (std::size_t i = 0; i < rows; ++i) {
    const bool odd = values[rows + i] != values[3 * rows + i];
    values[features * rows + i] = odd != (i % 11 == 0) ? 1 : 0;
  }
  return {std::move(schema), std::move(values), rows};
}

std::string answer(Checkpoint* checkpoint) {
  static const MemorySource source = small_table();
  JuntaOptions options;
  options.k = 2;
  options.top = 3;
  options.checkpoint = checkpoint;
  NoProgress progress;
  return to_json(learn(source, options, progress));
}

// The member "search" of a checkpoint of this run.
std::string true_identity() {
  GivenCheckpoint checkpoint("");
  static_cast<void>(answer(&checkpoint));
  const std::string text = checkpoint.load();
  const std::size_t key = text.find("\"search\"");
  const std::size_t first = text.find('{', key);
  const std::size_t last = text.find('}', first);
  expect(key != std::string::npos && last != std::string::npos, "a checkpoint names its search");
  return text.substr(first, last + 1 - first);
}

std::string with_identity(std::string text) {
  static const std::string identity = true_identity();
  constexpr std::string_view placeholder = "SEARCH";
  const std::size_t at = text.find(placeholder);
  if (at != std::string::npos) text.replace(at, placeholder.size(), identity);
  return text;
}

std::string with_checksum(const std::string& content) {
  Fingerprint sum;
  sum.add(std::string_view(content));
  return content + ",\n \"checksum\": \"" + sum.text() + "\"\n}\n";
}

}  // namespace
}  // namespace fsieve::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fsieve;
  const std::string content = fuzz::with_identity(std::string(fuzz::text_of(data, size)));
  for (const std::string& text : {content, fuzz::with_checksum(content)}) {
    fuzz::GivenCheckpoint checkpoint(text);
    std::string found;
    if (!fuzz::accepted([&] { found = fuzz::answer(&checkpoint); })) continue;
    // What the run left is a checkpoint of a search that is done: it gives the same once more.
    fuzz::expect(fuzz::answer(&checkpoint) == found, "a finished search stays as it is");
  }
  return 0;
}
