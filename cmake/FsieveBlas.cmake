# The target fsieve_blas: a CBLAS and LAPACK.
#   FSIEVE_BLAS=wheel   the scipy-openblas32 wheel of FSIEVE_PYTHON (current kernels; the default)
#   FSIEVE_BLAS=system  whatever FindBLAS and FindLAPACK find (BLA_VENDOR chooses)
set(FSIEVE_BLAS wheel CACHE STRING "Which BLAS: wheel or system")
if(SKBUILD)
  find_package(Python COMPONENTS Interpreter REQUIRED)  # that of the build
  set(FSIEVE_PYTHON ${Python_EXECUTABLE})
endif()
set(FSIEVE_PYTHON ${PROJECT_SOURCE_DIR}/.venv/bin/python CACHE FILEPATH
    "The Python whose wheels carry OpenBLAS and Arrow")

add_library(fsieve_blas INTERFACE)
if(FSIEVE_BLAS STREQUAL wheel)
  execute_process(
    COMMAND ${FSIEVE_PYTHON} -c
            "import scipy_openblas32 as o; print(o.get_include_dir(), o.get_lib_dir(), sep=';')"
    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status ERROR_QUIET)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "No scipy-openblas32 wheel in ${FSIEVE_PYTHON}: run tools/setup, or pass "
                        "-DFSIEVE_BLAS=system")
  endif()
  list(GET found 0 include_dir)
  list(GET found 1 library_dir)
  # The headers by a name that does not change with every environment that a wheel is built in.
  file(COPY ${include_dir}/ DESTINATION ${PROJECT_BINARY_DIR}/openblas)
  target_include_directories(fsieve_blas SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/openblas)
  # Nothing is linked to it: it is loaded when it is needed (linalg/openblas.h). But programs know
  # where it is, and it is installed beside them.
  add_link_options(LINKER:--as-needed)
  target_link_libraries(fsieve_blas INTERFACE ${library_dir}/libscipy_openblas.so)
  target_compile_definitions(fsieve_blas INTERFACE FSIEVE_OPENBLAS_WHEEL)
elseif(FSIEVE_BLAS STREQUAL system)
  find_package(BLAS REQUIRED)
  find_package(LAPACK REQUIRED)
  find_path(FSIEVE_CBLAS_INCLUDE cblas.h REQUIRED)
  target_include_directories(fsieve_blas SYSTEM INTERFACE ${FSIEVE_CBLAS_INCLUDE})
  target_link_libraries(fsieve_blas INTERFACE LAPACK::LAPACK BLAS::BLAS)
else()
  message(FATAL_ERROR "FSIEVE_BLAS is wheel or system, not ${FSIEVE_BLAS}")
endif()
