# With RINGSIDE_QUICK: what is never timed is optimised less, and headers of others are compiled once for all targets of
# a kind. Only there: elsewhere a source that forgets an include must not compile, and -O1 warns of what is not so.
function(ringside_quick target timed)
  if(NOT RINGSIDE_QUICK)
    return()
  endif()
  if(NOT timed)
    target_compile_options(${target} PRIVATE -O1)
  endif()
  get_property(first GLOBAL PROPERTY ringside_precompiled_${timed})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <chrono> <cmath> <functional> <map> <memory> <optional>
      <span> <string> <string_view> <variant> <vector> <fmt/format.h>)
    set_property(GLOBAL PROPERTY ringside_precompiled_${timed} ${target})
  endif()
endfunction()

# Warnings, and warnings as errors, for a target of this project.
function(ringside_compile_options target)
  if(RINGSIDE_QUICK)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-w>)
    return()
  endif()
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion>)
  if(RINGSIDE_WERROR)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
  endif()
endfunction()

if(RINGSIDE_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${RINGSIDE_SANITIZE}>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer> $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # what is put between reads and writes makes it see what is not so
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
  endif()
  if(RINGSIDE_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Its frames on the heap misplace variables that are aligned to 64 bytes, as AVX-512's are: g++ 13.3 crashed there.
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=asan-use-after-return=0>)
  endif()
  add_link_options(-fsanitize=${RINGSIDE_SANITIZE})
endif()

# ringside_room(NAME LINKS ... [SOURCES ...]): one object library per folder of libcore; an INTERFACE library while the
# folder has no sources. SOURCES are generated ones. Objects are linked whole into every binary, so that a file which
# registers itself can't be lost. JSON and TOML stand for the header-only libraries and stay private to the room: no
# header of libcore includes them. KERNELS stands for the device code and is nothing where CUDA is left out.
set(RINGSIDE_ROOM_OBJECTS "")

function(ringside_room name)
  cmake_parse_arguments(ROOM "" "" "LINKS;SOURCES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/libcore/${name}/*.cpp)
  if(NOT RINGSIDE_HAS_CUDA)
    list(FILTER sources EXCLUDE REGEX "/libcore/.*/(cuda|nccl)/|_cuda\\.cpp$")
  elseif(RINGSIDE_WITHOUT_NCCL)
    list(FILTER sources EXCLUDE REGEX "${RINGSIDE_WITHOUT_NCCL}")
  endif()
  list(APPEND sources ${ROOM_SOURCES})

  set(target ringside_${name})
  if(sources)
    add_library(${target} OBJECT ${sources})
    ringside_compile_options(${target})
    set(timed NO)
    if(name MATCHES "^(base|stats|device|strategy|worker)$")  # what ranks run, and resampling
      set(timed YES)
    endif()
    ringside_quick(${target} ${timed})
    set(scope PUBLIC)
    set(RINGSIDE_ROOM_OBJECTS ${RINGSIDE_ROOM_OBJECTS} ${target} PARENT_SCOPE)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()

  target_include_directories(${target} ${scope} ${CMAKE_SOURCE_DIR}/libcore)
  foreach(link ${ROOM_LINKS})
    if(NOT link MATCHES "^(JSON|TOML|KERNELS)$")
      target_link_libraries(${target} ${scope} ${link})
    elseif(link STREQUAL "KERNELS")
      if(RINGSIDE_HAS_CUDA)
        target_link_libraries(${target} ${scope} ringside_kernels)
        target_compile_definitions(${target} ${scope} RINGSIDE_HAS_CUDA=1)
      endif()
    elseif(sources)
      string(TOLOWER ${link} library)
      target_link_libraries(${target} PRIVATE ringside_${library})
    endif()
  endforeach()
endfunction()

# ringside_embed(OUTPUT ROOT EXTENSION HEADER TYPE FUNCTION [STRIP]): files become strings in the binary, found by their path
# under ROOT; see embed_files.cmake. Sets `OUTPUT` to the generated source file.
function(ringside_embed output root extension header type function)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${root}/*${extension})
  set(generated ${CMAKE_BINARY_DIR}/generated/${function}.cpp)
  set(script ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake)
  string(MD5 list "${files}")  # in the command, so that it is run again when a file is gone
  add_custom_command(OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -DROOT=${root} -DEXTENSION=${extension} -DHEADER=${header} -DTYPE=${type}
      -DFUNCTION=${function} -DSTRIP=${ARGN} -DLIST=${list} -DOUTPUT=${generated} -P ${script}
    DEPENDS ${files} ${script} VERBATIM)
  set(${output} ${generated} PARENT_SCOPE)
endfunction()

# ringside_core: the objects of all rooms, each once, for the executable and the tests. It does not link the rooms'
# targets: that would bring their objects a second time. Under ThreadSanitizer without the rooms that start no thread and
# share no memory: half the time to build.
function(ringside_collect_core)
  add_library(ringside_core INTERFACE)
  set(objects ${RINGSIDE_ROOM_OBJECTS} ringside_fmt)
  if(RINGSIDE_SANITIZE MATCHES "thread")
    list(FILTER objects EXCLUDE REGEX "^ringside_(served|support|doctor|gate|spec|trace|run|report)$")
  endif()
  if(RINGSIDE_HAS_CUDA)
    list(APPEND objects ringside_kernels)
    target_include_directories(ringside_core INTERFACE ${CMAKE_SOURCE_DIR})
    target_link_libraries(ringside_core INTERFACE CUDA::cudart_static)
    target_compile_definitions(ringside_core INTERFACE RINGSIDE_HAS_CUDA=1)
  endif()
  foreach(target ${objects})
    target_sources(ringside_core INTERFACE $<TARGET_OBJECTS:${target}>)
  endforeach()
  target_include_directories(ringside_core INTERFACE ${CMAKE_SOURCE_DIR}/libcore)
  target_include_directories(ringside_core SYSTEM INTERFACE ${FMT_INCLUDE_DIR})
  target_link_libraries(ringside_core INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
  foreach(symbol InitializeInjectionNvtx2 InitializeInjectionNvtxExtension)  # libcore/base/nvtx_listener.cpp
    target_link_options(ringside_core INTERFACE LINKER:--export-dynamic-symbol=${symbol})
  endforeach()
endfunction()
