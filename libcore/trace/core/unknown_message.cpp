#include "trace/core/unknown_message.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "base/printable.hpp"
#include "base/text.hpp"

namespace ringside {

namespace {

constexpr std::size_t kMostNames = 8;
constexpr std::size_t kLongestAdvice = 240;  // bytes

// What a server's, a library's or the system's variables begin with.
constexpr std::array kVariables = {
    "SGLANG_", "SGL_",    "VLLM_",    "NCCL_",   "CUDA_", "TORCH_",      "PYTORCH_", "GLOO_",
    "TLLM_",   "TRTLLM_", "NVSHMEM_", "DEEPEP_", "DEEP_", "FLASHINFER_", "TRITON_",  "OMPI_",
    "UCX_",    "MASTER_", "HF_",      "LD_",     "RAY_",  "MC_",         "NVIDIA_",  "SAFETENSORS_"};
constexpr std::array kVerbs = {"please",   "try",    "use",    "set",      "raise", "increase",
                               "decrease", "reduce", "lower",  "disable",  "add",   "pass",
                               "specify",  "remove", "enable", "install",  "unset", "upgrade",
                               "run",      "export", "either", "consider", "choose"};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
}

// The words of a text that may be names: letters, digits, "_" and "-".
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    while (at < text.size() && !is_word(text[at])) ++at;
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    std::string_view word = text.substr(at, end - at);
    while (word.ends_with('-')) word.remove_suffix(1);
    if (!word.empty()) words.push_back(word);
    at = end;
  }
  return words;
}

bool is_flag(std::string_view word) {
  return word.size() > 3 && word.starts_with("--") && std::isalpha(static_cast<unsigned char>(word[2]));
}

bool is_variable(std::string_view word) {
  const bool capital = std::all_of(word.begin(), word.end(), [](char c) {
    return std::isupper(static_cast<unsigned char>(c)) || std::isdigit(static_cast<unsigned char>(c)) ||
           c == '_';
  });
  return capital && std::any_of(kVariables.begin(), kVariables.end(),
                                [&](std::string_view prefix) { return word.starts_with(prefix); });
}

std::string field_of(std::string_view flag) {
  std::string field(flag.substr(2));
  std::replace(field.begin(), field.end(), '-', '_');
  return field;
}

// "which this launch sets to 8", or what is not known about it.
std::string given(const std::optional<std::map<std::string, Value>>& values, const std::string& name) {
  if (!values) return "what this launch gives it is not known";
  const auto found = values->find(name);
  if (found == values->end()) return "which this launch is not seen to set";
  return fmt::format("which is {} in this launch", to_text(found->second));
}

std::string tie(std::string_view word, const KnownLaunch& launch) {
  if (is_flag(word)) return fmt::format("{}, {}", word, given(launch.args, field_of(word)));
  if (is_variable(word)) return fmt::format("{}, {}", word, given(launch.environment, std::string(word)));
  // A field's name is an ordinary word at times ("device", "model"): one of several words is meant as a name.
  if (word.find('_') == std::string_view::npos || !launch.args || !launch.args->contains(std::string(word)))
    return "";
  return fmt::format("{}, {}", word, given(launch.args, std::string(word)));
}

bool names_something(std::string_view text) {
  if (text.find("pip install") != std::string_view::npos) return true;
  const auto words = words_of(text);
  return std::any_of(words.begin(), words.end(),
                     [](std::string_view word) { return is_flag(word) || is_variable(word); });
}

bool is_verb(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::any_of(kVerbs.begin(), kVerbs.end(), [&](std::string_view verb) { return lower == verb; });
}

// The end of the sentence that begins at `from`: a full stop before a space, a line's end.
std::size_t sentence_end(std::string_view text, std::size_t from) {
  for (std::size_t at = from; at < text.size(); ++at) {
    if (text[at] == '\n') return at;
    if (text[at] == '.' && (at + 1 == text.size() || text[at + 1] == ' ' || text[at + 1] == '\n')) return at;
  }
  return text.size();
}

}  // namespace

std::vector<std::string> named_in_message(std::string_view message, const KnownLaunch& launch) {
  std::vector<std::string> ties;
  for (const std::string_view word : words_of(message)) {
    std::string found = tie(word, launch);
    if (found.empty() || std::find(ties.begin(), ties.end(), found) != ties.end()) continue;
    ties.push_back(std::move(found));
    if (ties.size() == kMostNames) break;
  }
  return ties;
}

std::optional<std::string> advice_in_message(std::string_view message) {
  for (std::size_t from = 0; from < message.size();) {
    const std::size_t end = sentence_end(message, from);
    const std::string_view sentence = message.substr(from, end - from);
    for (const std::string_view word : words_of(sentence)) {
      if (!is_verb(word)) continue;
      const std::string_view advice =
          sentence.substr(static_cast<std::size_t>(word.data() - sentence.data()));
      if (names_something(advice)) return printable(trim(advice.substr(0, kLongestAdvice)));
      break;
    }
    from = end + 1;
  }
  return std::nullopt;
}

}  // namespace ringside
