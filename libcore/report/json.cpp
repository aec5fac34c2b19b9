#include "report/writer.hpp"

namespace ringside {
namespace {

class JsonWriter final : public Writer {
 public:
  std::string_view name() const override { return "json"; }
  std::string_view summary() const override { return "everything, raw samples included (docs/schema)"; }
  std::string render(const Document& document, const RenderOptions&) const override {
    return to_json(document);
  }
};

const RegisterWriter<JsonWriter> registered;

}  // namespace
}  // namespace ringside
