# Third-party libraries. Header-only ones are taken by include path, so that no distribution target drags in a
# shared library: the binary is meant to be copied to another box as one file.

find_package(Threads REQUIRED)

# fmt: distributions ship the shared library only; its source is compiled here from the installed headers.
find_path(FMT_INCLUDE_DIR fmt/format-inl.h REQUIRED)
add_library(ringside_fmt OBJECT ${CMAKE_SOURCE_DIR}/cmake/fmt_instantiation.cpp)
target_include_directories(ringside_fmt SYSTEM PUBLIC ${FMT_INCLUDE_DIR})

find_path(JSON_INCLUDE_DIR nlohmann/json.hpp REQUIRED)
add_library(ringside_json INTERFACE)
target_include_directories(ringside_json SYSTEM INTERFACE ${JSON_INCLUDE_DIR})

find_path(TOMLPP_INCLUDE_DIR toml++/toml.h REQUIRED)
add_library(ringside_toml INTERFACE)
target_include_directories(ringside_toml SYSTEM INTERFACE ${TOMLPP_INCLUDE_DIR})

find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)
add_library(ringside_cli11 INTERFACE)
target_include_directories(ringside_cli11 SYSTEM INTERFACE ${CLI11_INCLUDE_DIR})

# Chart.js goes into the binary, for the charts of HTML reports; without it they have tables alone. It is copied, so that
# the folder that is embedded holds it alone, or nothing.
set(RINGSIDE_CHARTJS_DIR ${CMAKE_BINARY_DIR}/generated/chart)
find_file(RINGSIDE_CHARTJS chart.min.js PATHS /usr/share/javascript/chart.js /usr/share/nodejs/chart.js/dist
  DOC "Chart.js 3, the file that defines the global Chart")
file(MAKE_DIRECTORY ${RINGSIDE_CHARTJS_DIR})
if(RINGSIDE_CHARTJS)
  configure_file(${RINGSIDE_CHARTJS} ${RINGSIDE_CHARTJS_DIR}/chart.js COPYONLY)
else()
  file(REMOVE ${RINGSIDE_CHARTJS_DIR}/chart.js)
  message(NOTICE "No Chart.js (Debian: libjs-chart.js): HTML reports will have no charts")
endif()

# NVTX: headers alone, of a CUDA toolkit or a package; without them these files do nothing.
find_path(NVTX_INCLUDE_DIR nvtx3/nvToolsExt.h HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES include)
if(NVTX_INCLUDE_DIR)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/libcore/base/nvtx.cpp
    ${CMAKE_SOURCE_DIR}/libcore/base/nvtx_listener.cpp
    ${CMAKE_SOURCE_DIR}/libcore/device/cuda/stream_name.cpp PROPERTIES
    COMPILE_DEFINITIONS RINGSIDE_HAS_NVTX=1 COMPILE_OPTIONS "-isystem;${NVTX_INCLUDE_DIR}")
endif()
