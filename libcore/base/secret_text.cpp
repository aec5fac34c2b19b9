#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "base/secret_names.hpp"
#include "base/secrets.hpp"

namespace ringside {
namespace {

bool is_alnum(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}
bool is_name(char c) {
  return is_alnum(c) || c == '_' || c == '-';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
bool is_space(char c) {
  return is_blank(c) || c == '\n' || c == '\r';
}
bool is_quote(char c) {
  return c == '"' || c == '\'';
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.+-") == std::string_view::npos;
}

// Tokens that name themselves by their beginning, and how many letters, digits, _ and - follow at least.
struct Shape {
  std::string_view begin;
  std::size_t least;
};
constexpr std::array kShapes = {
    Shape{"hf_", 20},   Shape{"sk-", 20},         Shape{"ghp_", 20},   Shape{"gho_", 20},
    Shape{"ghs_", 20},  Shape{"github_pat_", 20}, Shape{"glpat-", 16}, Shape{"xoxb-", 16},
    Shape{"xoxp-", 16}, Shape{"AKIA", 16},        Shape{"ASIA", 16},   Shape{"nvapi-", 20},
    Shape{"AIza", 30},  Shape{"eyJ", 30},         Shape{"pypi-", 30},  Shape{"dckr_pat_", 16}};

// Bytes of the token of a known shape that begins `text`; 0: there is none. A model's name has words, not a
// run of 20 letters and digits.
std::size_t token_length(std::string_view text) {
  for (const auto& [begin, least] : kShapes) {
    if (!text.starts_with(begin)) continue;
    std::size_t end = begin.size();
    bool digit = false, letter = false;
    while (end < text.size() && (is_name(text[end]) || (begin == "eyJ" && text[end] == '.'))) {
      digit = digit || std::isdigit(static_cast<unsigned char>(text[end])) != 0;
      letter = letter || std::isalpha(static_cast<unsigned char>(text[end])) != 0;
      ++end;
    }
    if (end - begin.size() >= least && letter && (digit || begin != "sk-")) return end;
  }
  return 0;
}

// Where a value stands, without its quotation marks; `behind` is where the text goes on.
struct Value {
  std::size_t begin, end, behind;
};

enum class Style {
  shell,    // a word of a shell
  keyword,  // of a call, a mapping, prose
  query,    // of a URL
  line,     // of a header: to the end of the line
};

class Masker {
 public:
  Masker(std::string_view text, Withheld& withheld) : text_(text), withheld_(withheld) {}

  std::string masked() {
    while (at_ < text_.size()) step();
    result_.append(text_.substr(copied_));
    return std::move(result_);
  }

 private:
  char char_at(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  void step() {
    if (text_.substr(at_, 3) == "://" && at_ > 0 && is_alnum(text_[at_ - 1])) return url();
    const bool begins = at_ == 0 || !is_name(text_[at_ - 1]);
    if (!begins || !is_name(text_[at_])) {
      ++at_;
      return;
    }
    if (const std::size_t token = token_length(text_.substr(at_)); token > 0)
      return mask({at_, at_ + token, at_ + token}, "a token");
    std::size_t end = at_;
    while (end < text_.size() && is_name(text_[end])) ++end;
    const std::string_view name = text_.substr(at_, end - at_);
    if (name == "Bearer" || name == "bearer") return bearer(end);
    if (name.size() <= kLongestSecretName && may_keep_a_secret(name) && after_name(name, end)) return;
    if (const std::size_t dashes = name.find_first_not_of('-');
        dashes != std::string_view::npos && dashes > 2) {
      at_ += dashes;  // a rule of dashes is no flag
      return;
    }
    at_ = end;
  }

  // Names that keep a secret in some places only: "token=" and "?sig=".
  bool may_keep_a_secret(std::string_view name) const {
    if (keeps_a_secret(name) || name == "token" || name == "KEY") return true;
    if (at_ == 0 || (text_[at_ - 1] != '?' && text_[at_ - 1] != '&')) return false;
    const std::string small = lower_case(name);
    return small == "key" || small == "sig" || small.ends_with("signature") || small == "auth" ||
           small == "pass" || small == "pwd";
  }

  // User and password of a URL; a user alone may be a token.
  void url() {
    at_ += 3;
    std::size_t end = at_, user = std::string_view::npos;
    while (end < text_.size() && !is_space(text_[end]) && !is_quote(text_[end]) &&
           std::string_view("/?#<>`,").find(text_[end]) == std::string_view::npos) {
      if (text_[end] == '@') user = end;
      ++end;
    }
    if (user != std::string_view::npos && text_.substr(at_, user - at_) != "git")
      mask({at_, user, user}, "a URL");
  }

  void bearer(std::size_t end) {
    at_ = end;
    if (!is_blank(char_at(end))) return;
    const std::size_t begin = text_.find_first_not_of(" \t", end);
    if (begin == std::string_view::npos) return;
    std::size_t behind = begin;
    while (behind < text_.size() &&
           (is_alnum(text_[behind]) ||
            std::string_view("._~+/=-*").find(text_[behind]) != std::string_view::npos))
      ++behind;
    if (behind - begin >= 6) mask({begin, behind, behind}, "Bearer");
  }

  // A quotation mark with the backslashes before it, as a string inside a string has it.
  std::string_view quote_at(std::size_t at) const {
    std::size_t end = at;
    while (char_at(end) == '\\' && end - at < 8) ++end;
    return is_quote(char_at(end)) ? text_.substr(at, end + 1 - at) : std::string_view{};
  }

  std::size_t skip_blanks(std::size_t at) const {
    for (;;) {
      if (is_blank(char_at(at))) {
        ++at;
      } else if (char_at(at) == '\\' && (char_at(at + 1) == '\n' || text_.substr(at + 1, 2) == "\r\n")) {
        at += char_at(at + 1) == '\n' ? 2 : 3;
      } else {
        return at;
      }
    }
  }

  // What stands behind a name that keeps a secret. False: it has no value here.
  bool after_name(std::string_view name, std::size_t end) {
    const bool flag = name.starts_with('-');
    const bool variable =
        !flag && std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    const char before = at_ > 0 ? text_[at_ - 1] : '\0';
    const std::string_view quote = quote_at(end);
    const std::size_t after = end + quote.size();
    if (char_at(after) == '=' && char_at(after + 1) != '=') {
      const bool query = before == '?' || before == '&';
      const Style style = query ? Style::query : flag || variable ? Style::shell : Style::keyword;
      return take(name, after + 1, style);
    }
    if (quote.empty() && char_at(after) == '+' && char_at(after + 1) == '=')
      return take(name, after + 2, Style::shell);
    if (before == '{' && (char_at(end) == ':') && (char_at(end + 1) == '-' || char_at(end + 1) == '=')) {
      const std::size_t close = std::min(text_.find('}', end), text_.size());
      return take_value(name, {end + 2, close, close});
    }
    const std::size_t colon = skip_blanks(after);
    if ((name == "token" && quote.empty()) || name == "KEY") return false;  // "EOS token: </s>"
    if (char_at(colon) == ':' && char_at(colon + 1) != ':' && !flag) {
      const std::string small = lower_case(name);
      if (small == "authorization" || small == "proxy-authorization" || small.ends_with("cookie") ||
          small == "x-api-key")
        return take(name, colon + 1, Style::line);
      return take(name, colon + 1, Style::keyword);
    }
    if (char_at(colon) == '=' && char_at(colon + 1) != '=' && colon > after)  // TOML: key = "value"
      return char_at(colon + 1) == '>' ? false : take(name, colon + 1, Style::keyword);
    if (flag) return next_word(name, after, quote);
    return variable && named_value(name, after);
  }

  // --flag value, and "--flag", "value" of a list of words.
  bool next_word(std::string_view name, std::size_t after, std::string_view quote) {
    std::size_t begin = after;
    if (!quote.empty() && char_at(begin) == ',') ++begin;
    std::size_t next = skip_blanks(begin);
    if (!quote.empty())
      while (is_space(char_at(next))) ++next;
    if (next == after || text_.substr(next + quote_at(next).size(), 2) == "--") return false;
    if (next >= text_.size()) return false;
    return take_value(name, value_at(next, Style::shell));
  }

  // {"name": "HF_TOKEN", "value": "..."}, as containers have their environment.
  bool named_value(std::string_view name, std::size_t after) {
    std::size_t at = after;
    while (at < text_.size() &&
           (is_space(text_[at]) || is_quote(text_[at]) || text_[at] == ',' || text_[at] == '\\'))
      ++at;
    if (text_.substr(at, 5) != "value" || is_name(char_at(at + 5))) return false;
    at += 5;
    at += quote_at(at).size();
    at = skip_blanks(at);
    return char_at(at) == ':' && take(name, at + 1, Style::keyword);
  }

  bool take(std::string_view name, std::size_t at, Style style) {
    if (style != Style::shell && style != Style::query) at = skip_blanks(at);
    return take_value(name, value_at(at, style));
  }

  bool take_value(std::string_view name, const Value& value) {
    const std::string_view text = text_.substr(value.begin, value.end - value.begin);
    if (says_nothing(text)) return false;
    const bool variable = std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    // "#new-token: 128" of a log; a password of digits has a stronger name.
    const std::string small = lower_case(name);
    const bool weak = small.ends_with("token") || small.ends_with("key") || small.ends_with("auth");
    const bool strong = small.ends_with("api-key") || small.ends_with("api_key") || small.ends_with("apikey");
    if (weak && !strong && is_number(text) && (!(variable || name.starts_with('-')) || text.size() <= 4))
      return false;
    mask(value, name);
    return true;
  }

  Value quoted_at(std::size_t at, std::string_view quote) const {
    const std::size_t begin = at + quote.size();
    std::size_t end = begin;
    for (;;) {
      end = text_.find(quote, end);
      if (end == std::string_view::npos) {  // not closed: to the end of the line
        const std::size_t line = std::min(text_.find('\n', begin), text_.size());
        return {begin, line, line};
      }
      std::size_t slashes = 0;
      while (end > begin + slashes && text_[end - 1 - slashes] == '\\') ++slashes;
      if (slashes % 2 == 0) return {begin, end, end + quote.size()};
      ++end;
    }
  }

  Value value_at(std::size_t at, Style style) const {
    if (style == Style::line && quote_at(at).empty()) {
      std::size_t end = at;
      while (end < text_.size() && text_[end] != '\n' && text_[end] != '\r' && quote_at(end).empty()) ++end;
      return {at, end, end};
    }
    if (const std::string_view quote = quote_at(at); !quote.empty()) {
      const Value value = quoted_at(at, quote);
      // A word of a shell goes on behind its quotation mark.
      if (style != Style::shell || ends_word(value.behind)) return value;
    }
    if (style == Style::keyword && (char_at(at) == '{' || char_at(at) == '[')) return {at, at, at};
    std::size_t end = at;
    const std::string_view stops = style == Style::query ? "&#;<>)]}`" : ",;)]}&`";
    while (end < text_.size() && !is_space(text_[end])) {
      const std::string_view quote = quote_at(end);
      if (style != Style::shell) {
        if (!quote.empty() || stops.find(text_[end]) != std::string_view::npos) break;
        ++end;
      } else if (!quote.empty()) {
        const bool closes = ends_word(end + quote.size());
        const Value inside = closes ? Value{} : quoted_at(end, quote);
        // The quotation mark of what the whole command stands in.
        if (closes || inside.behind == inside.end) break;
        end = inside.behind;
      } else if (text_[end] == '\\' && end + 1 < text_.size() && text_[end + 1] != '\n') {
        end += 2;
      } else if (std::string_view(";|&<>`").find(text_[end]) != std::string_view::npos) {
        break;
      } else if (text_[end] == ',' && assigns(end + 1)) {  // ALL,HF_TOKEN=x,MODEL=org/name
        break;
      } else {
        ++end;
      }
    }
    end = std::min(end, text_.size());
    if (style == Style::shell && end - at > 1 && (text_[end - 1] == ']' || text_[end - 1] == ',')) --end;
    return {at, end, end};
  }

  bool ends_word(std::size_t at) const {
    return at >= text_.size() || is_space(text_[at]) ||
           std::string_view(",;)]}|&").find(text_[at]) != std::string_view::npos || !quote_at(at).empty();
  }

  bool assigns(std::size_t at) const {
    const std::size_t begin = at;
    while (at < text_.size() && (is_alnum(text_[at]) || text_[at] == '_')) ++at;
    return at > begin && char_at(at) == '=';
  }

  void mask(const Value& value, std::string_view name) {
    result_.append(text_.substr(copied_, value.begin - copied_)).append(kMask);
    copied_ = value.end;
    at_ = std::max(value.behind, value.begin);
    if (text_.substr(value.begin, value.end - value.begin) != kMask) withheld_.add(name);
  }

  std::string_view text_;
  Withheld& withheld_;
  std::string result_;
  std::size_t at_ = 0;
  std::size_t copied_ = 0;
};

// Whether anything in `text` could name or be a secret: most lines of a log can't.
bool needs_a_look(std::string_view text) {
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    const char b = static_cast<char>(text[i + 1] | 0x20), c = static_cast<char>(text[i + 2] | 0x20);
    switch (text[i] | 0x20) {
      case 'k':  // key, token
        if (b == 'e' && (c == 'y' || c == 'n')) return true;
        break;
      case 's':  // secret, pass, sk-
        if ((b == 'e' && c == 'c') || (b == 's') || (b == 'k' && c == '-') || (b == 't' && c == 'r'))
          return true;
        break;
      case 'a':  // auth, AKIA, ASIA, AIza, plugin-args
        if ((b == 'u' && c == 't') || (b == 'k' && c == 'i') || (b == 's' && c == 'i') || b == 'i' ||
            (b == 'r' && c == 'g'))
          return true;
        break;
      case 'p':  // pwd, pypi-, ghp_
        if ((b == 'w' && c == 'd') || b == 'y' || text[i + 1] == '_') return true;
        break;
      case 'c':  // credential, cookie
        if ((b == 'r' && c == 'e') || (b == 'o' && c == 'o')) return true;
        break;
      case 'b':  // bearer
        if (b == 'e' && c == 'a') return true;
        break;
      case 'd':  // DSN
        if (b == 's' && c == 'n') return true;
        break;
      case 'h':  // hf_, ghs_
        if (text[i + 2] == '_') return true;
        break;
      case 'g':  // gho_, github_pat_, glpat-
        if (b == 'h' || b == 'l' || b == 'i') return true;
        break;
      case 'x':  // xoxb-
      case 'n':  // nvapi-
      case 'e':  // eyJ
        if ((b == 'o' && c == 'x') || (b == 'v' && c == 'a') || (b == 'y' && c == 'j')) return true;
        break;
      case ':' | 0x20:
        if (text[i] == ':' && text[i + 1] == '/' && text[i + 2] == '/') return true;
        break;
      default:
        break;
    }
  }
  return false;
}

}  // namespace

std::string mask_text(std::string_view text, Withheld& withheld) {
  if (!needs_a_look(text)) return std::string(text);
  return Masker(text, withheld).masked();
}

}  // namespace ringside
