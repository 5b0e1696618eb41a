# What makes the build under the sanitizers quick to compile; its libraries run in tests and fuzz targets only.

# libFuzzer counts which branches an input takes; only the libraries have them counted.
add_library(fsieve_coverage INTERFACE)
target_compile_options(fsieve_coverage INTERFACE -fsanitize=fuzzer-no-link)

# Searches and choices: no input from outside gets there as it came, and their inner loops are in the rooms above them. They
# are compiled as they stand, without branches counted, and the list of sources is left without them.
function(fsieve_set_apart sources objects)
  set(apart ${${sources}})
  list(FILTER apart INCLUDE REGEX "/src/(equation|relations|methods/(uffs|greedy|forward|union))/")
  list(REMOVE_ITEM ${sources} ${apart})
  fsieve_batch(apart)
  add_library(fsieve_methods OBJECT ${apart})
  target_include_directories(fsieve_methods PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(fsieve_methods PRIVATE fsieve_flags fsieve_blas TBB::tbb fmt::fmt nlohmann_json::nlohmann_json
                                               hwy::hwy)
  target_compile_options(fsieve_methods PRIVATE -O0)
  fsieve_precompile(fsieve_methods <fmt/format.h>)
  set(${sources} ${${sources}} PARENT_SCOPE)
  set(${objects} $<TARGET_OBJECTS:fsieve_methods> PARENT_SCOPE)
endfunction()
