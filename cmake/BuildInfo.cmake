# base/build_info.cpp is written again at each build, so that --version names the commit that was really built.
set(RINGSIDE_BUILD_INFO ${CMAKE_BINARY_DIR}/generated/build_info.cpp)
if(RINGSIDE_HAS_CUDA)
  set(cuda_version ${CUDAToolkit_VERSION})
else()
  set(cuda_version "")
endif()
add_custom_target(ringside_build_info
  COMMAND ${CMAKE_COMMAND}
    -DSOURCE_DIR=${CMAKE_SOURCE_DIR} -DOUTPUT=${RINGSIDE_BUILD_INFO} -DVERSION=${PROJECT_VERSION}
    -DCOMPILER=${CMAKE_CXX_COMPILER_ID}-${CMAKE_CXX_COMPILER_VERSION} -DBUILD_TYPE=${CMAKE_BUILD_TYPE}
    -DCUDA_VERSION=${cuda_version} -DSANITIZE=${RINGSIDE_SANITIZE}
    -P ${CMAKE_SOURCE_DIR}/cmake/write_build_info.cmake
  BYPRODUCTS ${RINGSIDE_BUILD_INFO}
  VERBATIM)
