// A device of plain C++ stands in for a GPU, for tests of all that is around one: it offers what
// libfsieve_cuda.so offers. What it is to do wrong, and where it notes what it was asked, come from
// the environment:
//   FSIEVE_STANDIN_DEVICES  how many there are (1)
//   FSIEVE_STANDIN_ROOM     how many subsets it can list (as many as asked for)
//   FSIEVE_STANDIN_NUMBERS  how many numbers its matrices may have (a billion)
//   FSIEVE_STANDIN_BLIND    from this device on they find nothing
//   FSIEVE_STANDIN_FAILS    "open", "begin", "algebra", "take" or "gemm" fails
//   FSIEVE_STANDIN_MILLISECONDS  how long it takes to open
//   FSIEVE_STANDIN_NOTES    a file to append "open D k d", "screen D first end", "algebra D",
//                           "put D rows columns", "gemm D m n k" and "find D m n" to
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace standin {

inline long setting(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atol(text) : otherwise;
}

inline bool fails(const char* what, char* message, size_t size) {
  const char* text = std::getenv("FSIEVE_STANDIN_FAILS");
  if (text == nullptr || std::strcmp(text, what) != 0) return false;
  std::snprintf(message, size, "the stand-in was told to fail");
  return true;
}

template <class... Numbers>
void note(const char* format, Numbers... numbers) {
  const char* path = std::getenv("FSIEVE_STANDIN_NOTES");
  if (path == nullptr) return;
  std::FILE* file = std::fopen(path, "a");
  if (file == nullptr) return;
  std::fprintf(file, format, numbers...);
  std::fclose(file);
}

}  // namespace standin
