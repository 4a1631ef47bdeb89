# What `cmake --install` copies. Three components: `runtime`, the library that
# launches kernels; `development`, the libraries on top of MLIR; `tools`, the
# programs and the plugin. cmake/package makes them a package for CMake, and
# docs/Installing.md says who needs what.

include(GNUInstallDirs)

set(CONVOY_COMPONENTS runtime development tools)

# Programs find LLVM's libraries where they were linked with them, installed or
# not.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)

# convoy_install_targets(COMPONENT targets...) installs what was built as a part
# of COMPONENT, and exports it as Convoy::NAME.
function(convoy_install_targets component)
  install(TARGETS ${ARGN} EXPORT convoy-${component}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component})
endfunction()

# convoy_install_library(NAME COMPONENT) installs a library that others link, and
# tells them what its headers need. The global property
# CONVOY_INSTALLED_LIBRARIES lists all of these.
function(convoy_install_library name component)
  set_property(GLOBAL APPEND PROPERTY CONVOY_INSTALLED_LIBRARIES ${name})
  target_compile_features(${name} INTERFACE cxx_std_${CMAKE_CXX_STANDARD})
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/runtime/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  convoy_install_targets(${component} ${name})
endfunction()
