#include "report/renderer.hpp"

#include "report/views/beside.hpp"
#include "report/views/result_kind.hpp"

namespace ringside {

View view_of(const Document& document, const ViewRequest& request) {
  return kind_of(document).view(document, request);
}

std::string Renderer::render(const Document& document, const RenderOptions& options) const {
  return render_view(view_of(document, request(options)), options);
}

std::string_view Renderer::lacks(const Document& document) const {
  const ViewRequest wanted = request({});
  if (wanted.sections || wanted.tests) return "";  // every result has these
  const View view = view_of(document, wanted);
  if (wanted.benchmarks && view.benchmarks.empty()) return "numbers to follow";
  return wanted.timeline && !view.timeline ? "a timeline" : "";
}

bool Renderer::takes_several() const {
  return request({}).sections;
}

std::string Renderer::render_several(std::span<const NamedDocument> documents,
                                     const RenderOptions& options) const {
  if (!takes_several()) return Writer::render_several(documents, options);
  return render_view(beside_view(documents, request(options)), options);
}

}  // namespace ringside
