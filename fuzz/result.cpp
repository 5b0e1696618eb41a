// Saved results of reduce and select.
#include "fsieve/result.h"

#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fsieve;
  const std::string text(fuzz::text_of(data, size));
  SavedResult result;
  if (!fuzz::accepted([&] { result = result_from_json(text, "r.json"); })) return 0;
  fuzz::accepted([&] { static_cast<void>(to_report(result, {.width = 80, .colour = true})); });
  const std::string written = to_json(result);
  fuzz::expect(to_json(result_from_json(written, "r.json")) == written, "written as it was read");
  return 0;
}
