#include <algorithm>
#include <string>
#include <string_view>

#include "base/secret_letters.hpp"
#include "base/secret_names.hpp"
#include "base/secret_text.hpp"

namespace ringside {

bool needs_a_look(std::string_view text) {
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    const char b = static_cast<char>(text[i + 1] | 0x20), c = static_cast<char>(text[i + 2] | 0x20);
    switch (text[i] | 0x20) {
      case 'k':  // key, token
        if (b == 'e' && (c == 'y' || c == 'n')) return true;
        break;
      case 's':  // secret, pass, sk-, sig
        if ((b == 'i' && c == 'g') || (b == 'e' && c == 'c') || (b == 's') || (b == 'k' && c == '-') ||
            (b == 't' && c == 'r'))
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
      case 'd':  // DSN, dckr_pat_
        if ((b == 's' && c == 'n') || (b == 'c' && c == 'k')) return true;
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

}  // namespace ringside
