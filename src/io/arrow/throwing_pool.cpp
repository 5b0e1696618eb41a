#include "io/arrow/throwing_pool.h"

#include <cstdint>
#include <new>
#include <string>

namespace fsieve::io {
namespace {

class ThrowingPool final : public arrow::MemoryPool {
 public:
  using arrow::MemoryPool::Allocate;
  using arrow::MemoryPool::Free;
  using arrow::MemoryPool::Reallocate;

  arrow::Status Allocate(std::int64_t size, std::int64_t alignment, std::uint8_t** out) override {
    return or_throw(pool_.Allocate(size, alignment, out));
  }
  arrow::Status Reallocate(std::int64_t old_size, std::int64_t new_size, std::int64_t alignment,
                           std::uint8_t** memory) override {
    return or_throw(pool_.Reallocate(old_size, new_size, alignment, memory));
  }
  void Free(std::uint8_t* memory, std::int64_t size, std::int64_t alignment) override {
    pool_.Free(memory, size, alignment);
  }
  [[nodiscard]] std::int64_t bytes_allocated() const override { return pool_.bytes_allocated(); }
  [[nodiscard]] std::int64_t total_bytes_allocated() const override {
    return pool_.total_bytes_allocated();
  }
  [[nodiscard]] std::int64_t num_allocations() const override { return pool_.num_allocations(); }
  [[nodiscard]] std::string backend_name() const override { return pool_.backend_name(); }

 private:
  static arrow::Status or_throw(arrow::Status status) {
    if (status.IsOutOfMemory()) throw std::bad_alloc();
    return status;
  }

  arrow::MemoryPool& pool_ = *arrow::default_memory_pool();
};

}  // namespace

arrow::MemoryPool* throwing_pool() {
  static ThrowingPool pool;
  return &pool;
}

}  // namespace fsieve::io
