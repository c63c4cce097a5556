# One function per generator of mlir-tblgen. The first argument of each names the
# list that the generated files are appended to.

# Runs mlir-tblgen on SOURCE; further arguments are its flags.
function(ad_tablegen output source)
  get_filename_component(directory "${AD_ROOT}/${source}" DIRECTORY)
  get_filename_component(target "${output}" DIRECTORY)
  file(MAKE_DIRECTORY "${target}")
  list(TRANSFORM MLIR_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE includes)
  file(GLOB dependencies CONFIGURE_DEPENDS "${directory}/*.td")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${MLIR_TABLEGEN_EXE}" ${ARGN} -I "${directory}" -I "${AD_ROOT}/dialect/td"
            ${includes} "${AD_ROOT}/${source}" -o "${output}"
    DEPENDS ${dependencies}
    COMMENT "Generating ${output}"
    VERBATIM)
endfunction()

# <Name>Dialect.{h,cpp}.inc from dialect/td/<Name>Ops.td.
function(ad_dialect_code list name mnemonic)
  foreach(kind IN ITEMS "h decls" "cpp defs")
    string(REPLACE " " ";" kind "${kind}")
    list(GET kind 0 suffix)
    list(GET kind 1 part)
    set(output "${AD_GENERATED}/${name}Dialect.${suffix}.inc")
    ad_tablegen("${output}" dialect/td/${name}Ops.td -gen-dialect-${part} -dialect=${mnemonic})
    list(APPEND ${list} "${output}")
  endforeach()
  set(${list} "${${list}}" PARENT_SCOPE)
endfunction()

# <Name>Types.{h,cpp}.inc from dialect/td/<Name>Types.td.
function(ad_type_code list name mnemonic)
  foreach(kind IN ITEMS "h decls" "cpp defs")
    string(REPLACE " " ";" kind "${kind}")
    list(GET kind 0 suffix)
    list(GET kind 1 part)
    set(output "${AD_GENERATED}/${name}Types.${suffix}.inc")
    ad_tablegen("${output}" dialect/td/${name}Types.td
                -gen-typedef-${part} -typedefs-dialect=${mnemonic})
    list(APPEND ${list} "${output}")
  endforeach()
  set(${list} "${${list}}" PARENT_SCOPE)
endfunction()

# <Name>Enums.{h,cpp}.inc from dialect/td/<Name>Ops.td.
function(ad_enum_code list name)
  foreach(kind IN ITEMS "h decls" "cpp defs")
    string(REPLACE " " ";" kind "${kind}")
    list(GET kind 0 suffix)
    list(GET kind 1 part)
    set(output "${AD_GENERATED}/${name}Enums.${suffix}.inc")
    ad_tablegen("${output}" dialect/td/${name}Ops.td -gen-enum-${part})
    list(APPEND ${list} "${output}")
  endforeach()
  set(${list} "${${list}}" PARENT_SCOPE)
endfunction()

# <Name>Ops.{h,cpp}.inc from dialect/td/<Name>Ops.td.
function(ad_op_code list name)
  foreach(kind IN ITEMS "h decls" "cpp defs")
    string(REPLACE " " ";" kind "${kind}")
    list(GET kind 0 suffix)
    list(GET kind 1 part)
    set(output "${AD_GENERATED}/${name}Ops.${suffix}.inc")
    ad_tablegen("${output}" dialect/td/${name}Ops.td -gen-op-${part})
    list(APPEND ${list} "${output}")
  endforeach()
  set(${list} "${${list}}" PARENT_SCOPE)
endfunction()

# Passes.h.inc from passes/td/Passes.td.
function(ad_pass_code list name)
  set(output "${AD_GENERATED}/${name}.h.inc")
  ad_tablegen("${output}" passes/td/${name}.td -gen-pass-decls -name=Ad)
  set(${list} ${${list}} "${output}" PARENT_SCOPE)
endfunction()

# The reference page of a dialect.
function(ad_dialect_doc list mnemonic source)
  set(output "${AD_DOCS_DIR}/${mnemonic}.md")
  ad_tablegen("${output}" ${source} -gen-dialect-doc -dialect=${mnemonic})
  set(${list} ${${list}} "${output}" PARENT_SCOPE)
endfunction()

# The reference page of all passes.
function(ad_pass_doc list page source)
  set(output "${AD_DOCS_DIR}/${page}.md")
  ad_tablegen("${output}" ${source} -gen-pass-doc)
  set(${list} ${${list}} "${output}" PARENT_SCOPE)
endfunction()
