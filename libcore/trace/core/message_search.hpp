#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ringside {

// A place in a tree that holds a part of a message.
struct MessagePlace {
  std::string file;  // under the tree
  long line = 0;
  std::string guard;      // the nearest condition around it ("if x:"); empty: none in its function
  std::size_t parts = 0;  // how many parts of the message stand there
};

struct MessagePlaces {
  std::vector<MessagePlace> places;  // most parts first, then by file and line
  std::size_t files = 0;             // that were searched
  bool all = true;                   // false: the tree was too large to be searched whole
};

// The parts of a message that a server's source may hold as they are: runs of whole words, at least 20 bytes
// long, without numbers and quotes (which a format fills in). A literal may be broken between two lines of
// source, so the runs are as short as they may be.
std::vector<std::string> literal_parts(std::string_view message);

// Where they stand in the Python and C++ files of a tree. None is chosen: a text may stand in several places.
MessagePlaces search_message(const std::filesystem::path& tree, std::string_view message);

// Those places as sentences for a person, at most `most` of them.
std::vector<std::string> places_text(const MessagePlaces& found, std::size_t most = 8);

}  // namespace ringside
