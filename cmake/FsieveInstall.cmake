# cmake --install puts the libraries, headers, program and a CMake package in place.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS fsieve fsieve_io EXPORT fsieveTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS fsieve_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/fsieve DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
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
