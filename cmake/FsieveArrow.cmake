# The target fsieve_arrow: Arrow and Parquet, from a system package if CMake finds one, else from
# the pyarrow wheel of FSIEVE_PYTHON.
if(FSIEVE_ARROW)
  add_library(fsieve_arrow INTERFACE)
  find_package(Arrow QUIET CONFIG)
  find_package(Parquet QUIET CONFIG)
  if(Arrow_FOUND AND Parquet_FOUND)
    target_link_libraries(fsieve_arrow INTERFACE Parquet::parquet_shared Arrow::arrow_shared)
  else()
    execute_process(
      COMMAND ${FSIEVE_PYTHON} -c
              "import pyarrow as a; print(a.get_include(), a.get_library_dirs()[0], sep=';')"
      OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status ERROR_QUIET)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "Neither a system Arrow nor a pyarrow wheel in ${FSIEVE_PYTHON}: run "
                          "tools/setup, or pass -DFSIEVE_ARROW=OFF")
    endif()
    list(GET found 0 include_dir)
    list(GET found 1 library_dir)
    file(GLOB arrow_library ${library_dir}/libarrow.so.*)
    file(GLOB parquet_library ${library_dir}/libparquet.so.*)
    list(GET arrow_library 0 arrow_library)
    list(GET parquet_library 0 parquet_library)
    # The headers by a name that does not change with every environment that a wheel is built in.
    file(COPY ${include_dir}/ DESTINATION ${PROJECT_BINARY_DIR}/arrow)
    target_include_directories(fsieve_arrow SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/arrow)
    target_link_libraries(fsieve_arrow INTERFACE ${parquet_library} ${arrow_library})
  endif()
endif()
