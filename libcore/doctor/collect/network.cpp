#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <set>

#include "base/text.hpp"
#include "doctor/collect.hpp"

namespace ringside {
namespace {

std::string address_text(const sockaddr* address) {
  char text[INET6_ADDRSTRLEN] = {};
  const void* const raw =
      address->sa_family == AF_INET
          ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(address)->sin_addr)
          : &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
  return ::inet_ntop(address->sa_family, raw, text, sizeof text) == nullptr ? "" : text;
}

void add_host_name(BoxFacts& facts) {
  char name[256] = {};
  if (::gethostname(name, sizeof name - 1) != 0)
    return facts.not_known("net.host_name", std::strerror(errno));
  facts.set("net.host_name", name);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int problem = ::getaddrinfo(name, nullptr, &hints, &found); problem != 0) {
    facts.set("net.host_addresses", "");
    facts.set("net.host_name_problem", ::gai_strerror(problem));
    return;
  }
  std::vector<std::string> addresses;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    if (one->ai_family == AF_INET || one->ai_family == AF_INET6)
      addresses.push_back(address_text(one->ai_addr));
  }
  ::freeaddrinfo(found);
  facts.set("net.host_addresses", join(addresses, ","));
}

}  // namespace

void collect_network(BoxFacts& facts) {
  add_host_name(facts);
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return facts.not_known("net.interfaces", std::strerror(errno));
  std::set<std::string> names;
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
    const bool address = one->ifa_addr != nullptr &&
                         (one->ifa_addr->sa_family == AF_INET || one->ifa_addr->sa_family == AF_INET6);
    if (address && (one->ifa_flags & IFF_UP) != 0) names.insert(one->ifa_name);
  }
  ::freeifaddrs(all);
  facts.set("net.interfaces", join(std::vector<std::string>(names.begin(), names.end()), ","));
}

}  // namespace ringside
