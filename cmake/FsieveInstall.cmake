# cmake --install puts the libraries, headers, program and a CMake package in place.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The public headers need C++20 from whoever includes them.
target_compile_features(fsieve PUBLIC cxx_std_20)

install(TARGETS fsieve fsieve_io EXPORT fsieveTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(FSIEVE_CLI)
  install(TARGETS fsieve_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  set_target_properties(fsieve_cli PROPERTIES
                        INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/fsieve DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# Libraries out of Python wheels go along: their folder may vanish. Those of system packages are
# CMake targets, not files, and stay where they are. Who links a static fsieve needs them by their
# new place, and none of their headers.
foreach(target fsieve_blas fsieve_arrow)
  if(TARGET ${target})
    get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
    set(exported)
    foreach(library ${libraries})
      if(IS_ABSOLUTE ${library})
        install(FILES ${library} DESTINATION ${CMAKE_INSTALL_LIBDIR})
        get_filename_component(name ${library} NAME)
        list(APPEND exported $<BUILD_INTERFACE:${library}>
             "$<INSTALL_INTERFACE:\${_IMPORT_PREFIX}/${CMAKE_INSTALL_LIBDIR}/${name}>")
      else()
        list(APPEND exported ${library})
      endif()
    endforeach()
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${exported}")
    foreach(property INTERFACE_INCLUDE_DIRECTORIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES)
      get_target_property(folders ${target} ${property})
      if(folders)
        set_target_properties(${target} PROPERTIES ${property} "$<BUILD_INTERFACE:${folders}>")
      endif()
    endforeach()
  endif()
endforeach()
set_target_properties(fsieve fsieve_io PROPERTIES INSTALL_RPATH "$ORIGIN")

if(NOT BUILD_SHARED_LIBS)
  install(TARGETS fsieve_flags fsieve_blas EXPORT fsieveTargets)
  if(FSIEVE_ARROW)
    install(TARGETS fsieve_arrow EXPORT fsieveTargets)
  endif()
endif()
install(EXPORT fsieveTargets NAMESPACE fsieve::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/fsieve)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/fsieveConfig.cmake.in ${PROJECT_BINARY_DIR}/fsieveConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/fsieve)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fsieveConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/fsieveConfig.cmake
              ${PROJECT_BINARY_DIR}/fsieveConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/fsieve)
