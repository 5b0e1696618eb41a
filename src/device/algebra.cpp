#include "device/algebra.h"

#include <fmt/format.h>

#include <array>

#include "device/device_library.h"
#include "device/open_screens.h"
#include "fsieve/error.h"

namespace fsieve::inline device {
namespace {

using blas::ColumnProducts;
using blas::Op;
using blas::Place;

fsieve_place given(const Place& place) { return {place.array, place.offset, place.stride}; }

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
  void call(Function function, Arguments... arguments) {
    Message message{};
    if (function(session_->algebra, arguments..., message.data(), message.size()) < 0) {
      session_->failed(message);
    }
  }

  void solve(int right, std::size_t m, std::size_t n, const Place& l, const Place& b) {
    if (m == 0 || n == 0) return;
    const fsieve_place triangle = given(l);
    const fsieve_place place = given(b);
    call(does().solve, right, m, n, &triangle, &place);
  }

  std::shared_ptr<Session> session_;
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
