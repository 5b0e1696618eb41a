// Matrices of doubles on a GPU, multiplied by cuBLAS, behind src/device/algebra_abi.h. One stream
// computes and one copies from the host, so that the next rows come while the last are worked on;
// every array knows by two events which of them must wait for the other.
#include "device/algebra_abi.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "calls.h"
#include "copies.h"
#include "cublas.h"
#include "matrices.cuh"
#include "memory.h"

namespace fsieve_cuda {
namespace {

struct Array {
  double* data = nullptr;
  std::uint64_t count = 0;
  Event written;            // by the stream that copies
  Event used;               // by the stream that computes
  bool on_its_way = false;  // written, and nobody has waited for it
};

double* numbers(const fsieve_place& place) {
  return static_cast<Array*>(place.array)->data + place.offset;
}

class Algebra {
 public:
  explicit Algebra(int device) : device_(device), cublas_(compute_.get()) {
    check(cudaDeviceGetDefaultMemPool(&pool_, device));
    std::uint64_t keep = UINT64_MAX;  // what was given back is taken again
    check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep));
  }
  ~Algebra() {
    cudaStreamSynchronize(copy_.get());
    cudaStreamSynchronize(compute_.get());
    std::uint64_t nothing = 0;
    cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &nothing);
    cudaMemPoolTrimTo(pool_, 0);
  }
  Algebra(const Algebra&) = delete;
  Algebra& operator=(const Algebra&) = delete;

  [[nodiscard]] int device() const { return device_; }

  [[nodiscard]] std::uint64_t room() const {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total));
    std::uint64_t reserved = 0;
    std::uint64_t used = 0;
    check(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrReservedMemCurrent, &reserved));
    check(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &used));
    const std::uint64_t left = free + (reserved - used);
    const std::uint64_t allowed = most_memory();
    return std::min(left, allowed - std::min(allowed, used)) / sizeof(double);
  }

  Array* take(std::uint64_t count) {
    auto array = std::make_unique<Array>();
    void* data = nullptr;
    const std::size_t bytes = std::max<std::size_t>(count, 1) * sizeof(double);
    if (cudaMallocAsync(&data, bytes, copy_.get()) != cudaSuccess) {
      cudaGetLastError();
      throw Failure("its memory is too small, " + std::to_string((bytes >> 20U) + 1) +
                    " MiB more are needed");
    }
    array->data = static_cast<double*>(data);
    array->count = count;
    arrived(*array);
    return array.release();
  }

  void give(Array* array) {
    await(*array);
    check(cudaFreeAsync(array->data, compute_.get()));
    delete array;
  }

  void put(const double* from, std::size_t from_stride, std::size_t rows, std::size_t columns,
           const fsieve_place& to) {
    auto& array = *static_cast<Array*>(to.array);
    array.used.wait(copy_.get());
    copies_.to_device(from, from_stride, rows, columns, numbers(to), to.stride, copy_.get());
    arrived(array);
  }

  void get(const fsieve_place& from, std::size_t rows, std::size_t columns, double* to,
           std::size_t to_stride) {
    begin({&from});
    copies_.to_host(numbers(from), from.stride, rows, columns, to, to_stride, compute_.get());
    check(cudaStreamSynchronize(compute_.get()));
  }

  void copy(const fsieve_place& from, std::size_t rows, std::size_t columns,
            const fsieve_place& to) {
    begin({&from, &to});
    check(cudaMemcpy2DAsync(numbers(to), to.stride * sizeof(double), numbers(from),
                            from.stride * sizeof(double), rows * sizeof(double), columns,
                            cudaMemcpyDeviceToDevice, compute_.get()));
    end({&from, &to});
  }

  void evaluate(const std::uint32_t* factors, std::size_t count, std::size_t most,
                const fsieve_place& columns, std::size_t rows, const fsieve_place& values) {
    if (count == 0 || rows == 0) return;
    begin({&columns, &values});
    know(factors, count * most);
    const dim3 grid(static_cast<unsigned>(count),
                    static_cast<unsigned>((rows + block_rows - 1) / block_rows));
    evaluate_products<<<grid, threads, 0, compute_.get()>>>(
        factors_.get(), static_cast<int>(most), numbers(columns), columns.stride,
        static_cast<int>(rows), numbers(values), values.stride);
    check(cudaGetLastError());
    end({&columns, &values});
  }

  void gemm(bool a_op, bool b_op, std::int64_t m, std::int64_t n, std::int64_t k, double alpha,
            const fsieve_place& a, const fsieve_place& b, double beta, const fsieve_place& c) {
    begin({&a, &b, &c});
    cublas_.gemm(op(a_op), op(b_op), m, n, k, alpha, numbers(a), length(a), numbers(b), length(b),
                 beta, numbers(c), length(c));
    end({&a, &b, &c});
  }

  // Few long columns are faster in strips, each from the diagonal down (bench/gpu/algebra.cu).
  void syrk(bool transposed, std::int64_t n, std::int64_t k, double alpha, const fsieve_place& a,
            double beta, const fsieve_place& c) {
    begin({&a, &c});
    const bool in_strips = n < 2048 && k >= 2048;
    if (!in_strips) {
      cublas_.syrk(op(transposed), n, k, alpha, numbers(a), length(a), beta, numbers(c), length(c));
    }
    for (std::int64_t first = 0; in_strips && first < n; first += strip) {
      const double* from = numbers(a) + (transposed ? first * length(a) : first);
      cublas_.gemm(op(transposed), op(!transposed), n - first, std::min(strip, n - first), k, alpha,
                   from, length(a), from, length(a), beta, numbers(c) + first + first * length(c),
                   length(c));
    }
    end({&a, &c});
  }

  void solve(bool right, std::int64_t m, std::int64_t n, const fsieve_place& l,
             const fsieve_place& b) {
    begin({&l, &b});
    cublas_.solve(right ? Cublas::right : Cublas::left, m, n, numbers(l), length(l), numbers(b),
                  length(b));
    end({&l, &b});
  }

  void shares(const fsieve_above& entries, std::uint64_t labels, const fsieve_place& inner,
              const fsieve_place& norms, const fsieve_place& to) {
    begin({&inner, &norms, &to});
    form_shares<<<grid_of(entries), threads, 0, compute_.get()>>>(
        entries, labels, numbers(inner), inner.stride, numbers(norms), norms.stride, numbers(to),
        to.stride);
    check(cudaGetLastError());
    end({&inner, &norms, &to});
  }

  std::int64_t find(const fsieve_above& entries, const fsieve_place& a, const fsieve_place* b,
                    const fsieve_place& row_terms, const fsieve_place& column_terms, double least,
                    std::uint64_t room, fsieve_entry* found) {
    begin({&a, &row_terms, &column_terms});
    if (b != nullptr) begin({b});
    count_.reserve(1);
    list_.reserve(room);
    check(cudaMemsetAsync(count_.get(), 0, sizeof(unsigned long long), compute_.get()));
    find_entries<<<grid_of(entries), threads, 0, compute_.get()>>>(
        entries, {numbers(a), a.stride},
        b != nullptr ? Sifted{numbers(*b), b->stride} : Sifted{nullptr, 0}, numbers(row_terms),
        numbers(column_terms), least, room, count_.get(), list_.get());
    check(cudaGetLastError());
    end({&a, &row_terms, &column_terms});
    if (b != nullptr) end({b});
    unsigned long long count = 0;
    bring(count_.get(), sizeof count, &count);
    bring(list_.get(), std::min<std::size_t>(count, room) * sizeof *found, found);
    return static_cast<std::int64_t>(count);
  }

  void keep_pace() {
    Event& now = pace_[turn_ % 2];
    const Event& last = pace_[(turn_ + 1) % 2];
    now.record(compute_.get());
    last.wait();
    ++turn_;
  }

 private:
  static constexpr std::int64_t strip = 256;
  using Places = std::initializer_list<const fsieve_place*>;

  static Cublas::Op op(bool transposed) { return transposed ? Cublas::transpose : Cublas::none; }
  static std::int64_t length(const fsieve_place& place) {
    return static_cast<std::int64_t>(place.stride);
  }

  // A block of threads for so many entries of a column.
  static dim3 grid_of(const fsieve_above& entries) {
    return {static_cast<unsigned>(entries.n),
            static_cast<unsigned>((entries.m + threads - 1) / threads)};
  }

  // Waits.
  void bring(const void* from, std::size_t bytes, void* to) {
    if (bytes == 0) return;
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, compute_.get()));
    check(cudaStreamSynchronize(compute_.get()));
  }

  // What the stream that copies did to an array, ...
  void arrived(Array& array) {
    array.written.record(copy_.get());
    array.on_its_way = true;
  }
  // ... what computes waits for, ...
  void await(Array& array) {
    if (array.on_its_way) array.written.wait(compute_.get());
    array.on_its_way = false;
  }
  void begin(Places places) {
    for (const fsieve_place* place : places) await(*static_cast<Array*>(place->array));
  }
  // ... and the other way round.
  void end(Places places) {
    for (const fsieve_place* place : places) {
      static_cast<Array*>(place->array)->used.record(compute_.get());
    }
  }

  // Brings the list of factors to the GPU, unless it is there, perhaps as the beginning of another.
  void know(const std::uint32_t* factors, std::size_t count) {
    if (count <= known_.size() && std::equal(factors, factors + count, known_.begin())) return;
    check(cudaStreamSynchronize(compute_.get()));  // the last list may be in use
    known_.assign(factors, factors + count);
    factors_.reserve(std::max<std::size_t>(count, 1));
    check(cudaMemcpyAsync(factors_.get(), known_.data(), count * sizeof(std::uint32_t),
                          cudaMemcpyHostToDevice, compute_.get()));
    check(cudaStreamSynchronize(compute_.get()));
  }

  int device_;
  Stream compute_;
  Stream copy_;
  Cublas cublas_;
  cudaMemPool_t pool_ = nullptr;
  Copies copies_;
  Buffer<std::uint32_t> factors_;
  Buffer<unsigned long long> count_;
  Buffer<fsieve_entry> list_;
  std::vector<std::uint32_t> known_;
  Event pace_[2];
  std::size_t turn_ = 0;
};

