#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/fd.hpp"

namespace ringside {

// Where a result goes. A regular file is replaced as a whole, so that a reader never sees half of it and a
// crash leaves the last complete content; a device or FIFO is written in place; a symbolic link is followed;
// "-" is stdout, by whatever name of /proc or /dev.
class OutputFile {
 public:
  // Checks that `path` can be written without changing what is there. Throws UsageError. Opening a FIFO waits
  // for its reader.
  explicit OutputFile(std::string path);

  // As the user named it.
  const std::string& path() const { return path_; }
  bool is_stdout() const { return stdout_; }
  // Whether write() replaces what an earlier write() left; a stream can be written once only.
  bool replaceable() const { return !stream_ && !is_stdout(); }
  // Whether both end in the same place, however they are named: by links, over "..", by a descriptor, or as
  // the file that stdout is.
  bool same_target(const OutputFile& other) const;
  // Whether writing it would change what is read from `input`, a file or "-" (stdin), likewise.
  bool overwrites(const std::string& input) const;

  // Throws EnvironmentError (disk full, closed pipe, ...); no temporary file stays behind.
  void write(std::string_view text);

 private:
  std::string path_;
  bool stdout_;
  std::filesystem::path target_;  // regular files: the path behind all symbolic links
  UniqueFd stream_;               // devices and FIFOs
};

// Writes all of `text` to `fd`; `name` is for the message. Throws EnvironmentError.
void write_all(int fd, std::string_view text, const std::string& name);

// The result on stdout. Throws EnvironmentError.
void write_stdout(std::string_view text);

}  // namespace ringside
