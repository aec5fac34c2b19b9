#include "protocol/requests.hpp"

#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("What a library reports of a call comes back from a rank, its channels too") {
  PrepareReply reply{5000, std::nullopt, "RING/LL"};
  PrepareReply read;
  reply.channels = 16;
  decode(encode(reply), read);
  CHECK(read.ran == "RING/LL");
  CHECK(read.channels == 16);
  reply.channels.reset();
  PrepareReply without;
  decode(encode(reply), without);
  CHECK(without.channels == std::nullopt);
}
