# Finds a CUDA toolkit that can compile the kernels, or leaves CUDA out with a notice. Sets RINGSIDE_HAS_CUDA.
set(RINGSIDE_HAS_CUDA OFF)
if(RINGSIDE_CUDA STREQUAL "OFF")
  return()
endif()

# Why CUDA is left out: the end of the configuration with RINGSIDE_CUDA=ON, a notice with AUTO.
function(ringside_without_cuda reason)
  if(RINGSIDE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "RINGSIDE_CUDA=ON, but ${reason}")
  endif()
  message(STATUS "ringside: ${reason}; building without the cuda device")
endfunction()

# The version is looked at before the language is enabled: an old nvcc fails there, and that can't be caught.
find_package(CUDAToolkit QUIET)
if(NOT CUDAToolkit_FOUND OR NOT CUDAToolkit_NVCC_EXECUTABLE)
  ringside_without_cuda("no CUDA toolkit with nvcc was found (CUDAToolkit_ROOT may say where it is)")
  return()
endif()
if(CUDAToolkit_VERSION VERSION_LESS 12.8)
  ringside_without_cuda("CUDA toolkit ${CUDAToolkit_VERSION} is older than 12.8")
  return()
endif()

if(NOT CMAKE_CUDA_COMPILER)
  set(CMAKE_CUDA_COMPILER ${CUDAToolkit_NVCC_EXECUTABLE})
endif()
if(NOT CMAKE_CUDA_HOST_COMPILER)
  set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
endif()
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()
enable_language(CUDA)

# CMake 3.25.1 does not know nvcc's C++20 dialect.
if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
if(CCACHE AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE})
endif()
set(RINGSIDE_HAS_CUDA ON)
message(STATUS "ringside: CUDA ${CUDAToolkit_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES}")

# Kernels see only CUDA and the standard library.
file(GLOB kernel_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/kernels/*.cu)
add_library(ringside_kernels OBJECT ${kernel_sources})
target_include_directories(ringside_kernels PUBLIC ${CMAKE_SOURCE_DIR})
target_link_libraries(ringside_kernels PUBLIC CUDA::cudart_static)
target_compile_options(ringside_kernels PRIVATE
  $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo -Werror=all-warnings -Xcompiler=-Wall,-Wextra>)
