#include "model/document.hpp"

#include <algorithm>

#include "base/build_info.hpp"

namespace ringside {

ToolInfo this_tool() {
  const BuildInfo& info = build_info();
  return {std::string(info.version),    std::string(info.commit),       std::string(info.compiler),
          std::string(info.build_type), std::string(info.cuda_version), std::string(info.sanitizers)};
}

const Finding* Document::find(const std::string& id) const {
  const auto found =
      std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.id() == id; });
  return found == findings.end() ? nullptr : &*found;
}

std::string add_finding(Document& document, Finding finding) {
  std::string id = finding.id();
  const auto known = std::find_if(document.findings.begin(), document.findings.end(),
                                  [&](const Finding& f) { return f.id() == id; });
  if (known == document.findings.end()) {
    document.findings.push_back(std::move(finding));
    return id;
  }
  for (std::string& fact : finding.evidence) {
    auto& evidence = known->evidence;
    if (std::find(evidence.begin(), evidence.end(), fact) == evidence.end())
      evidence.push_back(std::move(fact));
  }
  return id;
}

}  // namespace ringside
