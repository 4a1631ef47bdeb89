# Compiler options, and the few helpers that every folder uses.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # With paths relative to the sources, and whatever language a shell speaks,
  # clones share their results.
  set(sloppiness locale)
  if(CONVOY_PRECOMPILED_HEADERS)
    # Else ccache compiles again whatever includes a precompiled header. Neither
    # LLVM's headers nor ours have dates or definitions of ours in them.
    string(APPEND sloppiness ",pch_defines,time_macros")
  endif()
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
               CCACHE_SLOPPINESS=${sloppiness})
  list(APPEND launcher ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

include_directories(${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include
                    ${PROJECT_SOURCE_DIR}/runtime/include)
include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})

add_compile_options(-Wall -Wextra -Wno-unused-parameter
                    $<$<COMPILE_LANGUAGE:CXX>:-Wno-comment>)
# clang finds std::stable_sort of libstdc++ 12 to call a deprecated function;
# deprecated functions of our own calls show with GCC.
add_compile_options($<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
# GCC 12 warns of overlaps within std::string that cannot occur (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(CONVOY_WARNINGS_AS_ERRORS)
  add_compile_options(-Werror)
endif()
if(CONVOY_ENABLE_ASSERTIONS)
  add_compile_options(-UNDEBUG)
endif()
if(CONVOY_SANITIZERS)
  add_compile_options(-fsanitize=${CONVOY_SANITIZERS} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${CONVOY_SANITIZERS})
  # Clang reads a function's type before its code, where kernels that are compiled
  # at run time have none, and may have no memory either.
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    add_compile_options(-fno-sanitize=function)
  endif()
endif()

if(CONVOY_BUILD_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "CONVOY_BUILD_FUZZERS needs clang, which brings libFuzzer, "
                        "but the compiler is ${CMAKE_CXX_COMPILER_ID}")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(CONVOY_PRECOMPILED_HEADERS)
  include(PrecompiledHeaders)
endif()

add_custom_target(convoy-check-dependencies)

# convoy_precompile_headers(TARGET library|program) includes
# PrecompiledHeaders.h in each source of TARGET where CONVOY_PRECOMPILED_HEADERS
# is set.
function(convoy_precompile_headers target kind)
  if(CONVOY_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM convoy-precompiled-${kind})
  endif()
endfunction()

# convoy_add_library(NAME sources... [LINK_LIBS libs...]) adds a library that
# needs neither LLVM nor MLIR.
function(convoy_add_library name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  # A moment each: none of them reads MLIR.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
endfunction()

# convoy_add_mlir_library(NAME sources... [DISABLE_INSTALL] [DEPENDS targets...]
# [LINK_LIBS libs...]) adds a library on top of the shared MLIR library, which is
# installed for others to link unless DISABLE_INSTALL is given.
function(convoy_add_mlir_library name)
  cmake_parse_arguments(ARG "DISABLE_INSTALL" "" "DEPENDS;LINK_LIBS" ${ARGN})
  # MLIR's own rules would install it as a part of MLIR.
  add_mlir_library(${name} PARTIAL_SOURCES_INTENDED DISABLE_INSTALL
    ${ARG_UNPARSED_ARGUMENTS}
    DEPENDS ${ARG_DEPENDS}
    LINK_LIBS PUBLIC ${ARG_LINK_LIBS})
  mlir_target_link_libraries(${name} PUBLIC MLIR)
  # Its sources belong to an object library, see add_mlir_library.
  convoy_precompile_headers(obj.${name} library)
  convoy_check_dependencies(${name} ${ARG_LINK_LIBS})
  if(NOT ARG_DISABLE_INSTALL)
    convoy_install_library(${name} development)
  endif()
endfunction()

# convoy_add_passes(NAME FOLDER) declares the passes of the records in
# FOLDER/Passes.td, for the target MLIRConvoy<NAME>IncGen, and their section of
# docs/Passes.md.
function(convoy_add_passes name folder)
  set(LLVM_TARGET_DEFINITIONS ${folder}/Passes.td)
  mlir_tablegen(${folder}/Passes.h.inc -gen-pass-decls -name=Convoy${name})
  add_mlir_generic_tablegen_target(MLIRConvoy${name}IncGen)
  add_mlir_doc(${folder}/Passes Convoy${name}Passes Convoy/ -gen-pass-doc)
endfunction()

# convoy_check_dependencies(NAME libs...) links the objects of the library NAME
# with what it names alone, for the target convoy-check-dependencies: a program
# that links all libraries does not show what one of them forgot.
function(convoy_check_dependencies name)
  # Those of sanitizers are found in the program.
  if(NOT CONVOY_SANITIZERS)
    add_library(linked.${name} SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:obj.${name}>)
    set_target_properties(linked.${name} PROPERTIES LINKER_LANGUAGE CXX)
    target_link_libraries(linked.${name} PRIVATE ${ARGN} LLVM MLIR)
    target_link_options(linked.${name} PRIVATE LINKER:-z,defs)
    add_dependencies(convoy-check-dependencies linked.${name})
  endif()
endfunction()

# convoy_add_unittest(NAME sources... [LINK_LIBS libs...]) adds a GoogleTest
# program to check-convoy; lit runs it.
function(convoy_add_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/unit)
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} GTest::gmock GTest::gtest GTest::gtest_main)
  add_dependencies(ConvoyUnitTests ${name})
endfunction()

# convoy_add_fuzzer(NAME sources... [LINK_LIBS libs...]) adds a libFuzzer program.
function(convoy_add_fuzzer name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/fuzz)
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endfunction()

# Passes allocate millions of small things; docs/rationale/compile-time.md has the
# figures. Sanitizers bring an allocator of their own.
set(CONVOY_ALLOCATOR)
if(CONVOY_USE_JEMALLOC AND NOT CONVOY_SANITIZERS)
  # An archive, so that programs do not need the library where they run.
  find_library(CONVOY_JEMALLOC_LIBRARY libjemalloc_pic.a)
  if(CONVOY_JEMALLOC_LIBRARY)
    add_library(convoy-jemalloc INTERFACE IMPORTED GLOBAL)
    target_link_libraries(convoy-jemalloc INTERFACE
      ${CONVOY_JEMALLOC_LIBRARY} ${CMAKE_DL_LIBS})
    # Even where shared libraries alone call it.
    target_link_options(convoy-jemalloc INTERFACE LINKER:--undefined=malloc)
    set(CONVOY_ALLOCATOR convoy-jemalloc)
  endif()
endif()

# convoy_add_tool(NAME sources... [LINK_LIBS libs...]) adds a program on top of
# the shared MLIR library; the tests may run it.
function(convoy_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  mlir_target_link_libraries(${name} PRIVATE MLIR)
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} ${CONVOY_ALLOCATOR})
  convoy_precompile_headers(${name} program)
  set_property(GLOBAL APPEND PROPERTY CONVOY_TOOLS ${name})
endfunction()
