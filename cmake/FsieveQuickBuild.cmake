# What makes a build from nothing quick. No answer depends on it.
option(FSIEVE_PRECOMPILE "Parse the standard headers once per library" ${PROJECT_IS_TOP_LEVEL})

# The standard headers that most files include, parsed once, and those given. No time is written into what is made of them,
# so that a compiler cache knows it again.
function(fsieve_precompile target)
  if(NOT FSIEVE_PRECOMPILE OR FSIEVE_TIDY)  # GCC's are nothing to clang-tidy
    return()
  endif()
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory>
                            <numeric> <optional> <set> <span> <string> <string_view> <utility> <vector> ${ARGN})
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# Files of words, not of numbers: optimising them gains nobody anything.
function(fsieve_words)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -O1)
  endif()
endfunction()
