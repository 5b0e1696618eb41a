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

# Several files of one folder are compiled as one: their headers are then parsed once for all of them. The batches lie at one
# place in the tree, are named by what is in them and name files by where they stand, so that a compiler cache knows them
# again from any build folder. Files that include themselves (one kernel for several instruction sets) and files with
# definitions of their own stay alone.
option(FSIEVE_BATCHES "Compile several files of one folder as one" ${PROJECT_IS_TOP_LEVEL})
set(FSIEVE_BATCH_FILES 64)  # at the most, on average: all of most folders

# Puts batches in the place of the files in the list called `sources`.
function(fsieve_batch sources)
  if(NOT FSIEVE_BATCHES OR FSIEVE_TIDY)
    return()
  endif()
  set(batches "")
  set(folders "")
  foreach(file IN LISTS ${sources})
    file(STRINGS ${file} includes_itself REGEX "foreach_target\\.h")
    get_source_file_property(definitions ${file} COMPILE_DEFINITIONS)
    if(includes_itself OR definitions)
      list(APPEND batches ${file})
    else()
      cmake_path(GET file PARENT_PATH folder)
      list(APPEND folders ${folder})
      list(APPEND files_of_${folder} ${file})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    fsieve_deal_out(${files_of_${folder}})
    foreach(heap IN LISTS dealt)
      fsieve_write_batch(batch ${heap_${heap}})
      list(APPEND batches ${batch})
    endforeach()
  endforeach()
  set(${sources} ${batches} PARENT_SCOPE)
endfunction()

# Which files go together follows from their names; where a folder grows, batches are cut in halves. So a new file never puts
# old ones together whose unnamed namespaces hold the same name. `dealt` numbers the lists heap_0, heap_1, …
macro(fsieve_deal_out)
  set(heaps 1)
  math(EXPR wanted "(${ARGC} + ${FSIEVE_BATCH_FILES} - 1) / ${FSIEVE_BATCH_FILES}")
  while(heaps LESS wanted)
    math(EXPR heaps "2 * ${heaps}")
  endwhile()
  set(dealt "")
  foreach(file ${ARGN})
    cmake_path(GET file STEM name)
    string(MD5 key ${name})
    string(SUBSTRING ${key} 0 7 key)
    math(EXPR heap "0x${key} % ${heaps}")
    if(NOT heap IN_LIST dealt)
      list(APPEND dealt ${heap})
      set(heap_${heap} "")
    endif()
    list(APPEND heap_${heap} ${file})
  endforeach()
endmacro()

# A file that includes the files, all of one folder.
function(fsieve_write_batch path)
  set(text "")
  foreach(file IN LISTS ARGN)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${file})
    string(APPEND text "#include \"../../${name}\"\n")
  endforeach()
  cmake_path(GET name PARENT_PATH folder)
  string(REPLACE "/" "_" folder ${folder})
  string(MD5 key "${text}")
  string(SUBSTRING ${key} 0 8 key)
  set(batch ${PROJECT_SOURCE_DIR}/build/batches/${folder}_${key}.cpp)
  file(CONFIGURE OUTPUT ${batch} CONTENT "${text}" @ONLY)
  set(${path} ${batch} PARENT_SCOPE)
endfunction()
