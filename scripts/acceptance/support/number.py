"""One promised number: what it is, its limit, what was measured."""

import dataclasses
import operator

COMPARISONS = {"at least": operator.ge, "at most": operator.le, "below": operator.lt}


@dataclasses.dataclass(frozen=True)
class Number:
    name: str
    comparison: str  # a key of COMPARISONS
    limit: float
    measured: float
    unit: str
    detail: str = ""  # what the number was made of

    def passed(self) -> bool:
        return COMPARISONS[self.comparison](self.measured, self.limit)

    def line(self) -> str:
        verdict = "pass" if self.passed() else "MISS"
        detail = f"  ({self.detail})" if self.detail else ""
        return (f"{verdict}  {self.name}: {self.comparison} {self.limit:g} {self.unit}, "
                f"measured {self.measured:.4g} {self.unit}{detail}")
