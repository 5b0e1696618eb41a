// The matrices of libfsieve_cuda.so: every operation against loops of the CPU on awkward sizes,
// then the rates of what the gram engine asks for, beside cuBLAS' best.
//   bench_algebra [--check]       --check: no times
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "cublas.h"
#include "device/algebra_abi.h"

namespace {

using Numbers = std::vector<double>;
using Clock = std::chrono::steady_clock;

char message[512];

void check(bool right, const char* what) {
  if (right) return;
  std::printf("WRONG: %s %s\n", what, message);
  std::exit(1);
}

std::mt19937_64 bits(7);

Numbers random(std::size_t count) {
  std::normal_distribution<double> normal;
  Numbers values(count);
  for (double& value : values) value = normal(bits);
  return values;
}

std::size_t below(std::size_t limit) { return bits() % limit; }

// The device, and matrices on it that are poisoned before they are written.
class Device {
 public:
  Device() : algebra_(fsieve_algebra_open(0, message, sizeof message)) {
    check(algebra_ != nullptr, "open");
  }
  ~Device() { fsieve_algebra_close(algebra_); }

  void* get() const { return algebra_; }
  void* take(std::size_t count) {
    void* array = fsieve_algebra_take(algebra_, count, message, sizeof message);
    check(array != nullptr, "take");
    return array;
  }
  void give(void* array) { fsieve_algebra_give(algebra_, array); }
  void put(const Numbers& from, std::size_t rows, const fsieve_place& to) {
    check(fsieve_algebra_put(algebra_, from.data(), rows, rows, from.size() / rows, &to, message,
                             sizeof message) == 0,
          "put");
  }
  Numbers fetch(const fsieve_place& from, std::size_t rows, std::size_t columns) {
    Numbers to(rows * columns, NAN);
    check(fsieve_algebra_get(algebra_, &from, rows, columns, to.data(), rows, message,
                             sizeof message) == 0,
          "get");
    return to;
  }
  void wait(void* array) {
    const fsieve_place one{array, 0, 1};
    fetch(one, 1, 1);
  }

 private:
  void* algebra_;
};

double distance(const Numbers& a, const Numbers& b) {
  double difference = 0;
  double size = 1e-300;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(difference / size);
}

double at(const Numbers& m, std::size_t rows, bool transposed, std::size_t i, std::size_t j) {
  return transposed ? m[j + i * rows] : m[i + j * rows];
}

// A matrix on the device, columns one after another.
class Matrix {
 public:
  Matrix(Device& device, const Numbers& values, std::size_t rows, std::size_t offset = 0)
      : device_(device),
        rows_(rows),
        columns_(values.size() / rows),
        place_{device.take(values.size() + offset), offset, rows} {
    device.put(values, rows, place_);
  }
  ~Matrix() { device_.give(place_.array); }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  const fsieve_place* operator&() const { return &place_; }
  Numbers fetch() const { return device_.fetch(place_, rows_, columns_); }

 private:
  Device& device_;
  std::size_t rows_, columns_;
  fsieve_place place_;
};

// alpha op(A) op(B) + beta C, entry by entry.
struct Product {
  const Numbers& a;
  std::size_t a_rows;
  bool a_op;
  const Numbers& b;
  std::size_t b_rows;
  bool b_op;
  std::size_t inner;

