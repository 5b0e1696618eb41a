// The words JSON, reports and options use for enumerators.
#pragma once

#include <string_view>

#include "fsieve/sffs.h"
#include "fsieve/uffs.h"

namespace fsieve::inline report {

[[nodiscard]] std::string_view name_of(Reason reason);
[[nodiscard]] std::string_view name_of(IgnoredColumn::Reason reason);
[[nodiscard]] std::string_view name_of(Engine engine);
[[nodiscard]] std::string_view name_of(Order order);
[[nodiscard]] std::string_view name_of(Groups groups);
[[nodiscard]] std::string_view name_of(Measure measure);
[[nodiscard]] std::string_view name_of(Score score);

// The way back; false when there is no such name.
[[nodiscard]] bool value_of(std::string_view name, Reason& reason);
[[nodiscard]] bool value_of(std::string_view name, IgnoredColumn::Reason& reason);
[[nodiscard]] bool value_of(std::string_view name, Engine& engine);
[[nodiscard]] bool value_of(std::string_view name, Measure& measure);

}  // namespace fsieve::report
