# The libraries that come from the system. What is missing is said at once, by the names of its Debian
# packages.
set(missing)
foreach(pair TBB:libtbb-dev fmt:libfmt-dev nlohmann_json:nlohmann-json3-dev hwy:libhwy-dev)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 package)
  list(GET pair 1 debian)
  find_package(${package} QUIET CONFIG)
  if(NOT ${package}_FOUND)
    list(APPEND missing ${debian})
  endif()
endforeach()
if(missing)
  list(JOIN missing " " missing)
  message(FATAL_ERROR "fsieve: error: these Debian packages are missing: ${missing} (as root: apt-get "
                      "install ${missing})")
endif()
