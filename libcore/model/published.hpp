#pragma once

#include <string>
#include <vector>

#include "model/case.hpp"
#include "model/field_range.hpp"

namespace ringside {

// One size of a strategy beside what others have published for it.
struct PublishedPoint {
  Bytes bytes;
  double published_ns = 0;
  bool interpolated = false;
  double here_ns = 0;

  double ratio() const { return here_ns / published_ns; }
};

template <typename Fields>
void describe(Fields& fields, const PublishedPoint*) {
  fields.record("published_point", "A measured time beside a published one, at one message size.");
  fields.add("bytes", &PublishedPoint::bytes, "Of the message that each rank contributes.", ranges::kMessage);
  fields.add("published_ns", &PublishedPoint::published_ns, "As published.", ranges::kTime);
  fields.add("interpolated", &PublishedPoint::interpolated,
             "Between the two nearest published sizes, evenly in both logarithms.");
  fields.add("here_ns", &PublishedPoint::here_ns, "The row's median.", ranges::kTime);
  fields.derived("ratio", &PublishedPoint::ratio, "here_ns by published_ns: how many times as long.",
                 ranges::kRatio);
}

// A measured strategy beside published times of the same library on as many GPUs of the same model. The
// servers may be wired differently: a ratio is a question, no judgement.
struct PublishedComparison {
  std::string gpu;
  int gpus = 0;
  std::string library;
  std::string version;
  std::string version_here;
  std::string source;
  std::string strategy;
  DType dtype = DType::bf16;
  Mode mode = Mode::graph;
  std::vector<PublishedPoint> points;
};

template <typename Fields>
void describe(Fields& fields, const PublishedComparison*) {
  fields.record("published",
                "A measured strategy beside published times of the same library on as many GPUs of the same "
                "model. The servers may be wired differently.");
  fields.add("gpu", &PublishedComparison::gpu, "Model, as in 'H100 SXM'.").not_empty();
  fields.add("gpus", &PublishedComparison::gpus, "Of the server.", ranges::kRanks);
  fields.add("library", &PublishedComparison::library, "Such as 'NCCL'.").not_empty();
  fields.add("version", &PublishedComparison::version, "Of the published times.");
  fields.add("version_here", &PublishedComparison::version_here, "Of this measurement; empty: not known.");
  fields.add("source", &PublishedComparison::source, "Of the published times, with its date.");
  fields.add("strategy", &PublishedComparison::strategy, "Whose rows are beside them.").not_empty();
  fields.add("dtype", &PublishedComparison::dtype, "Of these rows.");
  fields.add("mode", &PublishedComparison::mode, "Of both.");
  fields.add("points", &PublishedComparison::points, "By size, ascending.");
}

}  // namespace ringside
