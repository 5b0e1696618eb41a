// Checkpoints of learn: one that is taken must lead to the answer of a run without it.
#include "fsieve/checkpoint.h"

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

// Six two-valued features; the label is a function of two of them, with errors.
MemorySource small_table() {
  constexpr std::size_t rows = 48;
  constexpr std::size_t features = 6;
  Schema schema;
  std::vector<double> values(rows * (features + 1));
  for (std::size_t j = 0; j <= features; ++j) {
    schema.features.push_back({std::string(1, static_cast<char>('a' + j)), j, {}, {}});
    for (std::size_t i = 0; i < rows; ++i) {
      values[j * rows + i] = static_cast<double>(i * (2 * j + 3) % 7 % 2);
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

}  // namespace
}  // namespace fsieve::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fsieve;
  static const std::string right = fuzz::answer(nullptr);
  fuzz::GivenCheckpoint checkpoint{std::string(fuzz::text_of(data, size))};
  std::string found;
  if (!fuzz::accepted([&] { found = fuzz::answer(&checkpoint); })) return 0;
  fuzz::expect(found == right, "the answer does not depend on where a search went on from");
  return 0;
}
