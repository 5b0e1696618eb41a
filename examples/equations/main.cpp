// Prints the equations of the redundant columns of a file: equations FILE
#include <iostream>

#include "fsieve/error.h"
#include "fsieve/io.h"
#include "fsieve/uffs.h"

int main(int argc, char** argv) try {
  if (argc != 2) throw fsieve::Error("usage: equations FILE", fsieve::Error::Kind::usage);
  const auto table = fsieve::open_table(argv[1]);
  const auto result = fsieve::uffs(*table.source, {});
  for (const auto& removed : result.removed) {
    for (const auto& equation : removed.equations) {
      std::cout << fsieve::to_text(equation) << "   (R2 = " << equation.r2 << ")\n";
    }
  }
} catch (const fsieve::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
