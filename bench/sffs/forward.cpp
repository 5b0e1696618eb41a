#include "sffs/forward.h"

#include <cmath>
#include <memory>

#include "data/supervised_data.h"
#include "fsieve/io.h"
#include "linalg/blas.h"
#include "methods/forward/forward.h"
#include "methods/forward/round.h"
#include "sffs/timing.h"

namespace fsieve::bench {
namespace {

using Function = std::vector<double>;

double dot(const Function& a, const Function& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// What is new in the functions beside the span, orthonormal: Gram-Schmidt, one by one.
std::vector<Function> new_functions(const std::vector<Function>& span,
                                    const std::vector<Function>& functions) {
  std::vector<Function> all = span;
  for (Function function : functions) {
    for (int pass = 0; pass < 2; ++pass) {
      for (const Function& q : all) {
        const double inner = dot(q, function);
        for (std::size_t i = 0; i < q.size(); ++i) function[i] -= inner * q[i];
      }
    }
    const double norm = std::sqrt(dot(function, function));
    if (norm * norm <= 1e-4 * static_cast<double>(function.size())) continue;
    for (double& value : function) value /= norm;
    all.push_back(function);
  }
  return {all.begin() + static_cast<std::ptrdiff_t>(span.size()), all.end()};
}

// A short round of the features found, with all that it says of some candidates made again.
void check(const SupervisedData& data, const std::vector<RelevantFeature>& selected) {
  const std::size_t n = data.rows();
  const auto functions_of = [&](std::size_t feature, const std::vector<Function>& products) {
    std::vector<Function> functions;
    const DesignFeature& columns = data.design.features[feature];
    for (const Function& product : products) {
      for (std::size_t c = columns.first; c < columns.last; ++c) {
        Function function = product;
        for (std::size_t i = 0; i < n; ++i) function[i] *= data.column(c)[i];
        functions.push_back(std::move(function));
      }
    }
    return functions;
  };
  Round round(data, data.features, 2);
  std::vector<Function> span{Function(n, 1 / std::sqrt(static_cast<double>(n)))};
  std::vector<Function> products{Function(n, 1.0)};
  for (std::size_t k = 0; k < 6; ++k) {
    const std::size_t taken = selected[k].feature;
    for (std::size_t feature = 0; feature < data.design.features.size(); feature += 97) {
      const auto& free = round.free();
      if (std::find(free.begin(), free.end(), feature) == free.end()) continue;
      double caught = 0;
      for (const Function& added : new_functions(span, functions_of(feature, products))) {
        for (std::size_t y = 0; y < data.label.columns(); ++y) {
          const auto from = round.residual().begin() + static_cast<std::ptrdiff_t>(y * n);
          caught += std::pow(dot(added, {from, from + static_cast<std::ptrdiff_t>(n)}), 2);
        }
      }
      require(std::abs(round.with_products(feature).caught - caught) < 1e-8 * round.left(),
              "a candidate is not worth what the search says");
    }
    for (Function& added : new_functions(span, functions_of(taken, products))) {
      span.push_back(std::move(added));
    }
    for (Function& own : functions_of(taken, {products[0]})) products.push_back(std::move(own));
    round.take_with_products(taken);
    require(round.rank() == span.size(), "the span has another rank");
  }
}

void forward(const Source& source, const std::string& name, double gemm_rate) {
  NoProgress progress;
  const SupervisedData data = make_supervised_data(source, Task::automatic, progress);
  SffsOptions options;
  options.folds = 0;
  options.k = 50;
  options.depth = 2;
  options.shape = Shape::plain;
  ForwardResult result;
  double work = 0;
  const Times time = times_of(3, [&] {
    const double before = blas::counted_multiply_adds();
    result = search_forward(data, options, {}, false, progress);
    work = blas::counted_multiply_adds() - before;
  });
  fmt::print(
      "forward     t = 2  n = {:6} d = {:5}   {:7.3f} s   k = 50, {}: {:9.2e} multiply-adds   "
      "{:5.1f} % of the matrix-product rate\n",
      data.rows(), data.features.size(), time.wall, name, work,
      100 * work / time.processor / gemm_rate);
  check(data, result.selected);
}

}  // namespace

void forward_on_file(const std::string& path, double gemm_rate) {
  ReadOptions options;
  options.label = "label";
  forward(*open_table(path, options).source, path.substr(path.rfind('/') + 1), gemm_rate);
}

// Columns that follow the class, each in its own way, with noise.
void forward_on_table(std::size_t rows, std::size_t columns, std::size_t classes,
                      double gemm_rate) {
  const std::vector<double> means = random_normals(classes * columns, 7);
  std::vector<double> values = random_normals(rows * (columns + 1), 8);
  Schema schema;
  for (std::size_t j = 0; j < columns; ++j) {
    schema.features.push_back({fmt::format("x{}", j + 1), j, ColumnKind::numeric, {}});
    for (std::size_t i = 0; i < rows; ++i) {
      values[j * rows + i] += 0.5 * means[i % classes * columns + j];
    }
  }
  schema.label = Column{"label", columns, ColumnKind::numeric, {}};
  for (std::size_t i = 0; i < rows; ++i) {
    values[columns * rows + i] = static_cast<double>(i % classes);
  }
  forward(MemorySource(std::move(schema), std::move(values), rows), "made up", gemm_rate);
}

}  // namespace fsieve::bench