  double at(std::size_t i, std::size_t j) const {
    double sum = 0;
    for (std::size_t l = 0; l < inner; ++l) {
      sum += ::at(a, a_rows, a_op, i, l) * ::at(b, b_rows, b_op, l, j);
    }
    return sum;
  }
};

void check_products(Device& device) {
  for (int turn = 0; turn < 24; ++turn) {
    const bool a_op = below(2) != 0;
    const bool b_op = below(2) != 0;
    const std::size_t m = 1 + below(300);
    const std::size_t n = 1 + below(turn % 6 == 0 ? 1500 : 200);
    const std::size_t k = 1 + below(400);
    const double beta = turn % 3 == 0 ? 0 : 1;
    const std::size_t a_rows = a_op ? k : m;
    const std::size_t b_rows = b_op ? n : k;
    const Numbers a = random(m * k);
    const Numbers b = random(k * n);
    const Numbers before = random(m * n);
    const Matrix pa(device, a, a_rows, 7);
    const Matrix pb(device, b, b_rows, 5);
    const Matrix pc(device, beta == 0 ? Numbers(m * n, NAN) : before, m);
    check(fsieve_algebra_gemm(device.get(), a_op, b_op, m, n, k, -0.5, &pa, &pb, beta, &pc, message,
                              sizeof message) == 0,
          "gemm");
    const Product product{a, a_rows, a_op, b, b_rows, b_op, k};
    Numbers expected(m * n);
    for (std::size_t i = 0; i < m * n; ++i) {
      expected[i] = -0.5 * product.at(i % m, i / m) + (beta == 0 ? 0 : before[i]);
    }
    check(distance(pc.fetch(), expected) < 1e-13, "gemm");
  }
}

void check_squares(Device& device) {
  for (const std::size_t n : {1, 17, 130, 1024, 1500}) {
    for (const bool op : {false, true}) {
      const std::size_t k = 1 + below(150);
      const std::size_t rows = op ? k : n;
      const Numbers a = random(n * k);
      const Numbers before = random(n * n);
      const Matrix pa(device, a, rows);
      const Matrix pc(device, before, n);
      check(
          fsieve_algebra_syrk(device.get(), op, n, k, 2, &pa, 1, &pc, message, sizeof message) == 0,
          "syrk");
      const Product square{a, rows, op, a, rows, !op, k};
      Numbers found = pc.fetch();
      Numbers expected(n * n);
      for (std::size_t i = 0; i < n * n; ++i) {
        if (i % n < i / n) {
          found[i] = 0;  // above the diagonal anything may be
        } else {
          expected[i] = 2 * square.at(i % n, i / n) + before[i];
        }
      }
      check(distance(found, expected) < 1e-13, "syrk");
    }
  }
}

void check_solutions(Device& device) {
  for (int turn = 0; turn < 16; ++turn) {
    const bool right = turn % 2 != 0;
    const std::size_t m = 1 + below(260);
    const std::size_t n = 1 + below(260);
    const std::size_t size = right ? n : m;
    Numbers l = random(size * size);
    for (std::size_t i = 0; i < size; ++i) l[i + i * size] = 30 + std::abs(l[i + i * size]);
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t i = 0; i < j; ++i) l[i + j * size] = NAN;  // nobody may look
    }
    const Numbers b = random(m * n);
    const Matrix pl(device, l, size);
    const Matrix pb(device, b, m);
    check(fsieve_algebra_solve(device.get(), right, m, n, &pl, &pb, message, sizeof message) == 0,
          "solve");
    Numbers x = b;
    const auto entry = [&](std::size_t i, std::size_t j) -> double& {
      return right ? x[j + i * m] : x[i + j * m];
    };
    for (std::size_t j = 0; j < (right ? m : n); ++j) {
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t k = 0; k < i; ++k) entry(i, j) -= l[i + k * size] * entry(k, j);
        entry(i, j) /= l[i + i * size];
      }
    }
    check(distance(pb.fetch(), x) < 1e-12, "solve");
  }
}

// Shares entry by entry, and those found again among all that are listed, or counted where the list
// is too short.
void check_sifting(Device& device) {
  for (int turn = 0; turn < 16; ++turn) {
    const std::size_t m = 1 + below(700);
    const std::size_t n = 1 + below(300);
    const std::size_t labels = 1 + below(4);
    const fsieve_above entries{m, n, static_cast<std::int64_t>(below(2 * m)) - 200};
    const auto above = [&](std::size_t k) {
      return static_cast<std::int64_t>(k % m) < static_cast<std::int64_t>(k / m) + entries.first;
    };
    const Numbers inner = random(m * n * labels);
    Numbers norms = random(m * n);
    for (double& norm : norms) norm *= norm;
    const Numbers more = random(m * n);
    const Numbers terms = random(m + n);
    const Matrix pi(device, inner, m, 3);
    const Matrix pn(device, norms, m);
    const Matrix ps(device, Numbers(m * n, 0), m);
    const Matrix pm(device, more, m);
    const Matrix rows(device, {terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(m)}, m);
    const Matrix columns(device, {terms.begin() + static_cast<std::ptrdiff_t>(m), terms.end()}, n);
    check(fsieve_algebra_shares(device.get(), &entries, labels, &pi, &pn, &ps, message,
                                sizeof message) == 0,
          "shares");
    Numbers expected(m * n);
    for (std::size_t k = 0; k < m * n; ++k) {
      for (std::size_t y = 0; above(k) && y < labels; ++y) {
        expected[k] += inner[k + y * m * n] * inner[k + y * m * n] / norms[k];
      }
    }
    check(distance(ps.fetch(), expected) < 1e-13, "shares");

    const double least = turn % 4 == 0 ? -1e300 : 3;
    const bool two = turn % 2 == 0;
    std::vector<char> wanted(m * n);
    std::size_t count = 0;
    for (std::size_t k = 0; k < m * n; ++k) {
      expected[k] += (two ? more[k] : 0) + terms[k % m] + terms[m + k / m];
      wanted[k] = above(k) && expected[k] >= least ? 1 : 0;
      count += wanted[k];
    }
    std::vector<fsieve_entry> found(turn % 3 == 0 ? count / 2 + 1 : m * n);
    const std::int64_t answer =
        fsieve_algebra_find(device.get(), &entries, &ps, two ? &pm : nullptr, &rows, &columns,
                            least, found.size(), found.data(), message, sizeof message);
    check(answer == static_cast<std::int64_t>(count), "find: how many");
    for (std::size_t e = 0; e < std::min(count, found.size()); ++e) {
      const std::size_t k = found[e].row + found[e].column * m;
      check(found[e].row < m && found[e].column < n && wanted[k] == 1 &&
                std::abs(found[e].value - expected[k]) < 1e-9 * (1 + std::abs(expected[k])),
            "find: an entry");
      wanted[k] = 0;  // each once
    }
  }
}

