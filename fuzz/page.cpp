// The results in a page of `fsieve report`.
#include "fsieve/model.h"
#include "fsieve/result.h"
#include "fuzz_target.h"
#include "page/report_page.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fsieve;
  const std::string text(fuzz::text_of(data, size));
  std::optional<ReportParts> parts;
  if (!fuzz::accepted([&] { parts = report_parts_in(text); }) || !parts) return 0;
  fuzz::accepted([&] { static_cast<void>(result_from_json(parts->reduce, "page.html")); });
  fuzz::accepted([&] { static_cast<void>(model_from_json(parts->learn, "page.html")); });
  const auto again = report_object(*parts);
  fuzz::expect(again.size() == 3, "three results");
  return 0;
}
