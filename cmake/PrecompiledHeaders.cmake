# Parses PrecompiledHeaders.h once for all libraries and once for all programs:
# a compiler takes the result only where its own flags are the same.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # One that does not fit costs time, and changes nothing else.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-error=invalid-pch>)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # ccache compares contents; a time in them would make each build another one.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

# CMake asks for a source.
file(TOUCH ${PROJECT_BINARY_DIR}/precompiled.cpp)
foreach(kind library program)
  add_library(convoy-precompiled-${kind} OBJECT EXCLUDE_FROM_ALL
    ${PROJECT_BINARY_DIR}/precompiled.cpp)
  target_precompile_headers(convoy-precompiled-${kind} PRIVATE
    ${CMAKE_CURRENT_LIST_DIR}/PrecompiledHeaders.h)
endforeach()
# As add_mlir_library and add_executable compile.
llvm_update_compile_flags(convoy-precompiled-library)
set_target_properties(convoy-precompiled-program PROPERTIES
  POSITION_INDEPENDENT_CODE OFF)
target_compile_options(convoy-precompiled-program
  PRIVATE ${CMAKE_CXX_COMPILE_OPTIONS_PIE})
