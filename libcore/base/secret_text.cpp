#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "base/secret_letters.hpp"
#include "base/secret_names.hpp"
#include "base/secret_text.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"

namespace ringside {
namespace {

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
    if (begins_url(at_)) return url();
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
    if (holds_secret(name) || name == "token" || name == "tokens" || name == "KEY") return true;
    if (at_ == 0 || (text_[at_ - 1] != '?' && text_[at_ - 1] != '&')) return false;
    const std::string small = lower_case(name);
    return small.ends_with("signature") ||
           std::find(kQueryNames.begin(), kQueryNames.end(), small) != kQueryNames.end();
  }

  // Whether the "://" of a URL is at `at`.
  bool begins_url(std::size_t at) const {
    return text_.substr(at, 3) == "://" && at > 0 && is_alnum(text_[at - 1]);
  }

  // Whether a host ends at one of / ? # and a comma, which a password may have too: a:b/c@host. `named`: a
  // user stands before it. Without a user it is a password if it follows a colon and is no port.
  bool ends_host(std::size_t begin, std::size_t end, bool named) const {
    const std::string_view host = text_.substr(begin, end - begin);
    if (host.starts_with('[')) return true;
    if (named) return host == "localhost" || host.find_first_of(".:") != std::string_view::npos;
    const std::size_t colon = host.find(':');
    if (colon == std::string_view::npos) return true;
    return colon > 0 && host.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
  }

  // User and password of a URL; a user alone may be a token.
  void url() {
    at_ += 3;
    std::size_t user = std::string_view::npos;
    for (std::size_t end = at_; end < text_.size() && !is_space(text_[end]) && !is_quote(text_[end]) &&
                                std::string_view("<>`").find(text_[end]) == std::string_view::npos;
         ++end) {
      if (begins_url(end)) break;  // the next of a list
      if (text_[end] == '@') {
        user = end;
      } else if (std::string_view("/?#,").find(text_[end]) != std::string_view::npos &&
                 ends_host(user == std::string_view::npos ? at_ : user + 1, end,
                           user != std::string_view::npos)) {
        break;
      }
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
    if (((name == "token" || name == "tokens") && quote.empty()) || name == "KEY")
      return false;  // "EOS token: </s>"
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
    if (next >= text_.size() || is_switch(name)) return false;
    const Value value = value_at(next, Style::shell);
    const bool nothing = says_nothing(text_.substr(value.begin, value.end - value.begin));
    if (nothing && takes_several(name) && value.behind > at_) {
      at_ = value.behind;  // --api-key $FIRST second
    } else if (!take_value(name, value)) {
      return false;
    }
    if (takes_several(name)) more_words(name, !quote.empty());
    return true;
  }

  // --api-key k1 k2, and "--api-key", "k1", "k2". Prose goes on with a word of small letters.
  void more_words(std::string_view name, bool listed) {
    for (;;) {
      std::size_t next = at_;
      if (listed) {
        while (is_space(char_at(next)) || char_at(next) == ',') ++next;
        if (quote_at(next).empty()) return;
      } else {
        next = skip_blanks(next);
      }
      if (next == at_ || next >= text_.size() || is_space(text_[next])) return;
      const Value value = value_at(next, Style::shell);
      const std::string_view word = text_.substr(value.begin, value.end - value.begin);
      const bool prose = !listed && std::all_of(word.begin(), word.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || c == '.' || c == ':' || c == ',';
      });
      if (prose || std::string_view("#()[]{}=").find(text_[next]) != std::string_view::npos ||
          ends_values(name, word) || word.find('=') != std::string_view::npos || char_at(value.end) == '>')
        return;
      if (says_nothing(word)) {
        at_ = value.behind;
        continue;
      }
      mask(value, name);
    }
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
    if (small.ends_with("tokens") && is_number(text)) return false;  // a count
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
    if (style == Style::keyword && char_at(at) == '{') return {at, at, at};
    if (style == Style::keyword && char_at(at) == '[') return list_at(at);
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

  // From the first to the last value of a list: ['k1', 'k2'] -> ['***'].
  Value list_at(std::size_t at) const {
    constexpr std::size_t kLongest = 4096;
    std::size_t begin = at + 1;
    while (is_space(char_at(begin))) ++begin;
    const std::string_view quote = quote_at(begin);
    begin += quote.size();
    std::size_t close = text_.substr(0, std::min(text_.size(), at + kLongest)).find(']', begin);
    if (!quote.empty()) {  // a bracket in a value ends no list
      while (close < text_.size()) {
        std::size_t last = close;
        while (last > begin && (is_space(text_[last - 1]) || text_[last - 1] == ',')) --last;
        if (last >= begin + quote.size() && is_quote(text_[last - 1])) break;
        close = text_.substr(0, std::min(text_.size(), at + kLongest)).find(']', close + 1);
      }
    }
    if (close >= text_.size()) {
      const std::size_t line = std::min(text_.find('\n', begin), text_.size());
      return {begin, line, line};
    }
    std::size_t end = close;
    while (end > begin && (is_space(text_[end - 1]) || text_[end - 1] == ',')) --end;
    if (end > begin && is_quote(text_[end - 1])) --end;
    while (end > begin && text_[end - 1] == '\\') --end;
    return {begin, end, close};
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

}  // namespace

std::string mask_text(std::string_view text, Withheld& withheld) {
  if (!needs_a_look(text)) return std::string(text);
  return Masker(text, withheld).masked();
}

}  // namespace ringside
