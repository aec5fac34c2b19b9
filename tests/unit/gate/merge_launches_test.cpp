#include "gate/merge_launches.hpp"

#include "support/catch.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using namespace ringside::test;

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
