# The CMake package of ad-opt, for programs in C and C++.
#
#   find_package(ad-opt CONFIG REQUIRED)              with -Dad-opt_DIR=ROOT/cmake after `make build`, or installed
#   ad_opt_add_library(gradients gradients.mlir)      a library of compiled functions, and the header gradients.h
#   target_link_libraries(program PRIVATE gradients)
#   target_link_libraries(compiler PRIVATE ad-opt::plugin)     ad-opt.h and mlir-c: dialects, passes, rules
#
# Targets are ad-opt::ad-opt, which is the program, and ad-opt::plugin. What Cargo built is taken from ad-opt_BUILD,
# which is target/release beside this folder unless it is set. LLVM/MLIR 22 is needed, as MLIR_DIR or where Debian has it.

set(${CMAKE_FIND_PACKAGE_NAME}_FOUND FALSE)
find_package(MLIR CONFIG QUIET
  HINTS "$ENV{MLIR_SYS_220_PREFIX}/lib/cmake/mlir" /usr/lib/llvm-22/lib/cmake/mlir)
if(NOT MLIR_FOUND OR NOT LLVM_VERSION_MAJOR EQUAL 22)
  set(${CMAKE_FIND_PACKAGE_NAME}_NOT_FOUND_MESSAGE
    "LLVM/MLIR 22 is needed, and not in MLIR_DIR, which is ${MLIR_DIR}")
  return()
endif()

get_filename_component(ad_root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
if(EXISTS "${ad_root}/Cargo.toml")
  set(ad-opt_BUILD "${ad_root}/target/release" CACHE PATH "Where Cargo built ad-opt")
  set(ad_program "${ad-opt_BUILD}/ad-opt")
  set(ad_plugin "${ad-opt_BUILD}/libad_opt.so")
  set(ad_include "${ad_root}/tools/ad-plugin/include")
else()
  get_filename_component(ad_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
  set(ad_program "${ad_root}/bin/ad-opt")
  set(ad_plugin "${ad_root}/lib/libad_opt.so")
  set(ad_include "${ad_root}/include")
endif()
foreach(ad_file IN ITEMS "${ad_program}" "${ad_plugin}")
  if(NOT EXISTS "${ad_file}")
    set(${CMAKE_FIND_PACKAGE_NAME}_NOT_FOUND_MESSAGE "there is no ${ad_file}: run `make build`")
    return()
  endif()
endforeach()
set(${CMAKE_FIND_PACKAGE_NAME}_FOUND TRUE)

if(NOT TARGET ad-opt::ad-opt)
  add_executable(ad-opt::ad-opt IMPORTED)
  set_target_properties(ad-opt::ad-opt PROPERTIES IMPORTED_LOCATION "${ad_program}")

  # MLIR is in its shared library once, and the archives of its interface for C are named as files: as targets they
  # would bring a second MLIR, with other types.
  add_library(ad-opt::plugin SHARED IMPORTED)
  set(ad_libraries "${MLIR_INSTALL_PREFIX}/lib")
  set_target_properties(ad-opt::plugin PROPERTIES
    IMPORTED_LOCATION "${ad_plugin}"
    IMPORTED_NO_SONAME TRUE
    INTERFACE_INCLUDE_DIRECTORIES "${ad_include};${MLIR_INCLUDE_DIRS}")
  foreach(ad_archive IN ITEMS MLIRCAPIRegisterEverything MLIRRegisterAllDialects MLIRRegisterAllPasses
      MLIRRegisterAllExtensions MLIRCAPIIR)
    target_link_libraries(ad-opt::plugin INTERFACE "${ad_libraries}/lib${ad_archive}.a")
  endforeach()
  target_link_libraries(ad-opt::plugin INTERFACE
    "${ad_libraries}/libMLIR.so" "${ad_libraries}/libLLVM.so" stdc++)
endif()

# ad_opt_add_library(NAME SOURCE [ENTRY FUNCTION...] [TARGET cpu|cuda] [OPTIONS ARGUMENT...])
#
# Adds a shared library with the functions of an MLIR file, all public ones unless there are entries, which
# `ad-opt compile` makes when the project is built. Who links NAME finds the header NAME.h.
function(ad_opt_add_library name source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "TARGET" "ENTRY;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "ad_opt_add_library(${name}) does not know what to do with "
      "${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  list(TRANSFORM arg_ENTRY PREPEND "--entry=")
  if(arg_TARGET)
    list(PREPEND arg_OPTIONS "--target=${arg_TARGET}")
  endif()
  set(linker "${CMAKE_C_COMPILER}")
  if(NOT linker)
    set(linker "${CMAKE_CXX_COMPILER}")
  endif()
  get_filename_component(source "${source}" ABSOLUTE)

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/ad-opt/${name}")
  set(library "${folder}/lib${name}.so")
  set(header "${folder}/${name}.h")
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(OUTPUT "${library}" "${header}"
    COMMAND ${CMAKE_COMMAND} -E env "CC=${linker}"
      $<TARGET_FILE:ad-opt::ad-opt> compile "${source}" -o "${library}" "--header=${header}"
      ${arg_ENTRY} ${arg_OPTIONS}
    DEPENDS "${source}" "$<TARGET_FILE:ad-opt::ad-opt>"
    COMMENT "Compiling ${name} with ad-opt"
    VERBATIM)
  add_custom_target(${name}-compiled DEPENDS "${library}" "${header}")
  add_library(${name} SHARED IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES
    IMPORTED_LOCATION "${library}"
    IMPORTED_SONAME "lib${name}.so"
    INTERFACE_INCLUDE_DIRECTORIES "${folder}")
  add_dependencies(${name} ${name}-compiled)
endfunction()
