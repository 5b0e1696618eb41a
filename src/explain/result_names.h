// The words JSON, reports and options use for enumerators.
#pragma once

#include <string_view>

#include "fsieve/uffs.h"

namespace fsieve {

[[nodiscard]] std::string_view name_of(Reason reason);
[[nodiscard]] std::string_view name_of(Engine engine);
[[nodiscard]] std::string_view name_of(Order order);
[[nodiscard]] std::string_view name_of(Groups groups);

// The way back; false when there is no such name.
[[nodiscard]] bool value_of(std::string_view name, Reason& reason);
[[nodiscard]] bool value_of(std::string_view name, Engine& engine);

}  // namespace fsieve
