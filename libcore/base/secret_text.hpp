#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace ringside {

// What text and words of a command have in common when they are looked through for secrets.

enum class Letters {
  plain,     // letters and digits
  names,     // _ and - too
  dotted,    // . too
  capitals,  // capital letters and digits
};

// Tokens that name themselves by their beginning, and how many characters follow at least.
struct TokenShape {
  std::string_view begin;
  std::size_t least;
  Letters letters = Letters::names;
};
inline constexpr std::array kTokenShapes = {TokenShape{"hf_", 20, Letters::plain},
                                            TokenShape{"sk-", 20},
                                            TokenShape{"ghp_", 20, Letters::plain},
                                            TokenShape{"gho_", 20, Letters::plain},
                                            TokenShape{"ghs_", 20, Letters::plain},
                                            TokenShape{"ghu_", 20, Letters::plain},
                                            TokenShape{"ghr_", 20, Letters::plain},
                                            TokenShape{"github_pat_", 20},
                                            TokenShape{"glpat-", 16},
                                            TokenShape{"xoxb-", 16},
                                            TokenShape{"xoxp-", 16},
                                            TokenShape{"AKIA", 16, Letters::capitals},
                                            TokenShape{"ASIA", 16, Letters::capitals},
                                            TokenShape{"nvapi-", 20},
                                            TokenShape{"AIza", 30},
                                            TokenShape{"eyJ", 30, Letters::dotted},
                                            TokenShape{"pypi-", 30},
                                            TokenShape{"dckr_pat_", 16}};

// Names that keep a secret in the query of a URL only.
inline constexpr std::array<std::string_view, 6> kQueryNames = {"key",  "sig",  "signature",
                                                                "auth", "pass", "pwd"};

// Whether a text may hold a secret: false for most, after one quick pass.
bool needs_a_look(std::string_view text);

// Whether keeps_a_secret(), or the name is of several: --api-keys, ACCESS_TOKENS, passwords.
bool holds_secret(std::string_view name);

// Whether a flag takes no word behind it: --enable-auth.
bool is_switch(std::string_view flag);

// Whether a flag may take several words: --api-key, --tokens.
bool takes_several(std::string_view flag);

// Whether the second or a later word behind takes_several() is none of its values: a flag, an operator of a
// shell, and behind a flag of one value what looks like a model, a file or a program.
bool ends_values(std::string_view flag, std::string_view word);

}  // namespace ringside