void check_functions(Device& device) {
  for (int turn = 0; turn < 12; ++turn) {
    const std::size_t rows = 1 + below(turn % 3 == 0 ? 5000 : 700);
    const std::size_t columns = 1 + below(40);
    const std::size_t count = 1 + below(300);
    const std::size_t most = below(7);
    const Numbers x = random(rows * columns);
    std::vector<std::uint32_t> factors(count * most);
    for (std::uint32_t& f : factors) {
      f = below(3) == 0 ? UINT32_MAX : static_cast<std::uint32_t>(below(columns));
    }
    void* arrays[3] = {device.take(rows * columns), device.take(rows * count),
                       device.take(rows * count)};
    const fsieve_place px{arrays[0], 0, rows};
    const fsieve_place pv{arrays[1], 0, rows};
    const fsieve_place pw{arrays[2], 0, rows};
    device.put(x, rows, px);
    device.put(Numbers(rows * count, NAN), rows, pv);
    check(fsieve_algebra_evaluate(device.get(), factors.data(), count, most, &px, rows, &pv,
                                  message, sizeof message) == 0,
          "evaluate");
    check(fsieve_algebra_copy(device.get(), &pv, rows, count, &pw, message, sizeof message) == 0,
          "copy");
    Numbers expected(rows * count, 1);
    for (std::size_t f = 0; f < count; ++f) {
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t k = 0; k < most; ++k) {
          const std::uint32_t column = factors[f * most + k];
          if (column != UINT32_MAX) expected[i + f * rows] *= x[i + column * rows];
        }
      }
    }
    check(device.fetch(pw, rows, count) == expected, "evaluate, not to the last digit");
    for (void* array : arrays) device.give(array);
  }
}

// Arrays are overwritten from the host while the last products of theirs are formed.
void check_streams(Device& device) {
  const std::size_t n = 700;
  const std::size_t rows = 3000;
  void* slots[2] = {device.take(n * rows), device.take(n * rows)};
  void* sums = device.take(n * n);
  const fsieve_place c{sums, 0, n};
  double total = 0;
  for (int turn = 0; turn < 12; ++turn) {
    const fsieve_place a{slots[turn % 2], 0, rows};
    device.put(Numbers(n * rows, turn + 1.0), rows, a);
    total += (turn + 1.0) * (turn + 1.0) * rows;
    check(fsieve_algebra_gemm(device.get(), 1, 0, n, n, rows, 1, &a, &a, turn == 0 ? 0 : 1, &c,
                              message, sizeof message) == 0,
          "gemm");
    check(fsieve_algebra_keep_pace(device.get(), message, sizeof message) == 0, "keep_pace");
  }
  check(device.fetch(c, n, n) == Numbers(n * n, total), "copies and products side by side");
  for (void* array : {slots[0], slots[1], sums}) device.give(array);
}

