// The Gram engine of the greedy methods: inner products of the new functions with [kept functions |
// new functions | all columns] in one pass over the rows, then Cholesky rows that skip functions
// that are combinations of others. It never holds the data.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include "fsieve/error.h"
#include "span/device_wave.h"
#include "span/greedy_basis.h"
#include "span/products.h"
#include "span/wave.h"

namespace fsieve::inline span {
namespace {

// A function of whose squared norm no more than this is left is a combination of others. Where a
// share s was left of an earlier function, rounding leaves about 1e-16/√s of any other: s must be
// well above that.
constexpr double dependent = 1e-9;
constexpr std::size_t greedy_panel_width = 64;
constexpr std::size_t most_bytes = std::size_t{512} << 20U;

bool has_power(const std::vector<Parity>& functions) {
  return std::any_of(functions.begin(), functions.end(), [](const Parity& function) {
    std::vector<std::uint32_t> columns(function.columns().begin(), function.columns().end());
    std::sort(columns.begin(), columns.end());
    return std::adjacent_find(columns.begin(), columns.end()) != columns.end();
  });
}

class GreedyGram final : public GreedyBasis {
 public:
  GreedyGram(const Source& source, const Design& design, std::size_t columns, bool constant,
             AskForDevice ask, Progress& progress)
      : GreedyBasis(design, columns, constant),
        source_(source),
        design_(design),
        products_(source, design),
        ask_(std::move(ask)),
        progress_(progress),
        singles_(columns) {
    std::iota(singles_.begin(), singles_.end(), std::size_t{0});
  }

  [[nodiscard]] Engine engine() const override { return Engine::gram; }

  void add(const std::vector<Parity>& functions) override {
    // Bits can be counted for products of different columns only.
    if (has_power(functions)) counting_ = Counting::never;
    for (std::size_t from = 0; from < functions.size() && !full();) {
      const std::size_t count = pass_width(functions.size() - from);
      const auto begin = functions.begin() + static_cast<std::ptrdiff_t>(from);
      add_pass({begin, begin + static_cast<std::ptrdiff_t>(count)});
      from += count;
    }
  }

 private:
  [[nodiscard]] std::size_t pass_width(std::size_t wanted) const {
    const std::size_t height = rank() + wanted + singles_.size();
    return std::clamp<std::size_t>(most_bytes / sizeof(double) / height, 1, wanted);
  }

  void add_pass(const std::vector<Parity>& functions) {
    if (on_device(functions)) {
      DeviceWave matrix = naming_the_first_row_at_fault(
          functions, [&] { return DeviceWave(*device_, kept_, functions, singles_, progress_); });
      return add_from(matrix, functions);
    }
    Buffer products = naming_the_first_row_at_fault(functions, [&] {
      return products_.inner(kept_, functions, singles_, progress_, counting_);
    });
    WaveMatrix matrix(std::move(products), rank(), functions.size(), singles_.size());
    add_from(matrix, functions);
  }

  // How long a run will be shows on the way: a device is asked for as much work as was done.
  [[nodiscard]] bool on_device(const std::vector<Parity>& functions) {
    const auto added = static_cast<double>(functions.size());
    const auto height = static_cast<double>(rank() + singles_.size()) + added / 2;
    work_ += static_cast<double>(source_.rows()) * height * added;
    if (counting_ == Counting::allowed &&
        can_be_counted(source_, design_, kept_, functions, singles_)) {
      return false;
    }
    if (!device_) {
      auto device = ask_(work_);
      if (!device) return false;
      device_ = std::make_unique<DeviceTable>(std::move(device), source_, design_);
    }
    return DeviceWave::fits(*device_, kept_.size(), functions.size(), singles_.size());
  }

  template <class Matrix>
  void add_from(Matrix& matrix, const std::vector<Parity>& functions) {
    const std::size_t before = rank();
    const std::vector<double> norm2 = matrix.squares();
    for (std::size_t q = 0; q < functions.size(); ++q) {
      if (!std::isfinite(norm2[q])) too_large(functions[q]);
    }
    matrix.project_out(lower_.data(), lower_.stride(), coordinates_);

    std::vector<std::size_t> added;  // the functions of this pass that stay
    const auto keep = [&](std::size_t q) {
      const double left = matrix.residual2(q);
      if (before + added.size() >= dimensions_ || !(left > dependent * norm2[q])) return false;
      weakest_ = std::min(weakest_, left / norm2[q]);
      added.push_back(q);
      return true;
    };
    for (std::size_t begin = 0; begin < functions.size(); begin += greedy_panel_width) {
      matrix.factorise(begin, std::min(begin + greedy_panel_width, functions.size()), keep);
    }
    matrix.form_singles();
    matrix.fetch();
    std::vector<double> row;
    std::vector<double> coordinates(singles_.size());
    for (std::size_t i = 0; i < added.size(); ++i) {
      const std::size_t q = added[i];
      row.clear();
      for (std::size_t k = 0; k < before; ++k) row.push_back(matrix.on_old(q, k));
      for (std::size_t k = 0; k <= i; ++k) row.push_back(matrix.on_new(q, added[k]));
      lower_.add(row);
      kept_.push_back(functions[q]);
      for (std::size_t s = 0; s < singles_.size(); ++s) {
        coordinates[s] = matrix.single_on_new(s, q);
      }
      take_out(coordinates);
    }
  }

  template <class Form>
  [[nodiscard]] std::invoke_result_t<Form> naming_the_first_row_at_fault(
      const std::vector<Parity>& functions, const Form& form) const {
    try {
      return form();
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::data) throw;
    }
    // Blocks are worked on side by side: which one complains first is chance. The first row with
    // something wrong is found by reading on one thread.
    const auto reader = source_.open();
    Block block;
    while (reader->next(block)) {
      StandardisedRows rows(design_, columns_of(functions));
      rows.fill(block, 0, block.rows);
    }
    throw Error("a function has a value that is not finite");
  }

  [[noreturn]] void too_large(const Parity& function) const {
    throw Error(fmt::format("the function {} has values too large to be squared",
                            design_.columns[function.columns()[0]].name));
  }

  const Source& source_;
  const Design& design_;
  Products products_;
  AskForDevice ask_;
  std::unique_ptr<DeviceTable> device_;
  double work_ = 0;  // multiply-adds so far
  Progress& progress_;
  std::vector<std::size_t> singles_;  // all columns of the data
  Counting counting_ = Counting::allowed;
};

}  // namespace

std::unique_ptr<GreedyBasis> make_greedy_gram(const Source& source, const Design& design,
                                              std::size_t columns, bool constant, AskForDevice ask,
                                              Progress& progress) {
  return std::make_unique<GreedyGram>(source, design, columns, constant, std::move(ask), progress);
}

}  // namespace fsieve::span
