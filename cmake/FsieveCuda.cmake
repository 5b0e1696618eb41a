# FSIEVE_NVCC_WORKS: there is an nvcc that compiles for Hopper with the C++ compiler it finds (CUDA 12 or newer). It is tried
# once: an old one must not break a build that did not ask for it.
find_program(FSIEVE_NVCC nvcc HINTS /usr/local/cuda/bin)
if(FSIEVE_NVCC AND NOT DEFINED FSIEVE_NVCC_WORKS)
  set(trial ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/nvcc_trial)
  file(WRITE ${trial}.cu "#include <vector>\n__global__ void nothing(const __grid_constant__ int) {}\n")
  execute_process(COMMAND ${FSIEVE_NVCC} -c -std=c++17 -gencode=arch=compute_90a,code=sm_90a ${trial}.cu -o ${trial}.o
                  RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    set(FSIEVE_NVCC_WORKS ON CACHE INTERNAL "nvcc compiles for Hopper")
  else()
    message(STATUS "libfsieve_cuda is left out: ${FSIEVE_NVCC} does not compile for compute capability 9.0")
    set(FSIEVE_NVCC_WORKS OFF CACHE INTERNAL "nvcc compiles for Hopper")
  endif()
endif()
if(NOT FSIEVE_NVCC_WORKS AND NOT FSIEVE_CUDA STREQUAL "AUTO")
  message(FATAL_ERROR "FSIEVE_CUDA needs nvcc of CUDA 12 or newer: install it, or name it with -DFSIEVE_NVCC=")
endif()
