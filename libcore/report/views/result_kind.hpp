#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/view.hpp"
#include "report/writer.hpp"

namespace ringside {

// Makes Views of one kind of result. One file per kind; it registers itself.
class ResultKind {
 public:
  virtual ~ResultKind() = default;

  // Whether the Document is of this kind. Of several that say so the most special one is taken.
  virtual bool shows(const Document& document) const = 0;
  virtual int speciality() const = 0;  // 0: any result, if need be; different in all kinds

  // The View's pointers and spans, if any, point nowhere into the Document.
  virtual View view(const Document& document, const ViewRequest& request) const = 0;

  // What stands in the tables and figures of several results of any kinds, beside one another.
  virtual std::vector<TitledGrid> tables_beside(std::span<const NamedDocument>) const { return {}; }
  virtual std::vector<Figure> figures_beside(std::span<const NamedDocument>, Room) const { return {}; }
  // How this one ended, and why; both empty: that is no question here.
  virtual std::pair<std::string, std::string> outcome(const Document&) const { return {}; }
};

std::span<const ResultKind* const> all_kinds();  // the most general one first
void register_kind(const ResultKind& kind);

template <typename K>
class RegisterKind {
 public:
  RegisterKind() { register_kind(kind_); }

 private:
  K kind_;
};

// The kind that shows a Document.
const ResultKind& kind_of(const Document& document);

}  // namespace ringside
