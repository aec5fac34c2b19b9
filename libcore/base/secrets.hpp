#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringside {

// What stands in the place of a secret.
inline constexpr std::string_view kMask = "***";

// Which values were left out.
struct Withheld {
  int values = 0;
  std::vector<std::string> names;  // of what held them: "--api-key", "HF_TOKEN", "a URL"; each once

  bool empty() const { return values == 0; }
  void add(std::string_view name);
  void add(const Withheld& more);
};

// "2 values that may be secrets were left out of the log: --api-key, HF_TOKEN". `where`: "the log".
std::string describe(const Withheld& withheld, std::string_view where);

// Whether a flag, a variable or a key of this name holds a secret: --api-key, HF_TOKEN, db_pass; not
// --max-total-tokens, eos_token or cache_key.
bool names_secret(std::string_view name);

// Text of any form that somebody else wrote (a line of a log, a script, JSON, a message) with kMask in the
// place of secrets: values of names_secret() behind "=", ":" or a blank, of plug-in arguments, users and
// passwords in URLs, what follows "Bearer", and tokens of known shape.
std::string mask_text(std::string_view text, Withheld& withheld);

// The same of the words of a command line; the number of words stays the same.
std::vector<std::string> mask_words(std::vector<std::string> words, Withheld& withheld);

}  // namespace ringside
