# Every header compiles alone, and twice in one file: one source per header, an object library that nothing links.
function(ringside_header_check)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}
    ${CMAKE_SOURCE_DIR}/libcore/*.hpp ${CMAKE_SOURCE_DIR}/kernels/*.hpp ${CMAKE_SOURCE_DIR}/tools/*.hpp
    ${CMAKE_SOURCE_DIR}/tests/*.hpp)
  if(NOT RINGSIDE_HAS_CUDA)
    list(FILTER headers EXCLUDE REGEX "^kernels/|/(cuda|nccl|gpu)/|_cuda\\.hpp$|/gpu[^/]*\\.hpp$")
  elseif(RINGSIDE_WITHOUT_NCCL)
    list(FILTER headers EXCLUDE REGEX "${RINGSIDE_WITHOUT_NCCL}|/nccl/")
  endif()
  set(sources "")
  foreach(header ${headers})
    set(source ${CMAKE_BINARY_DIR}/headers/${header}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
    list(APPEND sources ${source})
  endforeach()
  add_library(ringside_headers OBJECT ${sources})
  ringside_compile_options(ringside_headers)
  target_include_directories(ringside_headers PRIVATE
    ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/libcore ${CMAKE_SOURCE_DIR}/tools ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(ringside_headers PRIVATE RINGSIDE_TESTS_DIR="${CMAKE_SOURCE_DIR}/tests")
  target_link_libraries(ringside_headers PRIVATE ringside_cli11 Catch2::Catch2)
  if(RINGSIDE_HAS_CUDA)
    target_include_directories(ringside_headers SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS}
      $<TARGET_PROPERTY:ringside_kernels,INTERFACE_SYSTEM_INCLUDE_DIRECTORIES>)
    target_compile_definitions(ringside_headers PRIVATE RINGSIDE_HAS_CUDA=1
      $<TARGET_PROPERTY:ringside_kernels,INTERFACE_COMPILE_DEFINITIONS>)
  endif()
endfunction()
