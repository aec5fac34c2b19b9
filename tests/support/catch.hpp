#pragma once

// Catch2 2.13 (Debian 12) and 3 (Ubuntu 24.04) under one include: tests use what both have, and Approx and
// ContainsSubstring by their names in 3.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>

namespace Catch {
using Detail::Approx;
namespace Matchers {
inline StdString::ContainsMatcher ContainsSubstring(const std::string& text) {
  return Contains(text);
}
}  // namespace Matchers
}  // namespace Catch
#endif
