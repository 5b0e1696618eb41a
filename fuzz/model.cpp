// Saved models.
#include "fsieve/model.h"

#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fsieve;
  const std::string text(fuzz::text_of(data, size));
  static_cast<void>(is_model(text));
  Model model;
  if (!fuzz::accepted([&] { model = model_from_json(text, "m.json"); })) return 0;
  fuzz::accepted([&] { static_cast<void>(to_report(model, {.width = 80, .colour = true})); });
  const std::string written = to_json(model);
  fuzz::expect(to_json(model_from_json(written, "m.json")) == written, "written as it was read");
  return 0;
}
