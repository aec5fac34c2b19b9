#include "trace/sglang/launch_command.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "served/server_config.hpp"

namespace ringside {

namespace {

class ArgumentReader {
 public:
  explicit ArgumentReader(const Pipeline& pipeline) : pipeline_(pipeline) {}

  void read(const std::vector<ShellWord>& words) {
    for (std::size_t i = 0; i < words.size();) i = read_one(words, i);
  }

  Launch launch;

 private:
  // The index of the next word that is not part of this one's option.
  std::size_t read_one(const std::vector<ShellWord>& words, std::size_t at) {
    const ShellWord& word = words[at];
    if (!word.text.starts_with("-") || word.text == "-" || is_number(word.text)) {
      if (word.unknown)
        lost(word);
      else if (at == 0 && !word.text.empty())
        launch.args["model_path"] = word.text;  // `sglang serve MODEL`
      return at + 1;
    }
    const std::size_t equals = word.text.find('=');
    const std::string name = word.text.substr(0, equals);
    bool negated = false;
    const ServerFlag* flag = find_flag(name, negated);
    if (!flag) {
      if (word.unknown) {
        lost(word);
        return at + 1;
      }
      unknown_flag(name);
      return skip_values(words, at + 1, 1);
    }
    if (flag->takes == "true" || flag->takes == "false" || flag->takes == "switch") {
      launch.args[flag->field] = flag->takes == "true" || (flag->takes == "switch" && !negated);
      return at + 1;
    }
    if (flag->takes == "none") return at + 1;
    if (flag->takes == "refused") {
      refuse(*flag, name, "", fmt::format("argument {}: it is no longer taken", name));
      return at + 1;
    }
    if (equals != std::string::npos) {
      ShellWord value = word;
      value.text = word.text.substr(equals + 1);
      assign(*flag, {value});
      return at + 1;
    }
    const std::size_t end = skip_values(words, at + 1, flag->takes == "list" ? words.size() : 1);
    std::vector<ShellWord> values(words.begin() + static_cast<std::ptrdiff_t>(at + 1),
                                  words.begin() + static_cast<std::ptrdiff_t>(end));
    if (values.empty() && flag->takes == "value") {
      refuse(*flag, name, flag->field, fmt::format("argument {}: expected one argument", name));
      launch.args[flag->field] = Unknown{fmt::format("{} has no value", name)};
      return end;
    }
    assign(*flag, values);
    return end;
  }

  static bool is_number(const std::string& text) { return !parse_scalar(text).as<std::string>(); }

  static std::size_t skip_values(const std::vector<ShellWord>& words, std::size_t at, std::size_t most) {
    const std::size_t end = std::min(words.size(), most > words.size() - at ? words.size() : at + most);
    while (at < end && (!words[at].text.starts_with("-") || is_number(words[at].text))) ++at;
    return at;
  }

  void assign(const ServerFlag& flag, const std::vector<ShellWord>& words) {
    const auto unknown = std::find_if(words.begin(), words.end(),
                                      [](const ShellWord& word) { return word.unknown.has_value(); });
    if (unknown != words.end()) {
      launch.args[flag.field] = Unknown{*unknown->unknown};
      odd(finding_kind("unknown-value"), flag.names.front(),
          fmt::format("the value of {} can't be known: {}", flag.names.front(), *unknown->unknown),
          Severity::warning);
      return;
    }
    Value::List values;
    for (const ShellWord& word : words) values.push_back(convert(flag, word.text));
    if (flag.takes == "list")
      launch.args[flag.field] = values;
    else if (!values.empty())
      launch.args[flag.field] = values.front();
    if (flag.takes != "list" && !values.empty()) check_choice(flag, values.front());
  }

  Value convert(const ServerFlag& flag, const std::string& text) const {
    const auto standard = pipeline_.fields.find(flag.field);
    const bool textual = standard != pipeline_.fields.end() && standard->second.as<std::string>();
    const bool text_choices = !flag.choices.empty() && flag.choices.front().as<std::string>();
    return textual || text_choices ? Value(text) : parse_scalar(text);
  }

