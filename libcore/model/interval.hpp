#pragma once

namespace ringside {

struct Interval {
  double low = 0;
  double high = 0;
};

template <typename Fields>
void describe(Fields& fields, const Interval*) {
  fields.record("interval", "A range: a confidence interval, or what a quantity may be.");
  fields.add("low", &Interval::low, "Lower end.");
  fields.add("high", &Interval::high, "Upper end.");
}

}  // namespace ringside
