// One function per subcommand; each has its own file.
#pragma once

#include "app/option_values.h"

namespace fsieve::cli {

void reduce(const OptionValues& values);
void select(const OptionValues& values);
void learn(const OptionValues& values);
void predict(const OptionValues& values);
void bounds(const OptionValues& values);
void report(const OptionValues& values);
void apply(const OptionValues& values);
void show(const OptionValues& values);
void generate(const OptionValues& values);
void demo(const OptionValues& values);
void options(const OptionValues& values);

}  // namespace fsieve::cli
