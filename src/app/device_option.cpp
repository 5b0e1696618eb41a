#include "app/device_option.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.h"
#include "base/number.h"
#include "device/open_screens.h"
#include "fsieve/error.h"

namespace fsieve::inline app {

namespace {

Device parse_device(const std::string& text) {
  constexpr std::string_view numbered = "cuda:";
  if (text == "auto") return {Device::Kind::automatic, std::nullopt};
  if (text == "cpu") return {Device::Kind::cpu, std::nullopt};
  if (text == "cuda") return {Device::Kind::cuda, std::nullopt};
  if (text.starts_with(numbered)) {
    const auto number = whole_number_in<int>(std::string_view(text).substr(numbered.size()));
    if (number && *number >= 0) return {Device::Kind::cuda, *number};
  }
  const std::vector<std::string_view> words{"auto", "cpu", "cuda", "cuda:N"};
  throw Error(fmt::format("--device: \"{}\" is not one of {}{}", text, fmt::join(words, ", "),
                          did_you_mean(text, "", words)),
              Error::Kind::usage);
}

}  // namespace

Device device_option(const OptionValues& values) {
  const Device device = parse_device(values.text("device").value_or("auto"));
  check_device(device);
  return device;
}

}  // namespace fsieve::app
