#include "report/views/answer.hpp"

#include "report/views/size_ranges.hpp"
#include "support/catch.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using test::SampleDocument;

namespace {

// Sizes from 2K on, doubling; two candidates in each.
SampleDocument two_candidates(int sizes) {
  SampleDocument sample;
  for (int i = 0; i < sizes; ++i) {
    sample.timed("custom", {2048ull << i}, 2);
    sample.timed("symmetric", {2048ull << i}, 3);
  }
  return sample;
}

std::string answer_to(const SampleDocument& sample) {
  return answer(sweep_blocks(sample.document).at(0));
}

}  // namespace

TEST_CASE("The answer names winners by number of sizes, then ties, with sizes drawn together") {
  SampleDocument sample = two_candidates(14);
  for (int i = 0; i < 14; ++i) {
    const Bytes bytes{2048ull << i};
    if (i < 3) {
      sample.win(bytes, "symmetric", 1.5);
    } else if (i < 5) {
      sample.tie(bytes, {"custom", "symmetric"});
    } else {
      sample.win(bytes, "custom", 1 + i * 0.1);
    }
  }
  CHECK(answer_to(sample) ==
        "custom wins 9 of 14 sizes (64K to 16M) by 1.50x to 2.30x, symmetric wins 3 (2K to 8K) by 1.50x, "
        "tie at 2 (16K, 32K)");
}

TEST_CASE("A clean sweep is said in one breath") {
  SampleDocument sample = two_candidates(3);
  for (const Bytes bytes : {2_KiB, 4_KiB, 8_KiB}) sample.win(bytes, "custom", 1.5);
  CHECK(answer_to(sample) == "custom wins all 3 sizes (2K to 8K) by 1.50x");
}

TEST_CASE("Why no winner was named is said when the reasons are few") {
  SampleDocument sample = two_candidates(3);
  for (const Bytes bytes : {2_KiB, 4_KiB, 8_KiB})
    sample.tie(bytes, {"custom", "symmetric"}, "needs 3 launches");
  CHECK(answer_to(sample) == "tie at all 3 sizes (2K to 8K; needs 3 launches)");
  for (std::size_t i = 0; i < 3; ++i) sample.document.verdicts[i].reason += std::to_string(i);
  CHECK(answer_to(sample) == "tie at all 3 sizes (2K to 8K)");
}

TEST_CASE("Sizes without a verdict are not passed over") {
  SampleDocument sample = two_candidates(3);
  sample.win(4_KiB, "custom", 1.5);
  CHECK(answer_to(sample) == "custom wins 1 of 3 sizes (4K) by 1.50x, undecided at 2 (2K, 8K)");
}

TEST_CASE("One size reads without counting") {
  SampleDocument sample = two_candidates(1);
  sample.tie(2_KiB, {"custom", "symmetric"}, "needs 3 launches");
  CHECK(answer_to(sample) == "tie at 2K (needs 3 launches)");
  sample.document.verdicts.clear();
  sample.win(2_KiB, "custom", 12.345);
  CHECK(answer_to(sample) == "custom wins at 2K by 12.3x");
}

TEST_CASE("One candidate has nothing to win") {
  SampleDocument sample;
  sample.timed("custom", 2_KiB, 2);
  CHECK(answer_to(sample).empty());
}

TEST_CASE("Size ranges join three neighbours or more") {
  const std::vector<Bytes> all = {1_KiB, 2_KiB, 4_KiB, 8_KiB, 16_KiB, 32_KiB};
  CHECK(size_ranges(all, all) == "1K to 32K");
  CHECK(size_ranges(std::vector{1_KiB, 2_KiB, 8_KiB, 16_KiB, 32_KiB}, all) == "1K, 2K, 8K to 32K");
  CHECK(size_ranges(std::vector{1_KiB, 4_KiB, 16_KiB}, all) == "1K, 4K, 16K");
  CHECK(size_ranges({}, all).empty());
}
