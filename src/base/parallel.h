// Loops on all threads that end early, by an Error, once the work has been asked to stop.
#pragma once

#include <cstddef>

#include "fsieve/stop.h"

namespace fsieve::inline base {
namespace detail {

// Calls the body for all i with begin ≤ i < end, on one thread.
using Part = void (*)(const void* body, const StopScope* scope, std::size_t begin, std::size_t end);

template <class Body>
void part(const void* body, const StopScope* scope, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (scope != nullptr) scope->check();
    (*static_cast<const Body*>(body))(i);
  }
}

// What the threads are is known to parallel.cpp alone: its headers are slow to compile.
void in_parallel(std::size_t count, const void* body, Part part);
void in_parallel_one_by_one(std::size_t count, const void* body, Part part);

}  // namespace detail

// Calls body(i) for all i < count, in parallel.
template <class Body>
void in_parallel(std::size_t count, const Body& body) {
  detail::in_parallel(count, &body, detail::part<Body>);
}

// The same for few and long calls, each of which any thread may take.
template <class Body>
void in_parallel_one_by_one(std::size_t count, const Body& body) {
  detail::in_parallel_one_by_one(count, &body, detail::part<Body>);
}

}  // namespace fsieve::base
