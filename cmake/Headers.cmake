# Every header compiles alone: where a source of the same name begins with it the build proves that; for each other
# one a source is made, of an object library that nothing links. That it may be included twice is check:tidy's.
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
    string(REGEX REPLACE "hpp$" "cpp" own ${header})
    if(EXISTS ${CMAKE_SOURCE_DIR}/${own})
      file(STRINGS ${CMAKE_SOURCE_DIR}/${own} first LIMIT_COUNT 1 REGEX "^#include")
      string(REGEX REPLACE "^#include \"(.*)\"$" "\\1" first "${first}")
      if(header MATCHES "(^|/)${first}$")
        continue()
      endif()
    endif()
    set(source ${CMAKE_BINARY_DIR}/headers/${header}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n")
    list(APPEND sources ${source})
  endforeach()
  add_library(ringside_headers OBJECT ${sources})
  ringside_compile_options(ringside_headers)
  target_compile_options(ringside_headers PRIVATE -O0 -g0)
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