// Best of some turns, seconds.
double time_of(Device& device, void* array, const std::function<void()>& work) {
  work();
  device.wait(array);
  double best = 1e9;
  for (int turn = 0; turn < 5; ++turn) {
    const auto start = Clock::now();
    work();
    device.wait(array);
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

void line(const char* what, double seconds, double work, const char* unit, double of = 0) {
  std::printf("%-62s %9.3f ms %9.2f %s", what, 1e3 * seconds, work / seconds, unit);
  if (of > 0) std::printf("  %5.1f %%", 100 * work / seconds / of);
  std::printf("\n");
}

void rates(Device& device) {
  const std::size_t rows = 16384;
  const std::size_t columns = 30;
  std::vector<std::uint32_t> factors;  // all products of up to three
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    factors.insert(factors.end(), {a, b, c});
  };
  for (std::uint32_t a = 0; a < columns; ++a) {
    add(a, UINT32_MAX, UINT32_MAX);
    for (std::uint32_t b = 0; b < a; ++b) {
      add(a, b, UINT32_MAX);
      for (std::uint32_t c = 0; c < b; ++c) add(a, b, c);
    }
  }
  const std::size_t n = factors.size() / 3;
  const std::size_t even = (n + 7) / 8 * 8;
  void* x = device.take(rows * columns);
  void* v = device.take(rows * n);
  void* g = device.take(even * n);
  const fsieve_place px{x, 0, rows};
  const fsieve_place pv{v, 0, rows};
  const fsieve_place pg{g, 0, even};
  const Numbers some = random(rows * columns);
  line("put, 16384 x 30", time_of(device, x, [&] { device.put(some, rows, px); }),
       8e-9 * rows * columns, "GB/s");
  const auto evaluate = [&] {
    fsieve_algebra_evaluate(device.get(), factors.data(), n, 3, &px, rows, &pv, message,
                            sizeof message);
  };
  line("evaluate, 4525 functions", time_of(device, v, evaluate), 8e-9 * rows * n, "GB/s");
  Numbers host(n * n);
  line("get, 4525 x 4525",
       time_of(device, g,
               [&] {
                 fsieve_algebra_get(device.get(), &pg, n, n, host.data(), n, message,
                                    sizeof message);
               }),
       8e-9 * n * n, "GB/s");
  const double square = 2e-12 * n * n * rows;
  const double gemm = time_of(device, g, [&] {
    fsieve_algebra_gemm(device.get(), 1, 0, 4096, 4096, rows, 1, &pv, &pv, 0, &pg, message,
                        sizeof message);
  });
  const double rate = 2e-12 * 4096 * 4096 * rows / gemm;
  line("gemm, 4096 x 4096 x 16384: the device's DGEMM rate", gemm, rate * gemm, "TFLOP/s");
  const double syrk = time_of(device, g, [&] {
    fsieve_algebra_syrk(device.get(), 1, n, rows, 1, &pv, 0, &pg, message, sizeof message);
  });
  line("syrk, useful operations", syrk, square / 2, "TFLOP/s", rate);
  const double both = time_of(device, g, [&] {
    evaluate();
    fsieve_algebra_syrk(device.get(), 1, n, rows, 1, &pv, 0, &pg, message, sizeof message);
  });
  line("functions and their products, useful operations", both, square / 2, "TFLOP/s", rate);
  for (const std::size_t few : {512, 1024, 2048}) {
    const double part = time_of(device, g, [&] {
      fsieve_algebra_syrk(device.get(), 1, few, rows, 1, &pv, 0, &pg, message, sizeof message);
    });
    line(("syrk, " + std::to_string(few)).c_str(), part, 1e-12 * few * few * rows, "TFLOP/s", rate);
  }
  // A panel: 128 functions are taken out of the rest.
  const fsieve_place rest{v, 0, even};
  const fsieve_place l{x, 0, 128};
  Numbers triangle(128 * 128, 0.01);
  for (std::size_t i = 0; i < 128; ++i) triangle[i * 129] = 2;
  device.put(triangle, 128, l);
  line("solve on the right, 4525 x 128",
       time_of(device, v,
               [&] {
                 fsieve_algebra_solve(device.get(), 1, n, 128, &l, &rest, message, sizeof message);
               }),
       1e-12 * n * 128 * 128, "TFLOP/s", rate);
  line("a panel out of the rest, 4525 x 128",
       time_of(device, g,
               [&] {
                 fsieve_algebra_syrk(device.get(), 0, n, 128, -1, &rest, 1, &pg, message,
                                     sizeof message);
               }),
       1e-12 * n * n * 128, "TFLOP/s", rate);
  for (void* array : {x, v, g}) device.give(array);
}

// A table in chunks that do not stay on the device, as the gram engine walks it: how long the
// copies take alone, the products alone, and both, one beside the other.
void copies_beside_products(Device& device) {
  const std::size_t rows = 16384;
  const std::size_t columns = 1024;
  constexpr int chunks = 12;
  void* slots[2] = {device.take(rows * columns), device.take(rows * columns)};
  void* sums = device.take(columns * columns);
  const fsieve_place c{sums, 0, columns};
  const Numbers some = random(rows * columns);
  const auto walk = [&](bool copy, bool multiply, bool fresh) {
    for (int turn = 0; turn < chunks; ++turn) {
      void* const own = fresh ? device.take(rows * columns) : slots[turn % 2];
      const fsieve_place a{own, 0, rows};
      if (copy) device.put(some, rows, a);
      // Three times, so that both take about as long.
      for (int i = 0; multiply && i < 3; ++i) {
        fsieve_algebra_gemm(device.get(), 1, 0, columns, columns, rows, 1, &a, &a, 1, &c, message,
                            sizeof message);
      }
      fsieve_algebra_keep_pace(device.get(), message, sizeof message);
      if (fresh) device.give(own);
    }
  };
  device.put(some, rows, {slots[0], 0, rows});
  device.put(some, rows, {slots[1], 0, rows});
  device.put(Numbers(columns * columns), columns, c);
  const double bytes = 8e-9 * rows * columns * chunks;
  line("12 chunks of 16384 x 1024: copied",
       time_of(device, slots[1], [&] { walk(true, false, false); }), bytes, "GB/s");
  line("  multiplied", time_of(device, sums, [&] { walk(false, true, false); }), bytes, "GB/s");
  line("  copied and multiplied, in two arrays by turns",
       time_of(device, sums, [&] { walk(true, true, false); }), bytes, "GB/s");
  line("  the same, each in a new array", time_of(device, sums, [&] { walk(true, true, true); }),
       bytes, "GB/s");
  for (void* array : {slots[0], slots[1], sums}) device.give(array);
}

// What cuBLAS does itself for the lower triangle, and strips of several widths.
void ways_of_squares() {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  const fsieve_cuda::Cublas cublas(stream);
  const std::int64_t k = 16384;
  double* a = nullptr;
  double* c = nullptr;
  cudaMalloc(&a, 5000 * k * sizeof(double));
  cudaMalloc(&c, 5000 * 5000 * sizeof(double));
  const Numbers values = random(5000 * static_cast<std::size_t>(k));
  cudaMemcpy(a, values.data(), values.size() * sizeof(double), cudaMemcpyHostToDevice);
  const auto timed = [&](const std::function<void()>& work) {
    work();
    cudaStreamSynchronize(stream);
    double best = 1e9;
    for (int turn = 0; turn < 4; ++turn) {
      const auto start = Clock::now();
      work();
      cudaStreamSynchronize(stream);
      best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return best;
  };
  for (const std::int64_t n : {1024, 2048, 4525}) {
    for (const std::int64_t inner : {std::int64_t{128}, std::int64_t{7291}, k}) {
      const double work = 1e-12 * static_cast<double>(n * n * inner);
      const bool panel = inner == 128;
      const auto op = panel ? fsieve_cuda::Cublas::none : fsieve_cuda::Cublas::transpose;
      const auto other = panel ? fsieve_cuda::Cublas::transpose : fsieve_cuda::Cublas::none;
      const std::int64_t lda = panel ? n : inner;
      std::printf("squares, n %5ld k %5ld: cuBLAS %6.2f TFLOP/s", long(n), long(inner),
                  work / timed([&] { cublas.syrk(op, n, inner, 1, a, lda, 0, c, n); }));
      for (const std::int64_t strip : {256, 512, 1024, 2048, 5000}) {
        const double seconds = timed([&] {
          for (std::int64_t first = 0; first < n; first += strip) {
            const double* from = a + (panel ? first : first * lda);
            cublas.gemm(op, other, n - first, std::min(strip, n - first), inner, 1, from, lda, from,
                        lda, 0, c + first + first * n, n);
          }
        });
        std::printf("  strips %ld %6.2f", long(strip), work / seconds);
      }
      std::printf("\n");
    }
  }
  cudaFree(a);
  cudaFree(c);
}

}  // namespace

int main(int argc, char** argv) {
  const auto start = Clock::now();
  Device device;
  std::printf("opened in %.2f s\n", std::chrono::duration<double>(Clock::now() - start).count());
  check_functions(device);
  check_products(device);
  check_squares(device);
  check_solutions(device);
  check_sifting(device);
  check_streams(device);
  std::printf("all right\n");
  if (argc > 1 && std::strcmp(argv[1], "--check") == 0) return 0;
  rates(device);
  copies_beside_products(device);
  ways_of_squares();
  return 0;
}
