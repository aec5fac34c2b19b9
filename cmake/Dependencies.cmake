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