  void check_choice(const ServerFlag& flag, const Value& value) {
    if (flag.choices.empty()) return;
    for (const Value& choice : flag.choices)
      if (equal(choice, value) == Truth::yes) return;
    std::vector<std::string> names;
    for (const Value& choice : flag.choices)
      names.push_back(choice.as<std::string>() ? *choice.as<std::string>() : to_text(choice));
    const std::string given = value.as<std::string>() ? *value.as<std::string>() : to_text(value);
    refuse(flag, flag.names.front(), flag.field,
           fmt::format("argument {}: invalid choice: '{}'{} (it takes {})", join(flag.names, "/"), given,
                       did_you_mean(given, names), join(names, ", ")));
  }

  // By its whole name, --no-x of a switch, or a beginning that fits one flag only.
  const ServerFlag* find_flag(const std::string& name, bool& negated) const {
    const ServerFlag* begun = nullptr;
    bool ambiguous = false;
    for (const ServerFlag& flag : pipeline_.flags) {
      for (const std::string& known : flag.names) {
        if (known == name) return &flag;
        if (flag.takes == "switch" && known.starts_with("--") && "--no-" + known.substr(2) == name) {
          negated = true;
          return &flag;
        }
        if (name.starts_with("--") && name.size() > 2 && known.starts_with(name)) {
          ambiguous = ambiguous || (begun && begun != &flag);
          begun = &flag;
        }
      }
    }
    return ambiguous ? nullptr : begun;
  }

  void unknown_flag(const std::string& name) {
    if (pipeline_.flags.empty()) return;
    std::vector<std::string> names;
    for (const ServerFlag& flag : pipeline_.flags)
      names.insert(names.end(), flag.names.begin(), flag.names.end());
    odd(finding_kind("unknown-flag"), name,
        fmt::format("{} has no flag {}{}: the server refuses to start", pipeline_.title, name,
                    did_you_mean(name, names)),
        Severity::warning);
    launch.refused.push_back({"unrecognized arguments: " + name, "", {}});
  }

  void lost(const ShellWord& word) {
    odd(finding_kind("unknown-words"), *word.unknown,
        fmt::format("words that can't be known: {}; they may hold any flag", *word.unknown),
        Severity::warning);
  }

  // `field` of a value that the flag does not take; empty where the flag itself is refused.
  void refuse(const ServerFlag& flag, const std::string& name, const std::string& field,
              const std::string& message) {
    odd(finding_kind("refused-argument"), name,
        fmt::format("{} refuses to start: {}", pipeline_.title, message), Severity::error);
    launch.refused.push_back({message, field, flag.place});
  }

  void odd(const FindingKind& kind, std::string subject, std::string message, Severity severity) {
    launch.findings.push_back({kind, severity, std::move(subject), std::move(message), {}, ""});
  }

  const Pipeline& pipeline_;
};

std::vector<ShellWord> config_words(const std::vector<ShellWord>& arguments, Withheld& withheld) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& text = arguments[i].text;
    if (text == "--config" && i + 1 < arguments.size() && !arguments[i + 1].unknown)
      return read_server_config(arguments[i + 1].text, withheld);
    if (text.starts_with("--config=")) return read_server_config(text.substr(9), withheld);
  }
  return {};
}

}  // namespace

Launch read_launch(const ServerCommand& command, const Pipeline& pipeline) {
  ArgumentReader reader(pipeline);
  Withheld withheld = command.withheld;
  reader.read(config_words(command.arguments, withheld));
  reader.read(command.arguments);  // it overrides the file
  Launch launch = std::move(reader.launch);
  launch.withheld = std::move(withheld);
  for (const auto& [name, value] : command.environment) {
    if (value.unknown)
      launch.environment[name] = Unknown{*value.unknown};
    else if (value.text == "true" || value.text == "True")
      launch.environment[name] = true;
    else if (value.text == "false" || value.text == "False")
      launch.environment[name] = false;
    else
      launch.environment[name] = parse_scalar(value.text);
  }
  if (command.open_ended)
    launch.findings.push_back({finding_kind("open-ended"),
                               Severity::warning,
                               "arguments",
                               "arguments come from outside (\"$@\"): flags that they hold are not seen",
                               {},
                               ""});
  return launch;
}

}  // namespace ringside
