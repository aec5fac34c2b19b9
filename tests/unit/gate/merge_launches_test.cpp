#include "gate/merge_launches.hpp"

#include "support/catch.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using namespace ringside::test;

TEST_CASE("Ratios of fewer launches are left out when launches are added") {
  SampleDocument first(DeviceKind::cuda), second(DeviceKind::cuda);
  for (SampleDocument* sample : {&first, &second}) {
    Row& row = sample->timed("custom", 1_KiB, 2);
    row.to_reference = row.to_best_nccl = RowRatio{.to = "nccl-auto", .ratio = 2, .interval95 = {}};
  }
  merge_launches(first.document, second.document);
  CHECK_FALSE(first.document.rows.front().to_reference);
  CHECK_FALSE(first.document.rows.front().to_best_nccl);
}

TEST_CASE("Channels that differ between launches are not known") {
  for (const std::optional<int> more : {std::optional(16), std::optional(2), std::optional<int>()}) {
    SampleDocument first(DeviceKind::cuda), second(DeviceKind::cuda);
    first.timed("nccl-auto", 1_KiB, 5).channels = 16;
    second.timed("nccl-auto", 1_KiB, 5).channels = more;
    merge_launches(first.document, second.document);
    REQUIRE(first.document.rows.front().launches.size() == 6);
    CHECK(first.document.rows.front().channels == (more == 16 ? more : std::nullopt));
  }
}
