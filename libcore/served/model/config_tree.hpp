#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "served/model/config_object.hpp"

namespace ringside {

// What reading a model's files left to say; a sentence is kept once.
struct ReadingNotes {
  std::vector<std::string> used;            // keys
  std::vector<std::string> not_understood;  // sentences
  std::vector<std::string> derived;

  std::vector<std::string> idle;  // keys that are known and change nothing here

  void use(const std::string& key);
  void doubt(const std::string& sentence);
  void derive(const std::string& sentence);
};

// What a count may be, ends included.
struct CountLimits {
  double least;
  double most;
};
constexpr CountLimits kCount{1, 1e6};
constexpr CountLimits kCountOrNone{0, 1e6};
constexpr CountLimits kLayerCount{1, 1e4};
constexpr CountLimits kVocabularyCount{1, 1e9};

// A level of a configuration: an object whose keys are read by name. What was read is noted as used. The
// object and the notes outlive it.
class ConfigLevel {
 public:
  // `path` stands before each key in the notes ("text_config.").
  ConfigLevel(const ConfigObject& object, std::string origin, std::string path, ReadingNotes& notes);

  // The value under the first of these names that has one (null is none), noted as used; nullptr: there is
  // none.
  const ConfigObject* find(std::initializer_list<const char*> names) const;
  bool has(const char* name) const;  // a value other than null; not noted
  // Keys whose meaning is known and which change nothing in this configuration.
  void set_aside(std::initializer_list<const char*> names) const;

  // A whole number under the first of these names; a doubt is noted where another of them has a different
  // one. Nothing where it is absent. Throws UsageError for what is no number or beyond the limits.
  std::optional<double> count(std::initializer_list<const char*> names,
                              const CountLimits& limits = kCountOrNone) const;
  double count_or(std::initializer_list<const char*> names, double otherwise,
                  const CountLimits& limits = kCountOrNone) const;
  // The same; throws UsageError where it is absent.
  double need(std::initializer_list<const char*> names, const CountLimits& limits = kCount) const;

  std::optional<bool> flag(const char* name) const;                  // nothing for what is no boolean
  std::string text(std::initializer_list<const char*> names) const;  // "" for what is no text
  // A list of texts or of numbers; nothing where it is none. Of a list that isn't one throughout, a doubt is
  // noted.
  std::optional<std::vector<std::string>> texts(const char* name) const;
  std::optional<std::vector<double>> numbers(const char* name) const;
  std::optional<ConfigLevel> level(const char* name) const;  // an object within

  const ConfigObject& object() const { return *object_; }
  const std::string& path() const { return path_; }
  const std::string& origin() const { return origin_; }
  ReadingNotes& notes() const { return *notes_; }

 private:
  std::optional<double> first_count(std::initializer_list<const char*> names,
                                    const CountLimits& limits) const;

  const ConfigObject* object_;
  std::string origin_;
  std::string path_;
  ReadingNotes* notes_;
};

}  // namespace ringside
