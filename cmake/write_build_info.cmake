execute_process(COMMAND git -C ${SOURCE_DIR} rev-parse --short=12 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "unknown")
else()
  execute_process(COMMAND git -C ${SOURCE_DIR} status --porcelain --untracked-files=no
    OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    string(APPEND commit "-dirty")
  endif()
endif()
set(content "#include \"base/build_info.hpp\"

namespace ringside {
const BuildInfo& build_info() {
  static const BuildInfo info{\"${VERSION}\", \"${commit}\", \"${COMPILER}\", \"${BUILD_TYPE}\", \"${CUDA_VERSION}\", \"${SANITIZE}\"};
  return info;
}
}  // namespace ringside
")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL content)
  file(WRITE ${OUTPUT} "${content}")
endif()
