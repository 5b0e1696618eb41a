# Installs a build into an empty folder, then configures, builds and runs the project beside this
# file against it. Called by CTest with BUILD, WORK, SOURCE, CONFIG, GENERATOR, COMPILER, LAUNCHER,
# FLAGS, CLI, SHARED and SOVERSION.
function(step what)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE status
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed (${status}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
step("install" ${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${WORK}/prefix)
step("configure" ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G ${GENERATOR}
     -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_PREFIX_PATH=${WORK}/prefix
     -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF -DCMAKE_CXX_COMPILER=${COMPILER}
     "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" "-DCMAKE_CXX_FLAGS=${FLAGS}")
step("build" ${CMAKE_COMMAND} --build ${WORK}/build --config ${CONFIG})

# Nothing but what was installed may be needed to find the libraries.
unset(ENV{LD_LIBRARY_PATH})
step("consumer" ${WORK}/build/consumer)
message(STATUS "${output}")
step("example" ${WORK}/build/equations/equations ${WORK}/consumer.csv)
if(NOT output MATCHES "product = 2.00·a·b")
  message(FATAL_ERROR "the example printed:\n${output}")
endif()
if(CLI)
  step("installed program" ${WORK}/prefix/bin/fsieve --version)
endif()

# The library of this minor version, by the name that programs are linked to.
if(SHARED)
  foreach(name fsieve fsieve_io)
    file(GLOB library ${WORK}/prefix/lib*/lib${name}.so.${SOVERSION} ${WORK}/prefix/lib/*/lib${name}.so.${SOVERSION})
    if(NOT library)
      message(FATAL_ERROR "lib${name}.so.${SOVERSION} is not installed")
    endif()
  endforeach()
endif()

# Components: known ones, unknown ones that may be missing, and one that may not.
set(ask ${CMAKE_COMMAND} -S ${SOURCE}/components -B ${WORK}/components -G ${GENERATOR}
    -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
step("components" ${ask} "-DCOMPONENTS=fsieve\\;io" -DOPTIONAL=gpu)
execute_process(COMMAND ${ask} -DCOMPONENTS=gpu -DOPTIONAL= WORKING_DIRECTORY ${WORK} RESULT_VARIABLE status
                OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(status EQUAL 0 OR NOT output MATCHES "fsieve has no component \"gpu\"")
  message(FATAL_ERROR "an unknown component was not refused (${status}):\n${output}")
endif()
file(REMOVE_RECURSE ${WORK})
