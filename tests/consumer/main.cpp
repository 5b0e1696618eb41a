// Uses fsieve as another project would: a table in memory, a table in a file, and a refused one.
// Exits with 1 at the first wrong answer.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "fsieve/error.h"
#include "fsieve/io.h"
#include "fsieve/result.h"
#include "fsieve/uffs.h"
#include "fsieve/version.h"

namespace {

constexpr std::size_t rows = 400;

void expect(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "consumer: wrong: %s\n", what);
  std::exit(1);
}

double a(std::size_t i) { return std::sin(1.0 + 3.7 * static_cast<double>(i)); }
double b(std::size_t i) { return std::cos(2.0 + 5.3 * static_cast<double>(i)); }
double product(std::size_t i) { return 2 * a(i) * b(i); }

// Columns a, b and 2·a·b must give: keep a and b, remove the third by that equation.
void expect_product_found(const fsieve::Source& source) {
  const fsieve::UffsResult found = fsieve::uffs(source, {});
  expect(found.selected.size() == 2, "two features are kept");
  expect(found.removed.size() == 1 && found.removed[0].feature == 2, "the product is removed");
  expect(found.removed[0].reason == fsieve::Reason::redundant, "it is redundant");
  const std::vector<fsieve::Equation>& equations = found.removed[0].equations;
  expect(equations.size() == 1 && equations[0].terms.size() == 1, "its equation has one term");
  expect(std::abs(equations[0].terms[0].coefficient - 2) < 1e-9, "the coefficient is 2");
  expect(equations[0].terms[0].factors == std::vector<std::string>{"a", "b"}, "of a and b");
  expect(fsieve::describe(found, source).removed[0].name == "product", "results carry names");
}

void from_memory() {
  fsieve::Schema schema;
  schema.features = {{"a", 0}, {"b", 1}, {"product", 2}};
  std::vector<double> values;  // column by column
  for (std::size_t i = 0; i < rows; ++i) values.push_back(a(i));
  for (std::size_t i = 0; i < rows; ++i) values.push_back(b(i));
  for (std::size_t i = 0; i < rows; ++i) values.push_back(product(i));
  expect_product_found(fsieve::MemorySource(schema, values, rows));
}

void from_file(const std::string& path) {
  {
    std::ofstream csv(path);
    csv.precision(17);
    csv << "a,b,product\n";
    for (std::size_t i = 0; i < rows; ++i) csv << a(i) << ',' << b(i) << ',' << product(i) << '\n';
  }
  const auto [source, warnings] = fsieve::open_table(path);
  expect(source->rows() == rows && source->schema().features.size() == 3, "the file's shape");
  expect(warnings.empty(), "nothing to warn of");
  expect_product_found(*source);
}

void from_nowhere() {
  try {
    (void)fsieve::open_table("no-such-file.csv");
  } catch (const fsieve::Error& error) {
    expect(error.kind() == fsieve::Error::Kind::data, "a missing file is a data error");
    return;
  }
  expect(false, "a missing file is an error");
}

}  // namespace

int main() {
  expect(!fsieve::version().empty(), "the library knows its version");
  from_memory();
  from_file("consumer.csv");
  from_nowhere();
  std::printf("fsieve %s: all answers are right\n", fsieve::version().c_str());
}