Algebra& algebra_of(void* algebra) {
  auto* me = static_cast<Algebra*>(algebra);
  check(cudaSetDevice(me->device()));
  return *me;
}

template <class Work>
int done(char* message, std::size_t size, void* algebra, const Work& work) {
  return guarded<int>(-1, message, size, [&] {
    work(algebra_of(algebra));
    return 0;
  });
}

}  // namespace
}  // namespace fsieve_cuda

using fsieve_cuda::Algebra;
using fsieve_cuda::done;
using fsieve_cuda::guarded;

#pragma GCC visibility push(default)
extern "C" {

void* fsieve_algebra_open(int device, char* message, size_t size) {
  return guarded<void*>(nullptr, message, size, [&]() -> void* {
    fsieve_cuda::take_device(device);
    return new Algebra(device);
  });
}

void fsieve_algebra_close(void* algebra) {
  cudaSetDevice(static_cast<Algebra*>(algebra)->device());
  delete static_cast<Algebra*>(algebra);
}

uint64_t fsieve_algebra_room(void* algebra) {
  return guarded<uint64_t>(0, nullptr, 0, [&] { return fsieve_cuda::algebra_of(algebra).room(); });
}

void* fsieve_algebra_take(void* algebra, uint64_t count, char* message, size_t size) {
  return guarded<void*>(nullptr, message, size,
                        [&] { return fsieve_cuda::algebra_of(algebra).take(count); });
}

void fsieve_algebra_give(void* algebra, void* array) {
  guarded<int>(-1, nullptr, 0, [&] {
    fsieve_cuda::algebra_of(algebra).give(static_cast<fsieve_cuda::Array*>(array));
    return 0;
  });
}

int fsieve_algebra_put(void* algebra, const double* from, uint64_t from_stride, uint64_t rows,
                       uint64_t columns, const struct fsieve_place* to, char* message,
                       size_t size) {
  return done(message, size, algebra,
              [&](Algebra& me) { me.put(from, from_stride, rows, columns, *to); });
}

int fsieve_algebra_get(void* algebra, const struct fsieve_place* from, uint64_t rows,
                       uint64_t columns, double* to, uint64_t to_stride, char* message,
                       size_t size) {
  return done(message, size, algebra,
              [&](Algebra& me) { me.get(*from, rows, columns, to, to_stride); });
}

int fsieve_algebra_copy(void* algebra, const struct fsieve_place* from, uint64_t rows,
                        uint64_t columns, const struct fsieve_place* to, char* message,
                        size_t size) {
  return done(message, size, algebra, [&](Algebra& me) { me.copy(*from, rows, columns, *to); });
}

int fsieve_algebra_evaluate(void* algebra, const uint32_t* factors, uint64_t count, uint64_t most,
                            const struct fsieve_place* columns, uint64_t rows,
                            const struct fsieve_place* values, char* message, size_t size) {
  return done(message, size, algebra,
              [&](Algebra& me) { me.evaluate(factors, count, most, *columns, rows, *values); });
}

int fsieve_algebra_gemm(void* algebra, int a_op, int b_op, uint64_t m, uint64_t n, uint64_t k,
                        double alpha, const struct fsieve_place* a, const struct fsieve_place* b,
                        double beta, const struct fsieve_place* c, char* message, size_t size) {
  return done(message, size, algebra, [&](Algebra& me) {
    me.gemm(a_op != 0, b_op != 0, static_cast<int64_t>(m), static_cast<int64_t>(n),
            static_cast<int64_t>(k), alpha, *a, *b, beta, *c);
  });
}

int fsieve_algebra_syrk(void* algebra, int op, uint64_t n, uint64_t k, double alpha,
                        const struct fsieve_place* a, double beta, const struct fsieve_place* c,
                        char* message, size_t size) {
  return done(message, size, algebra, [&](Algebra& me) {
    me.syrk(op != 0, static_cast<int64_t>(n), static_cast<int64_t>(k), alpha, *a, beta, *c);
  });
}

int fsieve_algebra_solve(void* algebra, int right, uint64_t m, uint64_t n,
                         const struct fsieve_place* l, const struct fsieve_place* b, char* message,
                         size_t size) {
  return done(message, size, algebra, [&](Algebra& me) {
    me.solve(right != 0, static_cast<int64_t>(m), static_cast<int64_t>(n), *l, *b);
  });
}

int fsieve_algebra_shares(void* algebra, const struct fsieve_above* entries, uint64_t labels,
                          const struct fsieve_place* inner, const struct fsieve_place* norms,
                          const struct fsieve_place* to, char* message, size_t size) {
  return done(message, size, algebra,
              [&](Algebra& me) { me.shares(*entries, labels, *inner, *norms, *to); });
}

int64_t fsieve_algebra_find(void* algebra, const struct fsieve_above* entries,
                            const struct fsieve_place* a, const struct fsieve_place* b,
                            const struct fsieve_place* row_terms,
                            const struct fsieve_place* column_terms, double least, uint64_t room,
                            struct fsieve_entry* found, char* message, size_t size) {
  return guarded<int64_t>(-1, message, size, [&] {
    return fsieve_cuda::algebra_of(algebra).find(*entries, *a, b, *row_terms, *column_terms, least,
                                                 room, found);
  });
}

int fsieve_algebra_keep_pace(void* algebra, char* message, size_t size) {
  return done(message, size, algebra, [](Algebra& me) { me.keep_pace(); });
}

}  // extern "C"
#pragma GCC visibility pop
