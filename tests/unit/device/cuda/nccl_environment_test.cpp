#include "device/cuda/nccl_environment.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include "support/catch.hpp"

using namespace ringside;

namespace {

std::string value(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "(absent)" : text;
}

}  // namespace

TEST_CASE("a choice is seen by getenv and taken back to what was there before") {
  NcclEnvironment::reserve();
  CHECK(value("NCCL_ALGO") == "(absent)");
  NcclEnvironment::choose("allreduce:ring", "allreduce:ll");
  CHECK(value("NCCL_ALGO") == "allreduce:ring");
  CHECK(value("NCCL_PROTO") == "allreduce:ll");
  NcclEnvironment::choose("allreduce:tree", "");
  CHECK(value("NCCL_ALGO") == "allreduce:tree");
  CHECK(value("NCCL_PROTO") == "(absent)");
  NcclEnvironment::choose("", "");
  CHECK(value("NCCL_ALGO") == "(absent)");
}

TEST_CASE("what somebody else has put there in between is what choose() goes back to") {
  NcclEnvironment::reserve();
  ::setenv("NCCL_ALGO", "ring", 1);  // as a configuration file of NCCL's does
  NcclEnvironment::choose("allreduce:tree", "");
  CHECK(value("NCCL_ALGO") == "allreduce:tree");
  NcclEnvironment::choose("", "");
  CHECK(value("NCCL_ALGO") == "ring");
  ::unsetenv("NCCL_ALGO");
}

TEST_CASE("a choice moves neither the environment nor its other variables") {
  NcclEnvironment::reserve();
  char** const before = environ;
  std::size_t count = 0;
  while (environ[count] != nullptr) ++count;
  for (int i = 0; i < 1000; ++i) {
    NcclEnvironment::choose(i % 2 == 0 ? "allreduce:ring" : "", i % 3 == 0 ? "allreduce:simple" : "");
  }
  std::size_t after = 0;
  while (environ[after] != nullptr) ++after;
  CHECK(environ == before);
  CHECK(after == count);
  NcclEnvironment::choose("", "");
}

TEST_CASE("a thread that reads meanwhile sees one value or the other, never a broken one") {
  NcclEnvironment::reserve();
  std::atomic<bool> stop{false};
  std::atomic<int> broken{0};
  std::thread reader([&] {
    while (!stop) {
      const std::string seen = value("NCCL_ALGO");
      if (seen != "(absent)" && seen != "allreduce:ring" && seen != "allreduce:tree") ++broken;
    }
  });
  for (int i = 0; i < 20000; ++i)
    NcclEnvironment::choose(i % 2 == 0 ? "allreduce:ring" : "allreduce:tree", "");
  stop = true;
  reader.join();
  CHECK(broken == 0);
  NcclEnvironment::choose("", "");
}
