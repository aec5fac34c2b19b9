#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/view.hpp"
#include "report/writer.hpp"

namespace ringside {

// A Document as a View of its kind.
View view_of(const Document& document, const ViewRequest& request);

// A Writer that knows Views only: what a Document holds, and of which kind it is, decides the View.
class Renderer : public Writer {
 public:
  // What the format takes of a View.
  virtual ViewRequest request(const RenderOptions& options) const = 0;
  virtual std::string render_view(const View& view, const RenderOptions& options) const = 0;

  std::string render(const Document& document, const RenderOptions& options) const final;
  std::string_view lacks(const Document& document) const final;
  // Of every format that shows sections.
  bool takes_several() const final;
  std::string render_several(std::span<const NamedDocument> documents,
                             const RenderOptions& options) const final;
};

}  // namespace ringside
