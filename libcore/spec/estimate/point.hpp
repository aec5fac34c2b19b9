#pragma once

#include <optional>
#include <string>

namespace ringside {

// One working point of a server: how many sequences it decodes, and how it speculates. drafts = 0 is plain
// decoding.
struct StepPoint {
  int batch = 1;        // sequences of the whole server
  int drafts = 0;       // levels of the draft: K of a chain
  int verify_rows = 1;  // of one sequence in the verify pass: drafts + 1, or the candidates of a tree
  int draft_steps =
      0;  // passes of the draft model; 0 for n-gram and for drafts that come in one pass of none
  int draft_width = 1;    // candidates of a sequence in one draft step
  double context = 1024;  // tokens of a sequence that attention reads, on average

  bool plain() const { return drafts == 0; }
  double rows() const { return static_cast<double>(batch) * verify_rows; }
  bool operator==(const StepPoint&) const = default;
};

StepPoint plain_point(int batch, double context);

// A chain: as many draft steps as drafts, drafts + 1 rows to verify.
StepPoint chain_point(int batch, int drafts, double context);

// A tree of `candidates` rows (the root among them) with `width` candidates at each of `levels` levels.
StepPoint tree_point(int batch, int levels, int width, int candidates, double context);

// A throughput that was measured.
struct SpeedObservation {
  StepPoint point;
  double tokens_s = 0;           // of the whole server
  std::optional<double> length;  // mean tokens of a verify pass, its own among them; none for plain decoding
  double relative_error = 0.02;  // one sigma of the measurement itself; the model's own misfit comes on top
  std::string source;            // for messages: "server.log: 40 windows at batch 8"
};

}  // namespace ringside
