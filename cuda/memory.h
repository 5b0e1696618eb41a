// What is taken from the GPU and given back (memory, streams), and calls that fail with a sentence.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace fsieve_cuda {

class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void check(cudaError_t status) {
  if (status != cudaSuccess) throw Failure(cudaGetErrorString(status));
}

template <class T>
class Buffer {
 public:
  Buffer() = default;
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  // At least so many; what was in it is lost where it grows.
  void reserve(std::size_t count) {
    if (count <= size_) return;
    cudaFree(data_);
    data_ = nullptr;
    size_ = 0;
    const std::size_t bytes = count * sizeof(T);
    if (cudaMalloc(&data_, bytes) != cudaSuccess) {
      cudaGetLastError();
      throw Failure("its memory is too small, " + std::to_string((bytes >> 20U) + 1) +
                    " MiB more are needed");
    }
    size_ = count;
  }
  [[nodiscard]] T* get() const { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// Memory of the host that the GPU copies to at full speed.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  ~PinnedBuffer() { cudaFreeHost(data_); }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  void reserve(std::size_t bytes) { check(cudaMallocHost(&data_, bytes)); }
  [[nodiscard]] unsigned char* get() const { return data_; }

 private:
  unsigned char* data_ = nullptr;
};

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  [[nodiscard]] cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace fsieve_cuda
