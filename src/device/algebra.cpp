#include "device/algebra.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "device/device_library.h"
#include "device/open_screens.h"
#include "fsieve/error.h"

namespace fsieve::inline device {
namespace {

using blas::Above;
using blas::ColumnProducts;
using blas::FoundEntries;
using blas::Op;
using blas::Place;

fsieve_place given(const Place& place) { return {place.array, place.offset, place.stride}; }
fsieve_above given(const Above& entries) { return {entries.m, entries.n, entries.first}; }

class DeviceAlgebra final : public blas::Accelerator {
 public:
  DeviceAlgebra(std::shared_ptr<const DeviceLibrary> library, int device)
      : session_(std::make_shared<Session>(std::move(library), device)) {}

  [[nodiscard]] std::size_t room() const override { return does().room(session_->algebra); }

  [[nodiscard]] Array take(std::size_t count) override {
    Message message{};
    void* const array = does().take(session_->algebra, count, message.data(), message.size());
    if (array == nullptr) session_->failed(message);
    return {array, [session = session_](void* taken) {
              session->library->algebra.give(session->algebra, taken);
            }};
  }

  void put(const double* from, std::size_t from_stride, std::size_t rows, std::size_t columns,
           const Place& to) override {
    const fsieve_place place = given(to);
    call(does().put, from, from_stride, rows, columns, &place);
  }
  void get(const Place& from, std::size_t rows, std::size_t columns, double* to,
           std::size_t to_stride) override {
    const fsieve_place place = given(from);
    call(does().get, &place, rows, columns, to, to_stride);
  }
  void copy(const Place& from, std::size_t rows, std::size_t columns, const Place& to) override {
    const fsieve_place source = given(from);
    const fsieve_place target = given(to);
    call(does().copy, &source, rows, columns, &target);
  }

  void evaluate(const ColumnProducts& functions, const Place& columns, std::size_t rows,
                const Place& values) override {
    const fsieve_place from = given(columns);
    const fsieve_place to = given(values);
    call(does().evaluate, functions.factors, functions.count, functions.most, &from, rows, &to);
  }

  void gemm(Op a_op, Op b_op, std::size_t m, std::size_t n, std::size_t k, double alpha,
            const Place& a, const Place& b, double beta, const Place& c) override {
    if (m == 0 || n == 0) return;
    const fsieve_place left = given(a);
    const fsieve_place right = given(b);
    const fsieve_place to = given(c);
    call(does().gemm, transposes(a_op), transposes(b_op), m, n, k, alpha, &left, &right, beta, &to);
  }
  void syrk_lower(Op op, std::size_t n, std::size_t k, double alpha, const Place& a, double beta,
                  const Place& c) override {
    if (n == 0) return;
    const fsieve_place factor = given(a);
    const fsieve_place to = given(c);
    call(does().syrk, transposes(op), n, k, alpha, &factor, beta, &to);
  }
  void solve_lower(std::size_t m, std::size_t n, const Place& l, const Place& b) override {
    solve(0, m, n, l, b);
  }
  void solve_right_transposed(std::size_t m, std::size_t n, const Place& l,
                              const Place& b) override {
    solve(1, m, n, l, b);
  }

  void shares(const Above& entries, std::size_t labels, const Place& inner, const Place& norms,
              const Place& to) override {
    const fsieve_above above = given(entries);
    const fsieve_place from = given(inner);
    const fsieve_place squares = given(norms);
    const fsieve_place target = given(to);
    call(does().shares, &above, labels, &from, &squares, &target);
  }
  [[nodiscard]] FoundEntries find(const Above& entries, const Place& a, const Place* b,
                                  const Place& row_terms, const Place& column_terms, double least,
                                  std::size_t room) override {
    const fsieve_above above = given(entries);
    const fsieve_place first = given(a);
    const fsieve_place second = b != nullptr ? given(*b) : fsieve_place{};
    const fsieve_place of_rows = given(row_terms);
    const fsieve_place of_columns = given(column_terms);
    list_.resize(room);
    FoundEntries found;
    found.count =
        static_cast<std::size_t>(call(does().find, &above, &first, b != nullptr ? &second : nullptr,
                                      &of_rows, &of_columns, least, room, list_.data()));
    for (std::size_t k = 0; k < std::min(found.count, room); ++k) {
      found.listed.push_back({list_[k].row, list_[k].column, list_[k].value});
    }
    return found;
  }

  void keep_pace() override { call(does().keep_pace); }

 private:
  using Message = std::array<char, 512>;

  // Arrays may outlive the accelerator that gave them, but not what they are given back to.
  struct Session {
    Session(std::shared_ptr<const DeviceLibrary> known, int number)
        : library(std::move(known)), device(number) {
      Message message{};
      algebra = library->algebra.open(device, message.data(), message.size());
      if (algebra == nullptr) failed(message);
    }
    ~Session() { library->algebra.close(algebra); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    [[noreturn]] void failed(const Message& message) const {
      throw Error(fmt::format("GPU {}: {}; --device cpu does without it", device, message.data()));
    }

    std::shared_ptr<const DeviceLibrary> library;
    int device;
    void* algebra = nullptr;
  };

  static int transposes(Op op) { return op == Op::transpose ? 1 : 0; }

  [[nodiscard]] const AlgebraFunctions& does() const { return session_->library->algebra; }

  template <class Function, class... Arguments>
  std::int64_t call(Function function, Arguments... arguments) {
    Message message{};
    const std::int64_t answer =
        function(session_->algebra, arguments..., message.data(), message.size());
    if (answer < 0) session_->failed(message);
    return answer;
  }

  void solve(int right, std::size_t m, std::size_t n, const Place& l, const Place& b) {
    if (m == 0 || n == 0) return;
    const fsieve_place triangle = given(l);
    const fsieve_place place = given(b);
    call(does().solve, right, m, n, &triangle, &place);
  }

  std::shared_ptr<Session> session_;
  std::vector<fsieve_entry> list_;
};

// A core does some 1.5e10 multiply-adds per second, a GPU some 2e13, and it takes a moment to wake
// up (docs/gpu.md). How many cores there are does not count: last digits depend on who multiplies,
// and must not depend on the number of threads.
bool worth_it(double multiply_adds) {
  constexpr double cores = 4;
  const double on_gpu = 1.5 + multiply_adds / 5e12;
  return multiply_adds / (1.5e10 * cores) > 2 * on_gpu;
}

}  // namespace

std::shared_ptr<blas::Accelerator> open_accelerator(const Device& device, double multiply_adds) {
  if (device.kind == Device::Kind::cpu) return nullptr;
  const bool welcome = device.kind == Device::Kind::automatic;
  if (welcome && !worth_it(multiply_adds)) return nullptr;
  try {
    check_device({Device::Kind::cuda, device.number});
    return std::make_shared<DeviceAlgebra>(device_library(), device.number.value_or(0));
  } catch (const Error&) {
    if (!welcome) throw;
    return nullptr;  // no GPU, or no library for its matrices
  }
}

}  // namespace fsieve::device
