#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/document.hpp"

namespace ringside {

struct RenderOptions {
  bool color = false;    // ANSI colours; only the table uses them
  int width = 100;       // columns of the terminal, for wrapping
  bool verbose = false;  // the table shows evidence and notes too
};

// Turns a Document into text. One file per format; it registers itself.
class Writer {
 public:
  virtual ~Writer() = default;
  virtual std::string_view name() const = 0;     // "table", "json", "csv", "md"
  virtual std::string_view summary() const = 0;  // for --help
  virtual std::string render(const Document& document, const RenderOptions& options) const = 0;
};

std::span<const Writer* const> all_writers();
const Writer* find_writer(std::string_view name);  // null: none
void register_writer(const Writer& writer);

template <typename W>
class RegisterWriter {
 public:
  RegisterWriter() { register_writer(writer_); }

 private:
  W writer_;
};

}  // namespace ringside
