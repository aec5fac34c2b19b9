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
  bool plot = false;     // the table draws its curves
  bool unicode = true;   // with Braille dots; else in ASCII
};

// One of several Documents, and what it is called among them.
struct NamedDocument {
  std::string name;  // of its file, as short as it can be told from the others
  const Document* document = nullptr;
};

// Turns a Document into text. One file per format; it registers itself.
class Writer {
 public:
  virtual ~Writer() = default;
  virtual std::string_view name() const = 0;     // "table", "json", "csv", "md"
  virtual std::string_view summary() const = 0;  // for --help
  virtual std::string render(const Document& document, const RenderOptions& options) const = 0;

  // What the format shows and the Document has nothing of: "a timeline". Empty: there is something to show.
  virtual std::string_view lacks(const Document&) const { return ""; }

  // Whether the format has a form for several Documents, beside one another.
  virtual bool takes_several() const { return false; }
  // `documents`: two or more. Throws UsageError unless takes_several().
  virtual std::string render_several(std::span<const NamedDocument> documents,
                                     const RenderOptions& options) const;
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
